/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What host and kernels of ciede share: arguments, tile shapes, the kernel's name.
 *
 *     ciede   the colour difference at every position of luma; y of the grid is the row
 */
#ifndef VMAFX_FEATURES_CIEDE_KERNELS_H
#define VMAFX_FEATURES_CIEDE_KERNELS_H

#include <stdint.h>

constexpr int kCiedePlanes = 3;

struct CiedePicture {
    const void *samples[kCiedePlanes];
    uint64_t pitch[kCiedePlanes]; /* bytes */
};

struct CiedeArgs {
    CiedePicture picture[2]; /* reference, distorted */
    float *differences;      /* [rows][width] */
    int32_t width;           /* of luma */
    int32_t sample_bytes;    /* 1 or 2 */
    int32_t shift_x;         /* 1: chroma has half the columns */
    int32_t shift_y;         /* 1: chroma has half the rows */
    double black, grey;      /* samples of luma and chroma that stand for 0 */
    double luma_step, chroma_step;
};

/* Positions of a tile, which is a part of a row. */
constexpr int kCiedeCpuWidth = 256;
constexpr int kCiedeGpuWidth = 128;
constexpr int kCiedeThreads = kCiedeGpuWidth;

#endif
