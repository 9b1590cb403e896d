#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Measures libvmafx next to libvmaf and writes a table.

Every measurement is a process of its own. The two libraries take turns, the first one changing from
round to round, so that both see the same machine; ratios are formed within a round, and the table
gives their median. With n workers a process may use n CPUs and no more; other rounds take other CPUs.
"""
import argparse
import collections
import json
import os
import statistics
import subprocess
import sys

FAMILY = "vmaf_v0.6.1,vmaf_v0.6.1neg"
MODELS = ["vmaf_v0.6.1", FAMILY, FAMILY + ",psnr"]
CORE = ["vif", "adm", "motion", "psnr"]
# Every feature at the first shapes, the core ones at the others.
SHAPES = ["1920x1080", "3840x2160"]
CORE_SHAPES = ["576x324", "1920x1080p10"]
OURS, THEIRS = "libvmafx", "libvmaf"

# libvmaf's fast paths do not give its own plain C path's bits everywhere; a wrong fast path of
# either library is much further off. Scores of models have the range 0 to 100, psnr up to 60.
TOLERANCE = 1e-4
# libvmafx against the golden scores: no difference at all.
GOLDEN_TOLERANCE = 0.0

Result = collections.namedtuple("Result", "wall cpu memory library scores")
Pictures = collections.namedtuple("Pictures", "reference distorted clip shape")


def label(task):
    names = task.split(",")
    if len(names) > 4:
        return f"{len(names)} features"
    short = {"vmaf_v0.6.1neg": "neg"}
    return " + ".join(short.get(name, name) for name in names)


def parse_shape(text):
    size, _, bits = text.partition("p")
    width, height = size.split("x")
    return int(width), int(height), int(bits or 8)


class Bench:
    def __init__(self, options):
        self.options = options
        self.environment = dict(os.environ, VMAFX_HIP_LIBRARY=options.runtime)
        self.cpus = sorted(os.sched_getaffinity(0))
        self.work = os.path.join(options.build, "bench")
        os.makedirs(self.work, exist_ok=True)
        found = self.program(["features", options.libvmaf], self.cpus)
        self.features, self.shared = found["libvmafx"], set(found["libvmaf"])

    def both(self, task):
        """Whether libvmaf has all of it, too."""
        return all(name.startswith("vmaf_") or name in self.shared for name in task.split(","))

    def tasks(self, shape):
        if self.options.tasks:
            return self.options.tasks
        if shape not in SHAPES:
            return MODELS[:1] + CORE + MODELS[1:]
        # The features that both have stand first, so that thirteen of them can be compared.
        features = sorted(self.features, key=lambda name: name not in self.shared)
        several = [",".join(features[:count]) for count in sorted({13, len(features)})]
        return MODELS + self.features + several

    def program(self, arguments, cpus):
        done = subprocess.run([self.options.program, *map(str, arguments)], env=self.environment,
                              stdout=subprocess.PIPE, text=True, check=False, timeout=1800,
                              preexec_fn=lambda: os.sched_setaffinity(0, cpus))
        if done.returncode:
            sys.exit(f"compare.py: {self.options.program} {' '.join(map(str, arguments))} failed")
        return json.loads(done.stdout)

    def prepare(self, shape):
        names = [os.path.join(self.work, f"{shape}_{side}.yuv") for side in ("ref", "dis")]
        clip = self.program(["prepare", *parse_shape(shape), self.options.golden, *names],
                            self.cpus)["clip"]
        return Pictures(*names, clip, shape)

    def measure(self, library, task, pictures, workers, frames, turn=0):
        start = turn * workers % len(self.cpus)
        cpus = {self.cpus[(start + i) % len(self.cpus)] for i in range(workers)}
        name = "vmafx" if library == OURS else self.options.libvmaf
        result = self.program(["run", name, task, *parse_shape(pictures.shape),
                               pictures.reference, pictures.distorted, workers, frames], cpus)
        return Result(**result)

    def frames_for(self, task, pictures, workers):
        """As many frames as libvmaf needs the wanted time for."""
        width, height, _ = parse_shape(pictures.shape)
        few = 4 if width * height < 4_000_000 else 2
        trial = self.measure(THEIRS if self.both(task) else OURS, task, pictures, workers, few)
        # Not by wall time, which other work on the machine lengthens.
        seconds = max(trial.cpu, 1e-4) / workers
        return max(few, min(5000, round(few * self.options.seconds / seconds)))


def largest_difference(ours, theirs):
    if not ours or ours.keys() != theirs.keys():
        names = ", ".join(sorted(ours.keys() ^ theirs.keys()))
        sys.exit(f"compare.py: there are no scores of both libraries, or others ({names})")
    return max(abs(a - b) for name in ours for a, b in zip(ours[name], theirs[name]))


def close(ours, theirs):
    """Within TOLERANCE, absolute or relative: some scores are means of squared samples."""
    largest_difference(ours, theirs)
    return all(abs(a - b) <= TOLERANCE * max(1, abs(b))
               for name in ours for a, b in zip(ours[name], theirs[name]))


def golden_difference(scores, pictures, golden):
    """libvmafx's model scores against the golden ones, where the pictures are a golden clip."""
    width, height, bits = parse_shape(pictures.shape)
    path = os.path.join(golden, "scores", pictures.clip + ".vmaf.json")
    with open(os.path.join(golden, "clips", "clips.tsv"), encoding="utf-8") as table:
        rows = (line.split("\t") for line in table)
        same = any(row[0] == pictures.clip and row[3:5] == [str(width), str(height)]
                   for row in rows)
    if not same or bits != 8 or not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        metrics = json.load(file)["metrics"]
    # The last frame of a run has no successor, which its motion would depend on.
    differences = [abs(a - b) for name, values in scores.items() if name in metrics
                   for a, b in zip(values[:-1], metrics[name][:-1])]
    return max(differences, default=None)


