# SPDX-License-Identifier: BSD-2-Clause
"""Writes an assembler file that embeds kernel images, packed by zlib, and the table of kernels/images.h.

The packed images are written beside it.

usage: embed_images.py OUTPUT KIND:TARGET:FILE ...
"""

import os
import sys
import zlib

KINDS = {"amd": 0, "ptx": 1, "x86": 2}


def main(output, images):
    data, table = [], []
    for number, text in enumerate(images):
        kind, target, path = text.split(":", 2)
        with open(path, "rb") as file:
            image = file.read()
        packed = f"{output}.{number}.z"
        with open(packed, "wb") as file:
            file.write(zlib.compress(image, 9))
        path = os.path.abspath(packed).replace("\\", "\\\\").replace('"', '\\"')
        data.append(f'.Ldata{number}:\n    .incbin "{path}"\n.Lend{number}:\n')
        table.append(
            f"    .quad .Lname{number}, .Ldata{number}, "
            f".Lend{number} - .Ldata{number}, {len(image)}, {KINDS[kind]}\n"
        )
        data.append(f'.Lname{number}:\n    .asciz "{target}"\n')
    with open(output, "w", encoding="utf-8") as out:
        out.write("    .section .rodata.vmafx_images, \"a\", @progbits\n")
        out.writelines(data)
        out.write("    .section .data.rel.ro.vmafx_images, \"aw\", @progbits\n    .balign 8\n")
        out.write("    .globl vmafx_images_begin\n    .hidden vmafx_images_begin\nvmafx_images_begin:\n")
        out.writelines(table)
        out.write("    .globl vmafx_images_end\n    .hidden vmafx_images_end\nvmafx_images_end:\n")
        out.write("    .section .note.GNU-stack, \"\", @progbits\n")


main(sys.argv[1], sys.argv[2:])
