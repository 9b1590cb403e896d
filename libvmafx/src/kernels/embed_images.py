# SPDX-License-Identifier: BSD-2-Clause
"""Writes an assembler file that embeds kernel images and the table of kernels/images.h.

usage: embed_images.py OUTPUT KIND:TARGET:FILE ...
"""

import os
import sys

KINDS = {"amd": 0, "ptx": 1, "x86": 2}


def main(output, images):
    data, table = [], []
    for number, text in enumerate(images):
        kind, target, path = text.split(":", 2)
        path = os.path.abspath(path).replace("\\", "\\\\").replace('"', '\\"')
        # The loader of code objects maps whole pages.
        data.append(
            f"    .balign 4096\n.Ldata{number}:\n"
            f'    .incbin "{path}"\n.Lend{number}:\n    .byte 0\n'
        )
        table.append(
            f"    .quad .Lname{number}, .Ldata{number}, "
            f".Lend{number} - .Ldata{number}, {KINDS[kind]}\n"
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