class Row:
    """All rounds of one task, picture shape and number of workers."""

    def __init__(self, task, pictures, workers, frames):
        self.task, self.pictures, self.workers, self.frames = task, pictures, workers, frames
        self.rounds = []

    def add(self, ours, theirs):
        self.rounds.append((ours, theirs))

    def median(self, side, field):
        """None of libvmaf where it lacks the feature."""
        if self.rounds[0][side] is None:
            return None
        return statistics.median(getattr(pair[side], field) for pair in self.rounds)

    def ratios(self, field):
        """How many times as fast libvmafx is, round by round."""
        return [getattr(theirs, field) / getattr(ours, field)
                for ours, theirs in self.rounds if theirs]

    def difference(self):
        """Where libvmaf has the feature."""
        ours, theirs = self.rounds[0]
        return largest_difference(ours.scores, theirs.scores) if theirs else None

    def cells(self):
        def ratio(field):
            ratios = self.ratios(field)
            if not ratios:
                return [NONE, NONE]
            return [f"{statistics.median(ratios):.2f}", f"{min(ratios):.2f}-{max(ratios):.2f}"]

        def of_both(field, form):
            values = [self.median(side, field) for side in (0, 1)]
            return [NONE if value is None else form(value) for value in values]

        return [
            self.pictures.shape, label(self.task), str(self.workers), str(self.frames),
            *of_both("wall", lambda seconds: f"{self.frames / seconds:.1f}"), *ratio("wall"),
            *of_both("cpu", lambda seconds: f"{seconds * 1000 / self.frames:.2f}"), *ratio("cpu"),
            *of_both("memory", lambda size: f"{size / 2**20:.0f}"),
            NONE if self.difference() is None else f"{self.difference():.1g}",
        ]


NONE = "-"
HEADINGS = ["pictures", "task", "workers", "frames", "fps", "fps libvmaf", "**ratio by time**",
            "range", "CPU ms/frame", "CPU ms/frame libvmaf", "**ratio by CPU**", "range",
            "MiB", "MiB libvmaf", "difference"]
