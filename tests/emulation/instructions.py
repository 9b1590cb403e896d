# SPDX-License-Identifier: BSD-2-Clause
"""Instructions as functions of the host, made by tinygrad's emulator and kept in a file: making one takes
50 ms, of which a code object needs some thousands.
"""

import ctypes
import hashlib
import os
import pathlib
import pickle
import re
import sqlite3
import sys

_TINYGRAD = pathlib.Path(os.environ["TINYGRAD"])
sys.path.insert(0, str(_TINYGRAD))

from test.mockgpu.amd import emu, pcode  # noqa: E402

_LONGEST = 16  # bytes of an instruction, and of what its decoding looks at


def _with_program_counter(handler):
    """tinygrad does not know the instruction that reads the program counter."""

    def compile_sop(inst, ctx):
        if "GETPC" not in emu._op_name(inst):
            return handler(inst, ctx)
        register = ctx.inst_field(type(inst).sdst)
        low, high = emu._split64((ctx.rpc() + emu.UOp.const(4, emu.dtypes.uint64)).cast(emu.dtypes.uint64))
        writes = [ctx.wsgpr_dyn(register, low), ctx.wsgpr_dyn(register + emu._c(1), high)]
        return emu.UOp.sink(*writes, *ctx.inc_pc())

    return compile_sop


_load_aligned = pcode.Parser._handle_mem_load
_dtypes = emu.dtypes


def _load(parser, address, dtype):
    """tinygrad does 4 bytes at any address, but 2 and 8 only where they are aligned to 2 and 4."""
    if dtype in (_dtypes.uint16, _dtypes.int16):
        word = _load_aligned(parser, address, _dtypes.uint32)
        return pcode._cast_to(word & emu._c(0xFFFF), dtype)
    if dtype in (_dtypes.uint64, _dtypes.int64, _dtypes.float64):
        kind = _dtypes.uint64 if address.dtype == _dtypes.uint64 else _dtypes.uint32
        low = _load_aligned(parser, address, _dtypes.uint32)
        high = _load_aligned(parser, address + emu.UOp.const(4, kind), _dtypes.uint32)
        return pcode._cast_to(emu._u64(low, high), dtype)
    return _load_aligned(parser, address, dtype)


_store_aligned = emu._mem_store


def _store(memory, address, value, active, addr_bits=32, data_bits=32):
    """The same for stores of 4 bytes."""
    if data_bits != 32:
        return _store_aligned(memory, address, value, active, addr_bits, data_bits)
    kind = _dtypes.uint64 if addr_bits == 64 else _dtypes.uint32
    shift = (address.cast(_dtypes.uint32) & emu._c(3)) * emu._c(8)
    crosses = shift.ne(emu._c(0))
    value, mask = emu._to_u32(value), emu._c(0xFFFFFFFF) << shift
    word = address >> emu.UOp.const(2, kind)
    first = memory.index(word.valid(active))
    second = memory.index((word + emu.UOp.const(1, kind)).valid(active & crosses))
    outside = mask ^ emu._c(0xFFFFFFFF)
    above = value >> ((emu._c(32) - shift) & emu._c(31))
    return [
        first.store(active.where((first & outside) | (value << shift), first)),
        second.store((active & crosses).where((second & mask) | (above & outside), second)),
    ]


_get_pcode = emu.get_pcode


def _factors_of_24_bits(op):
    """tinygrad multiplies all 32 bits of them."""
    text = re.sub(r"\b(S[01])\.i24\b", r"(32'I(\1.u32 << 8U) >> 8U)", _get_pcode(op))
    return re.sub(r"\b(S[01])\.u24\b", r"(\1.u32 & 0xffffffU)", text)


emu.get_pcode = _factors_of_24_bits
pcode.Parser._handle_mem_load = _load
emu._mem_store = _store
for _kind in emu._inst_kinds("SOP1"):
    emu._INST_HANDLERS[_kind] = _with_program_counter(emu._INST_HANDLERS[_kind])


