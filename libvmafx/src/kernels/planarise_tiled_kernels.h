/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What host and kernels of the conversion of tiled planes to planar ones share.
 *
 *     planarise_tiled_copy_8     elements of one byte
 *     planarise_tiled_copy_16    elements of one 16-bit word, each shifted right
 *     planarise_tiled_split_8    pairs of bytes -> two planes
 *     planarise_tiled_split_16   pairs of 16-bit words, each shifted right -> two planes
 *
 * They read and write units of four source bytes: in every layout that is a piece of a row. The
 * last unit of a row is written whole.
 */
#ifndef VMAFX_KERNELS_PLANARISE_TILED_KERNELS_H
#define VMAFX_KERNELS_PLANARISE_TILED_KERNELS_H

#include <stdint.h>

#include "kernels/tile_layout.h"

constexpr int kTiledUnitBytes = 4;

struct PlanariseTiledArgs {
    const void *source;   /* at a multiple of a unit, like the targets and their pitches */
    void *first;          /* plane of the samples at even places, or the only plane */
    void *second;         /* plane of the samples at odd places; of splits alone */
    uint64_t block_pitch; /* bytes from one row of blocks to the next */
    uint64_t first_pitch; /* bytes */
    uint64_t second_pitch;
    TileLayout layout;
    int32_t width; /* elements */
    int32_t height;
    int32_t shift; /* 0..15, of 16-bit words */
};

struct PlanariseTiledShape {
    int units, rows; /* of a work-group's tile */
};
constexpr PlanariseTiledShape kPlanariseTiledCpuShape = {256, 16};
constexpr PlanariseTiledShape kPlanariseTiledGpuShape = {32, 32};
constexpr int kPlanariseTiledThreads = 256;

#endif
