#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Maintainer's tool: takes the model files out of a libvmaf shared library and writes them canonically.

usage: extract_models.py LIBVMAF.SO|WHEEL [--out FOLDER] [--compare FOLDER]

The library is the one inside the Python package "av" (PyAV), version 19, which carries libvmaf 3.2
with its built-in models:

    pip download --no-deps --only-binary=:all: --python-version 3.13 --dest TEMP 'av==19.*'
    extract_models.py TEMP/av-19*.whl

Each name is found in the library's own table of models, so that a name never gets another model's
figures. Only what a reader of models uses is kept ("model_dict" without "feature_dict"). Numbers keep
their bits: the written file is read again and every number is compared as a 64-bit float.
"""
import argparse
import glob
import io
import json
import os
import re
import struct
import sys
import zipfile

NAME = re.compile(rb"\0(vmaf_[a-z0-9_.]*v[0-9]+\.[0-9]+\.[0-9]+[a-z0-9_]*)(?=\0)")


PT_LOAD = 1
SHT_RELA, SHT_DYNSYM = 4, 11
R_X86_64_64, R_X86_64_RELATIVE = 1, 8


class Elf:
    """The parts of a 64-bit little-endian ELF library that are needed to follow its pointers."""

    def __init__(self, data):
        if data[:6] != b"\x7fELF\x02\x01":
            sys.exit("not a 64-bit little-endian ELF file")
        self.data = data
        phoff, shoff = struct.unpack_from("<QQ", data, 32)
        phentsize, phnum, shentsize, shnum = struct.unpack_from("<HHHH", data, 54)
        self.loads = []
        for i in range(phnum):
            kind, _, offset, vaddr, _, filesz = struct.unpack_from("<IIQQQQ", data,
                                                                   phoff + i * phentsize)
            if kind == PT_LOAD:
                self.loads.append((offset, vaddr, filesz))
        sections = []
        for i in range(shnum):
            kind, = struct.unpack_from("<I", data, shoff + i * shentsize + 4)
            sections.append((kind,) + struct.unpack_from("<QQ", data, shoff + i * shentsize + 24))
        symbols = next(offset for kind, offset, _ in sections if kind == SHT_DYNSYM)
        self.pointers = {}  # address of a relocated pointer -> where it points
        for kind, offset, size in sections:
            for at in range(offset, offset + size if kind == SHT_RELA else offset, 24):
                where, info, addend = struct.unpack_from("<QQq", data, at)
                if info & 0xffffffff == R_X86_64_RELATIVE:
                    self.pointers[where] = addend
                elif info & 0xffffffff == R_X86_64_64:
                    value, = struct.unpack_from("<Q", data, symbols + (info >> 32) * 24 + 8)
                    self.pointers[where] = value + addend

    def address(self, position):
        for offset, vaddr, filesz in self.loads:
            if offset <= position < offset + filesz:
                return vaddr + position - offset
        return None

    def position(self, address):
        for offset, vaddr, filesz in self.loads:
            if vaddr <= address < vaddr + filesz:
                return offset + address - vaddr
        return None


def open_library(path):
    with open(path, "rb") as file:
        data = file.read()
    if not zipfile.is_zipfile(path):
        return data
    with zipfile.ZipFile(io.BytesIO(data)) as wheel:
        names = [n for n in wheel.namelist() if re.search(r"libvmaf[^/]*\.so", n)]
        if len(names) != 1:
            sys.exit(f"{path}: {len(names)} libvmaf libraries, need 1")
        return wheel.read(names[0])


def find_models(data):
    """name -> JSON text, following the table of (name, text, length)."""
    elf = Elf(data)
    sources = {}
    for where, target in elf.pointers.items():
        sources.setdefault(target, []).append(where)
    models = {}
    for match in NAME.finditer(data):
        address = elf.address(match.start(1))
        for where in sources.get(address, []):
            start = elf.position(elf.pointers.get(where + 8, -1))
            if start is not None and data[start:start + 1] == b"{":
                text = data[start:start + (1 << 22)].decode("latin-1")
                end = json.JSONDecoder().raw_decode(text)[1]
                models[match.group(1).decode()] = text[:end]
    return models


def kept(model):
    """What a reader uses of one model."""
    members = {k: v for k, v in model["model_dict"].items() if k != "feature_dict"}
    return {"model_dict": dict(sorted(members.items()))}


def reduce(root):
    if "model_dict" in root:
        return kept(root)
    numbers = [k for k in root if k.isdigit()]
    if numbers != [str(i) for i in range(len(numbers))]:
        sys.exit("the models of a set are not in rising order")
    return {k: kept(root[k]) for k in numbers}


def figures(value, path=""):
    """Every leaf with its path; numbers as the bits of a float, SVM texts number by number."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from figures(item, f"{path}.{key}")
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from figures(item, f"{path}[{i}]")
    elif isinstance(value, str) and path.endswith(".model"):
        for i, token in enumerate(re.split(r"[ \n:]+", value.strip())):
            try:
                yield f"{path}/{i}", struct.pack("<d", float(token))
            except ValueError:
                yield f"{path}/{i}", token
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path, struct.pack("<d", float(value))
    else:
        yield path, value


def same_figures(name, one, other):
    a, b = dict(figures(one)), dict(figures(other))
    wrong = sorted(k for k in a.keys() | b.keys() if a.get(k, "-") != b.get(k, "-"))
    if wrong:
        sys.exit(f"{name}: figures differ: {wrong[:5]}")
    return len(a)


def main():
    parser = argparse.ArgumentParser(description="takes the models out of a libvmaf library")
    parser.add_argument("library", help="libvmaf shared library, or a wheel that holds one")
    parser.add_argument("--out", default=os.path.dirname(os.path.abspath(__file__)))
    parser.add_argument("--compare", help="folder of model files whose figures must be the same")
    args = parser.parse_args()

    models = find_models(open_library(args.library))
    if not models:
        sys.exit("no models found")
    for name, text in sorted(models.items()):
        source = reduce(json.loads(text))
        written = json.dumps(source, indent=1) + "\n"
        count = same_figures(name, source, json.loads(written))
        note = ""
        if args.compare:
            found = glob.glob(os.path.join(args.compare, "**", name + ".json"), recursive=True)
            for other in found:
                with open(other, encoding="utf-8") as file:
                    same_figures(name, source, reduce(json.load(file)))
            note = f", same as {len(found)} file(s) compared"
        path = os.path.join(args.out, name + ".json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(written)
        print(f"{name}: {len(written)} bytes, {count} figures{note}")


if __name__ == "__main__":
    main()
