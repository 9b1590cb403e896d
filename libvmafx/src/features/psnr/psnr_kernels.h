/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What host and kernels of PSNR share: arguments, tile shapes, kernel names.
 *
 *     psnr_8, psnr_12, psnr_16   sums of squared differences of up to three planes, for samples of
 *                                8, 9..12 and 13..16 bits; z of the grid is the plane
 */
#ifndef VMAFX_FEATURES_PSNR_KERNELS_H
#define VMAFX_FEATURES_PSNR_KERNELS_H

#include <stdint.h>

struct PsnrPlane {
    const void *reference;
    const void *distorted;
    uint64_t reference_pitch; /* bytes */
    uint64_t distorted_pitch; /* bytes */
    int32_t width;            /* samples; 0: the plane is left out */
    int32_t height;
};

struct PsnrArgs {
    PsnrPlane plane[3];
    uint64_t *sse; /* [3] */
};

struct PsnrShape {
    int width, height; /* samples of a tile */
};
constexpr PsnrShape kPsnrCpuShape = {1 << 16, 32};
constexpr PsnrShape kPsnrGpuShape = {1024, 16};
constexpr int kPsnrThreads = 256;

#endif
