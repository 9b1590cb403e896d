# SPDX-License-Identifier: BSD-2-Clause
"""usage: emulate.py RECORD-FOLDER KERNELS-FOLDER TARGET...

Executes recorded launches (docs/emulation.md) with the code object kernels-TARGET.co of each target and
compares every buffer with what the CPU left in it. One process per target, side by side.

Of the launches of one folder those that differ in kernel, grid or arguments are kept by the recording;
here a case takes each kernel with each grid once, and a large picture only the kernels that no small
one has. --all takes everything, --only NAME the kernels that contain NAME.
"""

import argparse
import ctypes
import json
import multiprocessing
import pathlib
import struct
import sys
import time

_ALIGNMENT = 4096
_LARGE = 100  # width of a picture


class Memory:
    """A buffer of a launch, as far into a page as the recorded one."""

    def __init__(self, address, data):
        self.recorded, self.bytes = address, len(data)
        self._memory = ctypes.create_string_buffer(len(data) + 2 * _ALIGNMENT)
        start = (ctypes.addressof(self._memory) + _ALIGNMENT - 1) & ~(_ALIGNMENT - 1)
        self.address = start + address % _ALIGNMENT
        ctypes.memmove(self.address, data, len(data))

    def read(self):
        return ctypes.string_at(self.address, self.bytes)

    def moved(self, word):
        return word - self.recorded + self.address if 0 <= word - self.recorded < self.bytes else None


def choose(folder, everything, only):
    """Folders of the launches to execute, in a fixed order."""
    chosen, seen_small, large = [], set(), []
    for path in sorted(folder.glob("*/*/*/launch.json")):
        launch = json.loads(path.read_text())
        if only not in launch["kernel"]:
            continue
        if everything:
            chosen.append(path.parent)
            continue
        case = path.parent.parent.name
        if int(case.split("x")[0]) > _LARGE:
            large.append((path.parent, launch))
            continue
        key = (case, launch["kernel"], tuple(launch["grid"]))
        if key not in seen_small:
            seen_small.add(key)
            chosen.append(path.parent)
    small_kernels = {kernel for _, kernel, _ in seen_small}
    seen_large = set()
    for path, launch in large:
        key = (launch["kernel"], tuple(launch["grid"]))
        if launch["kernel"] not in small_kernels and key not in seen_large:
            seen_large.add(key)
            chosen.append(path)
    return chosen


def differs(expected, actual):
    """Where the first byte differs, and how many 8-byte words do."""
    first = next(i for i, (a, b) in enumerate(zip(expected, actual)) if a != b)
    words = sum(expected[i : i + 8] != actual[i : i + 8] for i in range(0, len(expected), 8))
    return f"byte {first} is {actual[first]:#x}, not {expected[first]:#x}; {words} words differ"


def execute(path, code_object, target, emulator):
    """What is wrong; an empty list when every buffer is right."""
    launch = json.loads((path / "launch.json").read_text())
    buffers = [
        Memory(b["address"], (path / f"{i}.before").read_bytes()) for i, b in enumerate(launch["buffers"])
    ]
    words = []
    for word in launch["arguments"]:
        moved = (b.moved(word) for b in buffers)
        words.append(next((m for m in moved if m is not None), word))
    emulator.launch(
        code_object, target, launch["kernel"], launch["grid"], launch["block"],
        struct.pack(f"<{len(words)}Q", *words),
    )  # fmt: skip
    wrong = []
    for i, buffer in enumerate(buffers):
        expected = (path / f"{i}.after").read_bytes()
        if buffer.read() != expected:
            wrong.append(f"buffer {i}: " + differs(expected, buffer.read()))
    return wrong


def run_target(target, kernels, launches, results):
    import tinygrad_emulator as emulator
    from code_object import CodeObject

    code_object = CodeObject(kernels / f"kernels-{target}.co")
    emulator.prepare(code_object, target)
    for path in launches:
        started = time.monotonic()
        try:
            wrong = execute(path, code_object, target, emulator)
        except Exception as error:  # what the emulator cannot do is a result too
            wrong = [f"{type(error).__name__}: {error}"]
        results.put((target, path, wrong, time.monotonic() - started))
    results.put((target, None, [], 0))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("record", type=pathlib.Path)
    parser.add_argument("kernels", type=pathlib.Path)
    parser.add_argument("targets", nargs="+")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    launches = choose(options.record, options.all, options.only)
    if not launches:
        sys.exit(f"no launches in {options.record}")

    results = multiprocessing.get_context("spawn").Queue()
    processes = {}
    for target in options.targets:
        arguments = (target, options.kernels, launches, results)
        processes[target] = multiprocessing.get_context("spawn").Process(target=run_target, args=arguments)
        processes[target].start()
    passed, failed, running, kernels = 0, 0, set(options.targets), {}
    while running:
        try:
            target, path, wrong, seconds = results.get(timeout=5)
        except Exception:
            for target in [t for t in running if not processes[t].is_alive() and results.empty()]:
                print(f"{target}: the emulator ended with status {processes[target].exitcode}", flush=True)
                running.discard(target)
                failed += 1
            continue
        if path is None:
            running.discard(target)
            continue
        kernels.setdefault(target, set()).add(path.name[6:])
        passed += not wrong
        failed += bool(wrong)
        name = path.relative_to(options.record)
        print(f"{'FAIL' if wrong else 'ok'} {target} {name} {seconds:.1f} s", *wrong, sep="\n     ", flush=True)
    for target in options.targets:
        print(f"{target}: {len(kernels.get(target, ()))} kernels")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
