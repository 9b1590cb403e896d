# SPDX-License-Identifier: BSD-2-Clause
"""usage: addressing_check.py LLVM-OBJDUMP CODE-OBJECT...

No kernel addresses memory that could be of any kind: "flat" instructions occupy the path to tile memory
too, and occur where the compiler lost sight of where a pointer comes from.
"""

import re
import subprocess
import sys

LABEL = re.compile(r"^[0-9a-f]+ <(\w+)>:")
FLAT = re.compile(r"^\s+flat_(load|store|atomic)")


def flat_kernels(objdump, path):
    text = subprocess.run([objdump, "-d", path], check=True, capture_output=True, text=True).stdout
    kernels, instructions, current = {}, 0, None
    for line in text.splitlines():
        if label := LABEL.match(line):
            current = label.group(1)
        instructions += line.startswith("\t")
        if FLAT.match(line):
            kernels[current] = kernels.get(current, 0) + 1
    if not instructions:
        raise SystemExit(f"{path}: nothing was disassembled")
    return kernels


def main(objdump, paths):
    failed = 0
    for path in paths:
        kernels = flat_kernels(objdump, path)
        failed += bool(kernels)
        for kernel, count in kernels.items():
            print(f"{path}: {kernel} has {count} flat instructions")
    print(f"{len(paths) - failed} passed, {failed} failed")
    return failed != 0


sys.exit(main(sys.argv[1], sys.argv[2:]))
