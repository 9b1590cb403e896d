# SPDX-License-Identifier: BSD-2-Clause
"""usage: emulate.py RECORD KERNELS STEP-LOOP TARGET... [options]

Executes recorded launches (docs/emulation.md) with the code object kernels-TARGET.co of each target and
compares every buffer with what the CPU left in it.

Results are kept in a file beside the record, by the contents of the kernel, the launch and the emulator:
what was executed once is not executed again. --report prints the table of the kernels, and executes nothing.
"""

import argparse
import multiprocessing
import os
import pathlib
import queue
import re
import struct
import sys
import time

from code_object import CodeObject
import instructions
from launches import Launch, Memory, choose
from results import Results, report


def _is_nan(word):
    return word & 0x7FFFFFFF > 0x7F800000


def differs(expected, actual):
    """Where the first word differs, and how many do; empty if none does. x86 makes NaN of the other sign
    than AMD GPUs, and no kernel looks at it."""
    count = len(expected) // 4
    pairs = zip(*(struct.unpack_from(f"<{count}I", data) for data in (expected, actual)))
    wrong = [(i, a, b) for i, (a, b) in enumerate(pairs) if a != b and not (_is_nan(a) and _is_nan(b))]
    if not wrong:
        return "" if expected[4 * count :] == actual[4 * count :] else "the last bytes differ"
    i, a, b = wrong[0]
    return f"word {i} is {b:#x}, not {a:#x}; {len(wrong)} of {count} differ"


def execute(launch, emulator, seconds):
    """What is wrong; an empty list when every buffer is right."""
    memories = [Memory(address, launch.data(i, "before")) for i, (address, _) in enumerate(launch.buffers)]
    emulator.launch(launch.kernel, launch.grid, launch.block, launch.packed(memories), seconds)
    wrong = []
    for i, memory in enumerate(memories):
        if difference := differs(launch.data(i, "after"), memory.read()):
            wrong.append(f"buffer {i}: {difference}")
    return wrong


class Worker:
    """Executes launches in a process of its own."""

    def __init__(self, options):
        self._options, self._emulators = options, {}

    def _emulator(self, target):
        if target not in self._emulators:
            from tinygrad_emulator import Emulator

            code_object = CodeObject(self._options.kernels / f"kernels-{target}.co")
            folder = self._options.record.parent
            self._emulators[target] = Emulator(code_object, target, self._options.step_loop, folder)
        return self._emulators[target]

    def run(self, key, name):
        launch = Launch.read(self._options.record / name, self._options.record)
        started = time.monotonic()
        result = {**key, "kernel": launch.kernel, "name": name, "result": "failed", "executed": []}
        try:
            emulator = self._emulator(key["target"])
            wrong = execute(launch, emulator, self._options.seconds)
            result["executed"] = emulator.executed(launch.kernel)
            result["result"] = "differs" if wrong else "equal"
            result["detail"] = "; ".join(wrong)
        except Exception as error:  # what the emulator cannot do is a result too
            result["detail"] = f"{type(error).__name__}: {error}"
        result["seconds"] = round(time.monotonic() - started, 1)
        return result


def work(options, tasks, answers):
    worker, parent = Worker(options), os.getppid()
    while os.getppid() == parent:
        try:
            task = tasks.get(timeout=5)
        except queue.Empty:
            continue
        if task is None:
            return
        answers.put(worker.run(*task))


def run(options, wanted, results):
    """How many launches differ or fail."""
    context = multiprocessing.get_context("spawn")
    tasks, answers = context.Queue(), context.Queue()
    for task in wanted:
        tasks.put(task)
    processes = []
    for _ in range(min(options.jobs, len(wanted))):
        tasks.put(None)
        processes.append(context.Process(target=work, args=(options, tasks, answers), daemon=True))
        processes[-1].start()
    open_tasks, failed = len(wanted), 0
    while open_tasks > 0:
        try:
            what = answers.get(timeout=5)
        except queue.Empty:
            if any(p.is_alive() for p in processes):
                continue
            print(f"the processes ended with {open_tasks} launches left")
            return failed + open_tasks
        open_tasks -= 1
        results.add(what)
        failed += what["result"] != "equal"
        word = "ok" if what["result"] == "equal" else "FAIL"
        print(f"{word} {what['target']} {what['name']} {what['seconds']} s", what["detail"], flush=True)
    for process in processes:
        process.join()
    return failed


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("record", type=pathlib.Path)
    parser.add_argument("kernels", type=pathlib.Path)
    parser.add_argument("step_loop")
    parser.add_argument("targets", nargs="+")
    parser.add_argument("--launches", type=int, default=2, help="of each kernel; 0 is all")
    parser.add_argument("--only", default="", help="regular expression of kernels")
    parser.add_argument("--skip", help="regular expression of kernels")
    parser.add_argument("--seconds", type=int, default=1200, help="longest time of a launch")
    parser.add_argument("--jobs", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--again", action="store_true", help="execute what failed or differed before")
    parser.add_argument("--report", action="store_true")
    return parser.parse_args()


def main():
    options = parse_options()
    launches = choose(options.record, options.launches)
    if not launches:
        sys.exit(f"no launches in {options.record}")
    objects = {target: CodeObject(options.kernels / f"kernels-{target}.co") for target in options.targets}
    results = Results(options.record.parent / f"results-{instructions.VERSION}.jsonl")
    wanted, digests, old = [], {launch.name: launch.digest() for launch in launches}, 0
    for target, code_object in objects.items():
        for launch in launches:
            if not re.search(options.only, launch.kernel):
                continue
            if options.skip and re.search(options.skip, launch.kernel):
                continue
            code = code_object.digest(launch.kernel, target)
            key = {"target": target, "code": code, "launch": digests[launch.name]}
            before = results.find(key)
            if before and not (options.again and before["result"] != "equal"):
                old += 1
                continue
            wanted.append((key, launch.name))
    if options.report:
        print("\n".join(report(objects, results)))
        return 0
    print(f"{len(wanted)} launches to execute, {old} done before", flush=True)
    failed = run(options, wanted, results) if wanted else 0
    print(f"{len(wanted) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
