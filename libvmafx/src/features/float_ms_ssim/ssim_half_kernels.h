/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What host and kernels of the halving of MS-SSIM share.
 *
 *     ssim_half_8, ssim_half_16, ssim_half_f32   low-passed pictures, every second row and column
 */
#ifndef VMAFX_FEATURES_SSIM_HALF_KERNELS_H
#define VMAFX_FEATURES_SSIM_HALF_KERNELS_H

#include <stdint.h>

/** z of the grid is the picture. */
struct SsimHalfArgs {
    const void *picture[2];
    uint64_t pitch[2]; /* bytes */
    float *half[2];    /* rows without gaps */
    int32_t width;     /* >= 5 */
    int32_t height;    /* >= 5 */
    float step;        /* of a sample; unused for floats */
};

constexpr int32_t ssim_half_size(int32_t size)
{
    return size / 2 + size % 2;
}

struct SsimHalfShape {
    int width, height; /* of a tile of the result */
};
constexpr SsimHalfShape kSsimHalfCpuShape = {256, 16};
constexpr SsimHalfShape kSsimHalfGpuShape = {32, 16};
constexpr int kSsimHalfThreads = 256;

#endif
