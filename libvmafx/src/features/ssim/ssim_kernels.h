/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What host and kernels of SSIM in integers share: arguments, tile shapes, kernel names.
 *
 *     ssim_8, ssim_12, ssim_16   the weighted similarity around each sample, for samples of
 * 8, 9..12 and 13..16 bits
 */
#ifndef VMAFX_FEATURES_SSIM_KERNELS_H
#define VMAFX_FEATURES_SSIM_KERNELS_H

#include <stdint.h>

constexpr int kSsimRadius = 4;
constexpr int kSsimWindow = 2 * kSsimRadius + 1;

/** Weights of a window's rows and columns; they sum up to 256. */
#define VMAFX_SSIM_WEIGHTS {2, 9, 28, 55, 68, 55, 28, 9, 2}

struct SsimArgs {
    const void *reference;
    const void *distorted;
    uint64_t reference_pitch; /* bytes */
    uint64_t distorted_pitch; /* bytes */
    int32_t width;
    int32_t height;
    int32_t first; /* row that is the map's first one */
    int32_t end;   /* row after the last one */
    int32_t band;  /* rows that a work-group takes */
    double c1, c2; /* constants for weights of 1 */
    double *map;   /* a value for each sample, rows without gaps */
};

struct SsimShape {
    int width; /* samples of a tile */
    int rows;  /* taken at once */
};
constexpr SsimShape kSsimCpuShape = {512, 1};
constexpr SsimShape kSsimGpuShape = {64, 8};
constexpr int kSsimThreads = 256;

#endif
