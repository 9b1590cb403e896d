/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What host and kernels of float_moment share: arguments, tile shapes, kernel names.
 *
 *     float_moment_8, _12, _16   sums of samples and of their squares, for samples of 8, 9..12 and
 *                                13..16 bits; squares of the last are rounded to floats; z of the
 *                                grid is the picture
 */
#ifndef VMAFX_FEATURES_FLOAT_MOMENT_KERNELS_H
#define VMAFX_FEATURES_FLOAT_MOMENT_KERNELS_H

#include <stdint.h>

struct FloatMomentPicture {
    const void *samples;
    uint64_t pitch; /* bytes */
    uint64_t *sums; /* [2]: of samples, of squares */
};

struct FloatMomentArgs {
    FloatMomentPicture picture[2];
    int32_t width;
    int32_t height;
};

struct FloatMomentShape {
    int width, height; /* samples of a tile */
};
constexpr FloatMomentShape kFloatMomentCpuShape = {1 << 16, 32};
constexpr FloatMomentShape kFloatMomentGpuShape = {1024, 16};
constexpr int kFloatMomentThreads = 256;

#endif
