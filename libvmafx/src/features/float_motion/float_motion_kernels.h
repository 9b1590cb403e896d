/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What host and kernels of float_motion share: arguments, tile shapes, kernel names.
 *
 *     float_motion_8, _16        sums along each row of the absolute differences of two blurred
 *                                planes, for bytes and for 16-bit words; y of the grid is the band
 *                                of rows
 *     float_motion_blur_8, _16   blurred planes; z of the grid is the picture
 *     float_motion_shrunk        sums along each row of the absolute differences of two blurred
 *                                planes that are shrunk first
 */
#ifndef VMAFX_FEATURES_FLOAT_MOTION_KERNELS_H
#define VMAFX_FEATURES_FLOAT_MOTION_KERNELS_H

#include <stdint.h>

struct FloatMotionArgs {
    const void *samples[2]; /* of the previous picture and of this one */
    uint64_t pitch[2];      /* bytes */
    float *rows;            /* [height] of float_motion */
    float *blurred[2];      /* [height][width] of float_motion_blur */
    int32_t width;          /* >= 3 */
    int32_t height;         /* >= 3 */
    float step;             /* of a sample in 8-bit steps */
    float taps[3];          /* the middle one, its neighbours, the outer ones */
};

/** Where a shrunk sample lies: between `first` and `second`, `rest` behind the first. */
struct FloatMotionPlace {
    int32_t first, second;
    float rest;
};

struct FloatMotionShrunkArgs {
    const float *blurred[2]; /* [..][pitch] */
    const FloatMotionPlace *across, *down;
    float *rows; /* [height] */
    int32_t pitch;
    int32_t width, height; /* of the shrunk plane */
};

struct FloatMotionShape {
    int width, rows; /* samples of a part, rows of a band */
};
constexpr FloatMotionShape kFloatMotionCpuShape = {128, 16};
constexpr FloatMotionShape kFloatMotionGpuShape = {64, 16};
constexpr int kFloatMotionThreads = 256;

#endif
