#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Takes out of an unpacked Debian kernel package what a guest needs.

usage: unpack_kernel.py ROOT OUT MODULE...

OUT/vmlinux is the ELF file inside of the compressed image: it has a PVH entry, so that the guest does
not spend its first seconds on decompression. OUT/modules/NN-NAME.ko are the modules and what they
depend on, numbered in the order of loading.
"""
import lzma
import pathlib
import struct
import subprocess
import sys
import zlib


def decompress(payload: bytes) -> bytes:
    """The payload of a compressed image; it is followed by its unpacked size."""
    if payload.startswith(b"\xfd7zXZ\0"):
        return lzma.LZMADecompressor().decompress(payload)
    if payload.startswith(b"\x1f\x8b"):
        return zlib.decompressobj(wbits=31).decompress(payload)
    if payload.startswith(b"\x28\xb5\x2f\xfd"):
        done = subprocess.run(["zstd", "-dcq"], input=payload[:-4], stdout=subprocess.PIPE, check=True)
        return done.stdout
    raise SystemExit(f"the kernel is compressed in an unknown way: {payload[:6].hex()}")


def extract_vmlinux(image: bytes) -> bytes:
    """Offsets are those of Linux' x86 boot protocol, version 2.08 and later."""
    if image[0x202:0x206] != b"HdrS":
        raise SystemExit("the kernel image has no boot header")
    setup_sectors = image[0x1F1] or 4
    offset, length = struct.unpack_from("<II", image, 0x248)
    start = (setup_sectors + 1) * 512 + offset
    vmlinux = decompress(image[start:start + length])
    if not vmlinux.startswith(b"\x7fELF"):
        raise SystemExit("the kernel image holds no ELF file")
    return vmlinux


def read_module(path: pathlib.Path) -> bytes:
    data = path.read_bytes()
    return lzma.decompress(data) if path.suffix == ".xz" else data


def dependencies(module: bytes) -> list[str]:
    """The entry "depends=a,b" of the module's own description."""
    start = module.index(b"\0depends=") + len(b"\0depends=")
    names = module[start:module.index(b"\0", start)].decode()
    return [name for name in names.split(",") if name]


def load_order(files: dict[str, pathlib.Path], wanted: list[str]) -> dict[str, bytes]:
    order: dict[str, bytes] = {}

    def add(name: str) -> None:
        if name in order:
            return
        if name not in files:
            raise SystemExit(f"the kernel package has no module {name}")
        module = read_module(files[name])
        for dependency in dependencies(module):
            add(dependency)
        order[name] = module

    for name in wanted:
        add(name)
    return order


def main() -> None:
    root, out = map(pathlib.Path, sys.argv[1:3])
    wanted = sys.argv[3:]
    (image,) = root.glob("boot/vmlinuz-*")
    files = {path.name.split(".")[0].replace("-", "_"): path for path in root.glob("lib/modules/**/*.ko*")}
    (out / "modules").mkdir(parents=True)
    (out / "vmlinux").write_bytes(extract_vmlinux(image.read_bytes()))
    for number, (name, module) in enumerate(load_order(files, wanted).items()):
        (out / "modules" / f"{number:02}-{name}.ko").write_bytes(module)


if __name__ == "__main__":
    main()
