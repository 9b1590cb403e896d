/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What host and kernels of psnr_hvs share: arguments, tile shapes, kernel names.
 *
 *     psnr_hvs_8, psnr_hvs_16   the weighted squared errors of every frequency of every block, for
 *                               bytes and for 16-bit words; z of the grid is the plane, y the row
 *                               of blocks
 *     psnr_hvs_sum              adds them up in the order of blocks and frequencies, each addition
 *                               rounded to a float; x of the grid is the plane
 */
#ifndef VMAFX_FEATURES_PSNR_HVS_KERNELS_H
#define VMAFX_FEATURES_PSNR_HVS_KERNELS_H

#include <stdint.h>

constexpr int kPsnrHvsSide = 8;    /* of a block */
constexpr int kPsnrHvsStep = 7;    /* from one block to the next, so that they overlap */
constexpr int kPsnrHvsValues = 64; /* of a block */

struct PsnrHvsPlane {
    const void *reference;
    const void *distorted;
    uint64_t reference_pitch; /* bytes */
    uint64_t distorted_pitch; /* bytes */
    float *errors; /* [rows][tiles][kPsnrHvsValues][blocks of a tile], 0 where there is no block */
    int32_t columns; /* of blocks */
    int32_t rows;
    uint64_t *sum; /* a double */
};

struct PsnrHvsArgs {
    PsnrHvsPlane plane[3];
};

constexpr int kPsnrHvsCpuBlocks = 32; /* of a tile */
constexpr int kPsnrHvsGpuBlocks = 64;
constexpr int kPsnrHvsThreads = kPsnrHvsGpuBlocks;
constexpr int kPsnrHvsSumThreads = 256;

#endif
