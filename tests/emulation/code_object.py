# SPDX-License-Identifier: BSD-2-Clause
"""AMD code objects in memory: loaded, relocated, with the descriptors of their kernels.

Formats: ELF-64 and LLVM's "User Guide for AMDGPU Backend" (code object V5 and V6).
"""

import ctypes
import hashlib
import mmap
import struct
from dataclasses import dataclass, replace

_PT_LOAD = 1
_SHT_SYMTAB, _SHT_RELA, _SHT_DYNSYM = 2, 4, 11
_R_AMDGPU_RELATIVE64 = 13
_EM_AMDGPU = 224
_S_GETPC = {  # of the program counter: what follows adds the distance to a table
    "gfx9": (0xFF80FFFF, 0xBE801C00),
    "gfx1": (0xFF80FFFF, 0xBE804700),
}
_AFTER_GETPC = 6  # words


@dataclass
class KernelDescriptor:
    entry: int  # address of the first instruction
    group_bytes: int  # LDS
    private_bytes: int  # scratch of a lane
    argument_bytes: int
    rsrc2: int
    properties: int  # which registers are set up
    preload: int  # arguments in registers: count in bits 0..6, offset in words above


class CodeObject:
    def __init__(self, path):
        with open(path, "rb") as file:
            self._file = file.read()
        if self._file[:4] != b"\x7fELF" or self._at("<H", 18)[0] != _EM_AMDGPU:
            raise ValueError(f"{path} is no AMD code object")
        self._load_segments()
        self._symbols, self._sizes = {}, {}
        for section in self._sections():
            if section["type"] in (_SHT_SYMTAB, _SHT_DYNSYM):
                self._read_symbols(section)
            elif section["type"] == _SHT_RELA:
                self._relocate(section)

    def _at(self, layout, offset):
        return struct.unpack_from(layout, self._file, offset)

    def _load_segments(self):
        (table,) = self._at("<Q", 32)
        size, count = self._at("<HH", 54)
        loads = []
        for i in range(count):
            kind, _, offset, address, _, in_file, in_memory, _ = self._at("<IIQQQQQQ", table + i * size)
            if kind == _PT_LOAD:
                loads.append((offset, address, in_file, in_memory))
        # The emulator decodes ahead of what it executes: room after the last instruction.
        self.bytes = max(address + in_memory for _, address, _, in_memory in loads) + mmap.PAGESIZE
        self.memory = mmap.mmap(-1, self.bytes)
        self.base = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        for offset, address, in_file, _ in loads:
            self.memory[address : address + in_file] = self._file[offset : offset + in_file]

    def _sections(self):
        (table,) = self._at("<Q", 40)
        size, count = self._at("<HH", 58)
        fields = ("name", "type", "flags", "address", "offset", "size", "link", "info", "align", "entry")
        return [dict(zip(fields, self._at("<IIQQQQIIQQ", table + i * size))) for i in range(count)]

    def _read_symbols(self, section):
        names = self._sections()[section["link"]]["offset"]
        for at in range(section["offset"], section["offset"] + section["size"], 24):
            name, _, _, _, value, size = self._at("<IBBHQQ", at)
            end = self._file.index(b"\0", names + name)
            symbol = self._file[names + name : end].decode()
            self._symbols[symbol], self._sizes[symbol] = value, size

    def _relocate(self, section):
        for at in range(section["offset"], section["offset"] + section["size"], 24):
            offset, info, addend = self._at("<QQq", at)
            if info & 0xFFFFFFFF != _R_AMDGPU_RELATIVE64:
                raise ValueError(f"relocation of type {info & 0xFFFFFFFF}")
            struct.pack_into("<Q", self.memory, offset, self.base + addend)

    def kernel(self, name):
        at = self._symbols[name + ".kd"]
        group, private, arguments = struct.unpack_from("<III", self.memory, at)
        (entry,) = struct.unpack_from("<q", self.memory, at + 16)
        (rsrc2,) = struct.unpack_from("<I", self.memory, at + 52)
        properties, preload = struct.unpack_from("<HH", self.memory, at + 56)
        return KernelDescriptor(self.base + at + entry, group, private, arguments, rsrc2, properties, preload)

    def kernels(self):
        return sorted(name[:-3] for name in self._symbols if name.endswith(".kd"))

    def code(self, name):
        """Addresses of the first instruction and of the end."""
        start = self.base + self._symbols[name]
        return start, start + self._sizes[name]

    def digest(self, name, target):
        """Of the kernel alone: the same wherever in the file it lies."""
        start, end = self.code(name)
        words = list(struct.unpack(f"<{(end - start) // 4}I", ctypes.string_at(start, end - start)))
        mask, getpc = _S_GETPC[target[:4]]
        tables = False
        for i, word in enumerate(words):
            if word & mask == getpc:
                tables = True
                words[i + 1 : i + 1 + _AFTER_GETPC] = [0] * len(words[i + 1 : i + 1 + _AFTER_GETPC])
        digest = hashlib.sha256(struct.pack(f"<{len(words)}I", *words))
        digest.update(repr(replace(self.kernel(name), entry=0)).encode())
        if tables:
            digest.update(self._constants())
        return digest.hexdigest()[:16]

    def _constants(self):
        data = b""
        for name in sorted(self._symbols):
            is_code = name.endswith(".kd") or name + ".kd" in self._symbols or name.startswith("__hip_cuid")
            if self._sizes[name] and not is_code:
                data += ctypes.string_at(self.base + self._symbols[name], self._sizes[name])
        return data

    def overwrite(self, pattern, word):
        """Replaces instructions, given as bytes, by as many one-word ones; how often."""
        found = 0
        at = self.memory.find(pattern, 0)
        while at >= 0:
            if at % 4 == 0:
                self.memory[at : at + len(pattern)] = struct.pack("<I", word) * (len(pattern) // 4)
                found += 1
            at = self.memory.find(pattern, at + 4)
        return found
