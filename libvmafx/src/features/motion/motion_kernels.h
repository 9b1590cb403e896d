/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What host and kernels of motion share: arguments, tile shapes, kernel names.
 *
 *     motion_8, motion_16   the sum of absolute differences of two low-passed pictures, for bytes
 *                           and for 16-bit words
 */
#ifndef VMAFX_FEATURES_MOTION_KERNELS_H
#define VMAFX_FEATURES_MOTION_KERNELS_H

#include <stdint.h>

struct MotionArgs {
    const void *previous;
    const void *current;
    uint64_t previous_pitch; /* bytes */
    uint64_t current_pitch;  /* bytes */
    int32_t width;           /* >= 3 */
    int32_t height;          /* >= 3 */
    int32_t rows;            /* of a tile */
    int32_t bits;            /* of a sample, 8..16 */
    uint64_t *sad;           /* [1] */
};

struct MotionShape {
    int width, height; /* samples of a tile, at most */
};
constexpr MotionShape kMotionCpuShape = {2048, 32};
constexpr int kMotionThreads = 64;
constexpr MotionShape kMotionGpuShape = {4 * (kMotionThreads - 2), 32};

#endif
