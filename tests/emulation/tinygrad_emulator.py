# SPDX-License-Identifier: BSD-2-Clause
"""Executes kernels of an AMD code object by the instructions of tinygrad's emulator
(test/mockgpu/amd/emu.py of a checkout that TINYGRAD names). Addresses are the host's.
"""

import ctypes
import itertools
import mmap
import struct
import time

from instructions import Instructions, emu

_S_NOP = 0xBF800000
_LDS_MAP_BYTES = (4 << 30) + 65536
_MAP_NORESERVE = 0x4000
_LDS_FILL = 0xA5
_WORD = 0xFFFFFFFF
_BUFFERS = 6
_SLICE = 20_000_000  # instructions between looks at the clock

# Invalidations of caches, which mean nothing here and which the emulator does not decode.
_CACHE_PATTERNS = {
    "rdna3": [struct.pack("<II", op, 0) for op in (0xE0AC0000, 0xE0B00000)],
    "rdna4": [
        struct.pack("<III", op, scope << 18, 0)
        for op in (0xEE0AC07C, 0xEE0B007C, 0xEE0B407C)
        for scope in range(4)
    ],
    "cdna": [],
}


def architecture_of(target):
    if target.startswith("gfx12"):
        return "rdna4"
    if target.startswith("gfx11"):
        return "rdna3"
    if target.startswith("gfx9"):
        return "cdna"
    raise ValueError(f"the emulator does not know {target}")


class _Slot(ctypes.Structure):
    _fields_ = [
        ("call", ctypes.c_void_p),
        ("buffer", ctypes.c_uint8 * _BUFFERS),
        ("barrier", ctypes.c_uint8),
        ("executed", ctypes.c_uint8),
    ]


_ENDED, _AT_BARRIER, _UNKNOWN, _TIRED = range(4)


class TooSlow(Exception):
    pass


def _halves(value):
    return [value & _WORD, value >> 32]


class Emulator:
    """One code object. step_loop: file of the shared object; folder: for compiled instructions."""

    def __init__(self, code_object, target, step_loop, folder):
        self._object, self._architecture = code_object, architecture_of(target)
        for pattern in _CACHE_PATTERNS[self._architecture]:
            code_object.overwrite(pattern, _S_NOP)
        self._instructions = Instructions(self._architecture, folder)
        self._words = code_object.bytes // 4
        self._slots = (_Slot * self._words)()
        self._run_wave = ctypes.CDLL(step_loop).run_wave
        self._run_wave.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64] + [ctypes.c_void_p] * 2
        self._run_wave.argtypes += [ctypes.c_uint64]
        # It computes addresses of inactive lanes too, and reads there.
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _MAP_NORESERVE
        self._lds = mmap.mmap(-1, _LDS_MAP_BYTES, flags=flags)
        self._lds_address = ctypes.addressof(ctypes.c_char.from_buffer(self._lds))

    def executed(self, kernel):
        """For each instruction of the kernel whether a launch executed it since the last call."""
        start, end = self._object.code(kernel)
        flags = []
        for address in self._instructions.count(start, end):
            slot = self._slots[(address - self._object.base) // 4]
            flags.append(bool(slot.executed))
            slot.executed = 0
        return flags

    def launch(self, kernel, grid, block, arguments, seconds):
        """arguments: bytes of the argument struct. grid: work-groups."""
        descriptor = self._object.kernel(kernel)
        if descriptor.private_bytes:
            raise ValueError(f"{kernel} uses scratch memory")
        until = time.monotonic() + seconds
        hidden = (len(arguments) + 7) & ~7
        memory = ctypes.create_string_buffer(max(descriptor.argument_bytes, hidden + 256) + 64)
        at = (ctypes.addressof(memory) + 63) & ~63
        ctypes.memmove(at, arguments, len(arguments))
        # The implicit arguments begin with counts of groups and their sizes.
        ctypes.memmove(at + hidden, struct.pack("<IIIHHH", *grid, *block), 18)
        packet = ctypes.create_string_buffer(64)
        threads = [g * b for g, b in zip(grid, block)]
        struct.pack_into("<HHHHHHIII", packet, 0, 0, 3, *block, 0, *threads)
        registers = _user_registers(descriptor, at, ctypes.addressof(packet))
        for z, y, x in itertools.product(*(range(n) for n in reversed(grid))):
            ctypes.memset(self._lds_address, _LDS_FILL, max(descriptor.group_bytes, 4))
            self._run_group(descriptor, (x, y, z), block, at, registers, until)

    def _run_group(self, descriptor, group, block, arguments, registers, until):
        count = block[0] * block[1] * block[2]
        lanes = emu._wave_size(self._architecture)
        waves = []
        for first in range(0, count, lanes):
            state = emu._init_wave(
                descriptor.entry, first, count, *block, arguments, descriptor.rsrc2, 0,
                self._architecture, *group, registers, lanes,
            )  # fmt: skip
            # In the order of tinygrad's numbers: registers, memory, LDS, scratch, accumulators.
            buffers = (ctypes.c_void_p * _BUFFERS)(
                state.sgpr_buf._buf.va_addr, state.vgpr_buf._buf.va_addr, 0,
                self._lds_address, 0, state.accvgpr_buf._buf.va_addr,
            )  # fmt: skip
            waves.append((state, buffers, state.sgpr_buf._buf.va_addr + 4 * emu.PC_LO_IDX))
        while waves:
            waves = [wave for wave in waves if self._run_to_barrier(*wave, until)]

    def _run_to_barrier(self, state, buffers, counter, until):
        """Whether the wave goes on behind a barrier."""
        base = self._object.base
        while True:
            why = self._run_wave(self._slots, base, self._words, buffers, counter, _SLICE)
            if why == _UNKNOWN:
                self._learn(state.pc)
            if why in (_ENDED, _AT_BARRIER):
                return why == _AT_BARRIER
            if time.monotonic() > until:
                raise TooSlow

    def _learn(self, address):
        base = self._object.base
        if not base <= address < base + 4 * self._words:
            raise RuntimeError(f"jumped to {address - base:#x}, out of the code object")
        try:
            call, buffers, barrier = self._instructions.at(address)
        except Exception as error:
            inst = emu.decode_inst(ctypes.string_at(address, 16), self._architecture)
            raise RuntimeError(f"{inst!r}: {error}") from error
        slot = self._slots[(address - base) // 4]
        slot.call, slot.barrier = call, barrier
        slot.buffer[: len(buffers)] = buffers


def _user_registers(descriptor, arguments, packet):
    enabled = descriptor.properties
    registers = []
    if enabled & 1:  # private segment buffer
        registers += [0] * 4
    if enabled & 2:  # dispatch packet
        registers += _halves(packet)
    if enabled & 4:  # queue
        registers += [0] * 2
    if enabled & 8:  # arguments
        registers += _halves(arguments)
    for bit, words in ((16, 2), (32, 2), (64, 1)):  # dispatch id, flat scratch, private size
        if enabled & bit:
            registers += [0] * words
    count, offset = descriptor.preload & 0x7F, descriptor.preload >> 7
    preloaded = ctypes.string_at(arguments, 4 * (offset + count))
    registers += struct.unpack_from(f"<{count}I", preloaded, 4 * offset)
    return registers + [0] * (((descriptor.rsrc2 >> 1) & 31) - len(registers))
