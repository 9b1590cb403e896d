# SPDX-License-Identifier: BSD-2-Clause
"""Executes a kernel of an AMD code object in tinygrad's instruction emulator (test/mockgpu/amd/emu.py of
a checkout that TINYGRAD names). Addresses are the host's.
"""

import ctypes
import mmap
import os
import struct
import sys

sys.path.insert(0, os.environ["TINYGRAD"])

from test.mockgpu.amd import emu  # noqa: E402

_S_NOP = 0xBF800000
_LDS_MAP_BYTES = (4 << 30) + 65536
_MAP_NORESERVE = 0x4000
_LDS_GRANULE = 512
_WORD = 0xFFFFFFFF

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


def prepare(code_object, target):
    """Once per code object."""
    for pattern in _CACHE_PATTERNS[architecture_of(target)]:
        code_object.overwrite(pattern, _S_NOP)


def _back_lds_by_a_large_mapping():
    """It computes addresses of inactive lanes too, and reads there."""
    lds = mmap.mmap(-1, _LDS_MAP_BYTES, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _MAP_NORESERVE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(lds))
    buffer = emu.Buffer

    def make(device, size, dtype, *args, **kwargs):
        caller = sys._getframe(1).f_code.co_name
        if caller == "run_asm" and dtype == emu.dtypes.uint32 and not args and not kwargs:
            kwargs["options"] = emu.BufferSpec(external_ptr=address)
        return buffer(device, size, dtype, *args, **kwargs)

    emu.Buffer = make
    return lds


_lds = _back_lds_by_a_large_mapping()
# Code objects of HIP run with denormal floats on; the emulator would flush them.
emu._get_ftz_lib = lambda: (None, 0)


def _halves(value):
    return [value & _WORD, value >> 32]


def launch(code_object, target, kernel, grid, block, arguments):
    """arguments: bytes of the argument struct. grid: work-groups."""
    descriptor = code_object.kernel(kernel)
    if descriptor.private_bytes:
        raise ValueError(f"{kernel} uses scratch memory")
    hidden = (len(arguments) + 7) & ~7
    memory = ctypes.create_string_buffer(max(descriptor.argument_bytes, hidden + 256) + 64)
    at = (ctypes.addressof(memory) + 63) & ~63
    ctypes.memmove(at, arguments, len(arguments))
    # The implicit arguments begin with counts of groups and their sizes.
    ctypes.memmove(at + hidden, struct.pack("<IIIHHH", *grid, *block), 18)
    packet = ctypes.create_string_buffer(64)
    threads = [g * b for g, b in zip(grid, block)]
    struct.pack_into("<HHHHHHIII", packet, 0, 0, 3, *block, 0, *threads)

    enabled = descriptor.properties
    registers = []
    if enabled & 1:  # private segment buffer
        registers += [0] * 4
    if enabled & 2:  # dispatch packet
        registers += _halves(ctypes.addressof(packet))
    if enabled & 4:  # queue
        registers += [0] * 2
    if enabled & 8:  # arguments
        registers += _halves(at)
    for bit, words in ((16, 2), (32, 2), (64, 1)):  # dispatch id, flat scratch, private size
        if enabled & bit:
            registers += [0] * words
    count, offset = descriptor.preload & 0x7F, descriptor.preload >> 7
    registers += struct.unpack_from(f"<{count}I", ctypes.string_at(at, 4 * (offset + count)), 4 * offset)
    registers += [0] * (((descriptor.rsrc2 >> 1) & 31) - len(registers))

    granules = (descriptor.group_bytes + _LDS_GRANULE - 1) // _LDS_GRANULE
    rsrc2 = (descriptor.rsrc2 & ~(0x1FF << 15)) | granules << 15
    emu.run_asm(
        descriptor.entry,
        code_object.base + code_object.bytes - descriptor.entry,
        *grid,
        *block,
        at,
        rsrc2,
        0,
        architecture_of(target),
        registers,
    )