def _digest():
    parts = [_TINYGRAD / "test/mockgpu/amd/emu.py", _TINYGRAD / "test/mockgpu/amd/pcode.py", pathlib.Path(__file__)]
    return hashlib.sha256(b"".join(part.read_bytes() for part in parts)).hexdigest()[:16]


VERSION = _digest()  # of what makes the functions, as it was when this process read it


class Instructions:
    """The functions of an architecture. Several processes may share the file."""

    def __init__(self, architecture, folder):
        self._architecture = architecture
        self._known = {}  # (type, bytes) -> mask -> bits that do not vary -> function
        self._last = 0
        self._file = sqlite3.connect(folder / f"instructions-{VERSION}.db", timeout=120, isolation_level=None)
        self._file.execute("pragma journal_mode=wal")
        self._file.execute("pragma synchronous=off")
        self._file.execute(
            "create table if not exists instruction (id integer primary key, architecture, type, size,"
            " mask, base, program, unique (architecture, type, size, mask, base))"
        )

    def at(self, address):
        """(address of the function, numbers of the buffers it takes, whether it is a barrier)"""
        code = ctypes.string_at(address, _LONGEST)
        inst = emu.decode_inst(code, self._architecture)
        size = inst.size()
        entry = self._find(inst, code[:size])
        if not entry:
            self._read_file()
            entry = self._find(inst, code[:size])
        if not entry:
            self._compile(code[: size + 4])
            self._read_file()
            entry = self._find(inst, code[:size])
        if isinstance(entry, bytes):
            entry = self._load(inst, code[:size], entry)
        runtime, buffers = entry
        return runtime.addr, buffers, _is_barrier(inst)

    def count(self, start, end):
        """Addresses of the instructions between two addresses."""
        found = []
        while start < end:
            found.append(start)
            start += emu.decode_inst(ctypes.string_at(start, _LONGEST), self._architecture).size()
        return found

    def _masks(self, inst, code):
        return self._known.get((type(inst).__name__, len(code)), {})

    def _find(self, inst, code):
        value = int.from_bytes(code, "little")
        for mask, entries in self._masks(inst, code).items():
            if entry := entries.get(value & mask):
                return entry
        return None

    def _load(self, inst, code, stored):
        elf, buffers = pickle.loads(stored)
        entry = (emu.Device["CPU"].runtime(elf), buffers)
        value = int.from_bytes(code, "little")
        for mask, entries in self._masks(inst, code).items():
            if value & mask in entries:
                entries[value & mask] = entry
                return entry
        raise AssertionError

    def _read_file(self):
        rows = self._file.execute(
            "select id, type, size, mask, base, program from instruction where architecture = ? and id > ?"
            " order by id",
            (self._architecture, self._last),
        )
        for number, kind, size, mask, base, program in rows:
            self._last = number
            masks = self._known.setdefault((kind, size), {})
            masks.setdefault(int(mask, 16), {})[int(base, 16)] = program

    def _compile(self, code):
        inst = emu.decode_inst(code, self._architecture)
        emu._canonical_runner_cache.clear()
        program, _ = emu._get_runner(code, self._architecture)
        ((_, base, mask, size, _),) = emu._canonical_runner_cache
        emu._get_runner.cache_clear()
        stored = pickle.dumps((program.to_elf(), tuple(program.arg.globals)))
        self._file.execute(
            "insert or ignore into instruction (architecture, type, size, mask, base, program)"
            " values (?, ?, ?, ?, ?, ?)",
            (self._architecture, type(inst).__name__, size, f"{mask:x}", f"{base:x}", stored),
        )


def _is_barrier(inst):
    sopp = emu._inst_kinds("SOPP")
    return isinstance(inst, sopp) and inst.op in emu._BARRIER_OPS or (
        isinstance(inst, emu.ir4.SOP1) and inst.op in emu._BARRIER_SOP1_OPS
    )
