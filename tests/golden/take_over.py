#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Takes clips and scores from a full golden set into the folder kept in the repository.

    take_over.py GOLDEN_DIR DATA_DIR

Clips are copied as they are.
"""
import json
import pathlib
import shutil
import sys

PAIRS = """
nat576_x264q40 nat576_same nat576_swap odd353_444 odd353_420 tiny64 tiny16
d576_420p10 d576_420p10_band d480_420p12 d480_422p8 d288_422p12 d288_444p8 d288_444p10
grad1080_10_band checker1080_s1 checker352 black352 white352 zero352_full352 black352_white352
grey352 flash352 bin288_inv bin288_other bin288_same bin288_10_inv testsrc2_x264q42 cellauto_lowc
frames1 frames3
""".split()
KEPT = ("clip", "libvmaf", "metrics", "pooled", "aggregate_metrics", "options")


def trim(scores):
    kept = {key: scores[key] for key in KEPT if key in scores}
    if "failed" in scores:
        kept["failed"] = {run: how.split(":")[0] for run, how in scores["failed"].items()}
    return kept


def write_scores(scores, path):
    """One line per metric: small, and readable in a difference."""
    def block(value, depth):
        if isinstance(value, dict) and depth < 3:
            items = [f"{json.dumps(k)}: {block(v, depth + 1)}" for k, v in value.items()]
            return "{\n" + ",\n".join(items) + "}" if items else "{}"
        return json.dumps(value, separators=(",", ":"))
    path.write_text(block(scores, 0) + "\n")


def main(golden, data):
    for folder in ("clips", "scores"):
        (data / folder).mkdir(parents=True, exist_ok=True)
    lines = (golden / "clips" / "clips.tsv").read_text().splitlines(keepends=True)
    rows = [line for line in lines[1:] if line.split("\t")[0] in PAIRS]
    (data / "clips" / "clips.tsv").write_text(lines[0] + "".join(rows))
    clips = {name for row in rows for name in row.split("\t")[1:3]}
    for name in clips:
        shutil.copyfile(golden / "clips" / f"{name}.y4m.xz", data / "clips" / f"{name}.y4m.xz")
    sums = (golden / "clips" / "SHA256SUMS.y4m").read_text().splitlines(keepends=True)
    (data / "clips" / "SHA256SUMS.y4m").write_text(
        "".join(s for s in sums if s.split()[1].removesuffix(".y4m") in clips))
    for pair in PAIRS:
        for what in ("features", "vmaf", "vmafb", "vmafv1", "vmaffloat", "options"):
            source = golden / "scores" / f"{pair}.{what}.json"
            if source.exists():
                write_scores(trim(json.loads(source.read_text())), data / "scores" / source.name)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
