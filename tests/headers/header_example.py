#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Makes a program of the example in vmafx.h, around which it puts three flat pairs of pictures.

usage: header_example.py vmafx.h OUTPUT.c
"""
import pathlib
import sys

BEFORE = """#include <stdio.h>
#include <string.h>
#include <libvmafx/vmafx.h>

static unsigned char samples[64 * 64];
static VmafxFrameImport reference_desc = VMAFX_FRAME_IMPORT_INIT;
static VmafxFrameImport distorted_desc = VMAFX_FRAME_IMPORT_INIT;

static int next_pair(VmafxFrameImport *reference, VmafxFrameImport *distorted)
{
    static int count;
    reference->layout = VMAFX_LAYOUT_400;
    reference->bits = 8;
    reference->width = reference->height = 64;
    reference->plane_count = 1;
    reference->plane[0].address = samples;
    reference->plane[0].pitch = 64;
    memset(samples, 128, sizeof samples);
    *distorted = *reference;
    return count++ < 3;
}

int main(void)
{
    const uint64_t last = 2;
    double score = -1;
"""
AFTER = """    printf("%f\\n", score);
    return score > 97 && score < 98 ? 0 : 1; /* what vmaf_v0.6.1 says of two flat streams */
}
"""


def main() -> None:
    header, output = map(pathlib.Path, sys.argv[1:])
    code = [line[3:] for line in header.read_text().splitlines() if line.startswith(" *     ")]
    assert len(code) > 15, "the header has no example"
    output.write_text(BEFORE + "\n".join(code) + "\n" + AFTER)


if __name__ == "__main__":
    main()
