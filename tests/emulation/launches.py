# SPDX-License-Identifier: BSD-2-Clause
"""Recorded launches (docs/emulation.md): which to execute, and their buffers."""

import ctypes
import hashlib
import json
import struct
from dataclasses import dataclass

_ALIGNMENT = 4096


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


@dataclass
class Launch:
    path: object
    name: str  # feature/case/number-kernel
    kernel: str
    grid: list
    block: list
    arguments: list
    buffers: list  # of (address, bytes)

    @staticmethod
    def read(path, record):
        data = json.loads((path / "launch.json").read_text())
        buffers = [(b["address"], b["bytes"]) for b in data["buffers"]]
        name = str(path.relative_to(record))
        return Launch(path, name, data["kernel"], data["grid"], data["block"], data["arguments"], buffers)

    @property
    def case(self):
        return self.name.split("/")[1]

    def cost(self):
        threads = self.block[0] * self.block[1] * self.block[2]
        return self.grid[0] * self.grid[1] * self.grid[2] * threads, sum(size for _, size in self.buffers)

    def data(self, index, when):
        return (self.path / f"{index}.{when}").read_bytes()

    def packed(self, memories):
        """The arguments, with pointers that lead into the memories in place of the recorded buffers."""
        words = []
        for word in self.arguments:
            for memory, (address, size) in zip(memories, self.buffers):
                if 0 <= word - address < size:
                    word = word - address + memory.address
                    break
            words.append(word)
        return struct.pack(f"<{len(words)}Q", *words)

    def digest(self):
        """The same for a launch like it in another recording, which has other addresses and marks."""
        words = []
        for word in self.arguments[:-1]:
            is_pointer = any(0 <= word - address < size for address, size in self.buffers)
            words.append("pointer" if is_pointer else word)
        session = self.name.rsplit("/", 1)[0]
        return hashlib.sha256(repr((session, self.kernel, self.grid, self.block, words)).encode()).hexdigest()[:16]


def choose(record, count):
    """For each kernel the smallest launch of the square pictures and the smallest of the odd ones, then
    others from small to large, up to `count` of different grids or cases; 0 takes all. Small ones first."""
    of_kernel = {}
    for path in sorted(record.glob("*/*/*/launch.json")):
        launch = Launch.read(path.parent, record)
        of_kernel.setdefault(launch.kernel, []).append(launch)
    chosen = []
    for launches in of_kernel.values():
        launches.sort(key=Launch.cost)
        if count == 0:
            chosen += launches
            continue
        square = [launch for launch in launches if _is_square(launch.case)]
        odd = [launch for launch in launches if not _is_square(launch.case)]
        ordered, seen = square[:1] + odd[:1] + launches, set()
        for launch in ordered:
            key = (launch.case, *launch.grid)
            if key not in seen and len(seen) < count:
                seen.add(key)
                chosen.append(launch)
    return sorted(chosen, key=Launch.cost)


def _is_square(case):
    width, height = case.split("-")[0].split("x")
    return width == height
