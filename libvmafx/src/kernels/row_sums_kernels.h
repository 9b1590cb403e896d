/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Sums of the rows of stored maps, from the left, every step rounded to a float. What is left is
 * one ordered sum over the rows (ordered_sum_kernels.h).
 *
 *     row_sums      every row of some maps; y of the grid is the map
 */
#ifndef VMAFX_KERNELS_ROW_SUMS_KERNELS_H
#define VMAFX_KERNELS_ROW_SUMS_KERNELS_H

#include <stdint.h>

struct RowSumsArgs {
    const float *maps;
    uint64_t map;   /* elements from one map to the next */
    uint32_t pitch; /* elements from one row to the next */
    int32_t width, height;
    float *sums; /* [map][height] */
};

constexpr int kRowSumsRows = 16; /* of a tile */
constexpr int kRowSumsThreads = 128;

#endif
