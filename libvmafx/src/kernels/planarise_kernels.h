/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What host and kernels of the conversion to planar pictures share.
 *
 *     planarise_split_8    bytes abab… of a row -> aa…, bb… in two planes
 *     planarise_split_16   the same of 16-bit words, each shifted right
 *     planarise_shift_16   one plane of 16-bit words, each shifted right
 */
#ifndef VMAFX_KERNELS_PLANARISE_KERNELS_H
#define VMAFX_KERNELS_PLANARISE_KERNELS_H

#include <stdint.h>

struct PlanariseArgs {
    const void *source;
    void *first;           /* plane of the samples at even places, or the only plane */
    void *second;          /* plane of the samples at odd places; unused by planarise_shift_16 */
    uint64_t source_pitch; /* bytes, like all pitches of any alignment */
    uint64_t first_pitch;
    uint64_t second_pitch;
    int32_t width; /* samples of each plane */
    int32_t height;
    int32_t shift; /* 0..15, of 16-bit words */
};

struct PlanariseShape {
    int width, height; /* samples of a tile */
};
constexpr PlanariseShape kPlanariseCpuShape = {1 << 16, 16};
constexpr PlanariseShape kPlanariseGpuShape = {1024, 8};
constexpr int kPlanariseThreads = 256;

#endif