NOTES = """\
Ratios above 1: libvmafx is faster. Each is the median of the rounds' own ratios, with the lowest and
the highest beside it; fps and CPU time are medians. Times go from the making of the context to the
last pooled score; both libraries get pictures in host memory and copy them (libvmaf into pictures of
its pool). libvmaf with one worker does all in the caller's thread (n_threads 0), else n_threads is
the number of workers and the pool is large enough that no thread waits for pictures; a process has as
many CPUs as workers. "MiB" is the peak of resident memory over what the process had with its input
pictures alone. "difference" is the largest one between the two libraries' scores of a frame. Where
there is "-", this libvmaf lacks a feature of the task.
"""


def line(cells):
    return "| " + " | ".join(cells) + " |"


def together(rows):
    """What more models and metrics cost, as a multiple of the time of the first model alone."""
    alone = {(row.pictures.shape, row.workers): row for row in rows if row.task == MODELS[0]}
    table = [line(["pictures", "workers", "task", "libvmafx", "libvmaf", "libvmafx by CPU",
                   "libvmaf by CPU"]), line(["---"] * 7)]
    for row in rows:
        base = alone.get((row.pictures.shape, row.workers))
        if base is None or not row.task.startswith(FAMILY):
            continue
        cost = [row.median(side, field) / row.frames / (base.median(side, field) / base.frames)
                for field in ("wall", "cpu") for side in (0, 1)]
        table.append(line([row.pictures.shape, str(row.workers), label(row.task),
                           *(f"{value:.2f}" for value in cost)]))
    return table


def sums(rows):
    """The time of many features in one context, as a part of the sum of runs with one each."""
    single = {(row.pictures.shape, row.workers, row.task): row for row in rows}
    table = [line(["pictures", "workers", "task", "libvmafx", "libvmaf", "libvmafx by CPU",
                   "libvmaf by CPU", "MiB", "MiB of the single runs"]), line(["---"] * 9)]
    for row in rows:
        features = row.task.split(",")
        parts = [single.get((row.pictures.shape, row.workers, name)) for name in features]
        if len(features) < 2 or row.task.startswith("vmaf_") or None in parts:
            continue

        def part_of_sum(field, side):
            if row.median(side, field) is None:
                return NONE
            total = sum(part.median(side, field) / part.frames for part in parts)
            return f"{row.median(side, field) / row.frames / total:.2f}"

        sizes = [row.median(0, "memory"), sum(part.median(0, "memory") for part in parts)]
        table.append(line([row.pictures.shape, str(row.workers), label(row.task),
                           *(part_of_sum(field, side) for field in ("wall", "cpu")
                             for side in (0, 1)), *(f"{size / 2**20:.0f}" for size in sizes)]))
    return table


def machine():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        models = [text.split(":", 1)[1].strip() for text in file if text.startswith("model name")]
    load = " ".join(f"{value:.1f}" for value in os.getloadavg())
    return f"{len(os.sched_getaffinity(0))} CPUs ({models[0] if models else 'unknown'}), load {load}"


def report(rows, options):
    ours, theirs = next((row.rounds[0] for row in rows if row.rounds[0][1]), rows[0].rounds[0])
    other = theirs.library if theirs else "no libvmaf"
    text = ["# Speed and memory next to libvmaf", "",
            f"{ours.library} and {other}; {machine()} at the end; {options.rounds} rounds.",
            "", NOTES, line(HEADINGS), line(["---"] * len(HEADINGS))]
    text += [line(row.cells()) for row in rows]
    several = together(rows)
    if len(several) > 2:
        text += ["", f"Time of several together, as a multiple of {MODELS[0]} alone:", "", *several]
    several = sums(rows)
    if len(several) > 2:
        text += ["", "Time of many features in one context, as a part of the sum of the times of each"
                 " alone,", "and memory next to that of the single runs:", "", *several]
    clips = {row.pictures.shape: row.pictures.clip for row in rows}
    text += ["", "Pictures: " + ", ".join(f"{shape} from {clip}" for shape, clip in clips.items())]
    return "\n".join(text) + "\n"


