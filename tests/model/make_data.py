#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Cuts golden score files down to what the model tests read: make_data.py SCORES OUT CLIP..."""
import json
import os
import sys

FEATURES = ("integer_adm2", "integer_motion2") + tuple(f"integer_vif_scale{i}" for i in range(4))


def main():
    scores, out, clips = sys.argv[1], sys.argv[2], sys.argv[3:]
    for clip in clips:
        for what in ("features", "vmaf", "vmafb", "vmafv1"):
            with open(os.path.join(scores, f"{clip}.{what}.json"), encoding="utf-8") as file:
                data = json.load(file)
            metrics = {k: v for k, v in data["metrics"].items()
                       if what != "features" or k in FEATURES}
            kept = {"clip": clip, "frames": data["frames"], "metrics": metrics}
            if "pooled" in data:
                kept["pooled"] = data["pooled"]
            with open(os.path.join(out, f"{clip}.{what}.json"), "w", encoding="utf-8") as file:
                json.dump(kept, file, separators=(",", ":"))
                file.write("\n")


if __name__ == "__main__":
    main()
