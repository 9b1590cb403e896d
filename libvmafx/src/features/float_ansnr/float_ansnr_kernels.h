/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What host and kernels of float_ansnr share: arguments, tile shapes, kernel names.
 *
 *     float_ansnr_8, float_ansnr_16   sums along each row of the squares of the low-passed
 *                                     reference and of its differences to the low-passed distorted
 *                                     picture, for bytes and for 16-bit words; y of the grid is the
 *                                     band of rows
 */
#ifndef VMAFX_FEATURES_FLOAT_ANSNR_KERNELS_H
#define VMAFX_FEATURES_FLOAT_ANSNR_KERNELS_H

#include <stdint.h>

struct FloatAnsnrArgs {
    const void *reference;
    const void *distorted;
    uint64_t reference_pitch; /* bytes */
    uint64_t distorted_pitch; /* bytes */
    float *signal;            /* [height] */
    float *noise;             /* [height] */
    int32_t width;            /* >= 3 */
    int32_t height;           /* >= 3 */
    float step;               /* of a sample in 8-bit steps */
};

struct FloatAnsnrShape {
    int width, rows; /* samples of a part, rows of a band */
};
constexpr FloatAnsnrShape kFloatAnsnrCpuShape = {128, 16};
constexpr FloatAnsnrShape kFloatAnsnrGpuShape = {64, 16};
constexpr int kFloatAnsnrThreads = 256;

#endif