def check(rows, golden):
    """Messages about scores that cannot be right."""
    wrong = []
    for row in rows:
        where = f"{row.pictures.shape}, {label(row.task)}, {row.workers} workers"
        for ours, theirs in row.rounds:
            if theirs and not close(ours.scores, theirs.scores):
                wrong.append(f"{where}: scores of the two libraries differ")
                break
        if any(ours.scores != row.rounds[0][0].scores for ours, _ in row.rounds):
            wrong.append(f"{where}: libvmafx gave different scores in different rounds")
        difference = golden_difference(row.rounds[0][0].scores, row.pictures, golden)
        if difference is not None and difference > GOLDEN_TOLERANCE:
            wrong.append(f"{where}: libvmafx differs from the golden scores by {difference:.3g}")
    return wrong


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="the built score_bench")
    parser.add_argument("--libvmaf", required=True, help="shared library of libvmaf 3.2")
    parser.add_argument("--runtime", required=True, help="the built libvmafx-hip-cpu.so")
    parser.add_argument("--golden", required=True, help="folder of golden clips")
    parser.add_argument("--build", default="build", help="folder for pictures and the table")
    parser.add_argument("--quick", action="store_true", help="short runs, for trials")
    parser.add_argument("--rounds", type=int, help="measurements of each library; 3, quick: 1")
    parser.add_argument("--seconds", type=float, help="length of one; 0.4, quick: 0.1")
    parser.add_argument("--shapes", nargs="+", default=SHAPES + CORE_SHAPES, metavar="WxH[pBITS]")
    parser.add_argument("--tasks", nargs="+", metavar="MODEL,FEATURE",
                        help="all of libvmafx's features and some models")
    parser.add_argument("--workers", nargs="+", type=int, default=[1, 2], metavar="N")
    options = parser.parse_args()
    options.rounds = options.rounds or (1 if options.quick else 3)
    options.seconds = options.seconds or (0.1 if options.quick else 0.4)
    return options


def main():
    options = parse_arguments()
    bench = Bench(options)
    if max(options.workers) > len(bench.cpus):
        sys.exit(f"compare.py: {max(options.workers)} workers need as many CPUs, "
                 f"there are {len(bench.cpus)}")
    rows = []
    for shape in options.shapes:
        pictures = bench.prepare(shape)
        for workers in options.workers:
            rows += [Row(task, pictures, workers, bench.frames_for(task, pictures, workers))
                     for task in bench.tasks(shape)]
    # All rows once, then all rows again: a busy minute of the machine spoils one round of many rows
    # and not all rounds of one.
    for turn in range(options.rounds):
        for row in rows:
            order = (OURS, THEIRS) if turn % 2 == 0 else (THEIRS, OURS)
            order = order if bench.both(row.task) else (OURS,)
            results = {library: bench.measure(library, row.task, row.pictures, row.workers,
                                              row.frames, turn) for library in order}
            row.add(results[OURS], results.get(THEIRS))
            ratios = "".join(f" {row.ratios(field)[-1]:.2f} by {field}"
                             for field in ("wall", "cpu") if row.ratios(field))
            print(f"round {turn + 1}/{options.rounds}: {row.pictures.shape}, {label(row.task)}, "
                  f"{row.workers} workers:{ratios}", file=sys.stderr)
    text = report(rows, options)
    path = os.path.join(options.build, "bench.md")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    print(text)
    print(f"written to {path}", file=sys.stderr)
    wrong = check(rows, options.golden)
    if wrong:
        sys.exit("compare.py: " + "\ncompare.py: ".join(wrong))


if __name__ == "__main__":
    main()
