/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Sums of floats along rows, from left to right, each addition rounded. A work-group walks some
 * rows of a picture from part to part; the parts' values go through tile memory. For values in a
 * map of their own there is row_sums_kernels.h.
 *
 *     struct FooTile { vx::RowSums<2, 16, 64> sums; };      two sums of 16 rows, 64 columns a part
 *     vx::row_sums_clear(group, tile.sums);
 *     for each part from left to right:
 *         ... tile.sums.value[k * 16 + row][column] = ...; VX_SYNC(group);
 *         vx::row_sums_add(group, tile.sums, columns);  VX_SYNC(group);
 *     tile.sums.sum[k * 16 + row]
 */
#ifndef VMAFX_KERNELS_TILE_ROW_SUMS_H
#define VMAFX_KERNELS_TILE_ROW_SUMS_H

#include "kernels/kernel.h"

namespace vx
{

template <int N, int Rows, int Columns> struct RowSums {
    float sum[N * Rows];                /* of kind k and row r at k * Rows + r */
    float value[N * Rows][Columns + 1]; /* one more: rows begin in different banks of LDS */
};

template <int N, int Rows, int Columns>
VX_INLINE void row_sums_clear(const Group &group, RowSums<N, Rows, Columns> &sums)
{
    VX_FOR (group, i, N * Rows) {
        sums.sum[i] = 0;
    }
}

#if VX_CPU_TILES

/* Additions of one row wait for each other, so the rows of a bundle take turns. */
constexpr int kRowBundle = 8;

template <int N, int Rows, int Columns>
VX_INLINE void row_sums_add(const Group &, RowSums<N, Rows, Columns> &sums, int columns)
{
    static_assert(N * Rows % kRowBundle == 0);
    for (int first = 0; first < N * Rows; first += kRowBundle) {
        float *const sum = sums.sum + first;
        const float(*const value)[Columns + 1] = sums.value + first;
        float part[kRowBundle];
        VX_UNROLL
        for (int r = 0; r < kRowBundle; ++r)
            part[r] = sum[r];
        for (int x = 0; x < columns; ++x) {
            VX_UNROLL
            for (int r = 0; r < kRowBundle; ++r)
                part[r] += value[r][x];
        }
        VX_UNROLL
        for (int r = 0; r < kRowBundle; ++r)
            sum[r] = part[r];
    }
}

#else

template <int N, int Rows, int Columns>
VX_INLINE void row_sums_add(const Group &group, RowSums<N, Rows, Columns> &sums, int columns)
{
    VX_FOR (group, i, N * Rows) {
        float sum = sums.sum[i];
        for (int x = 0; x < columns; ++x)
            sum += sums.value[i][x];
        sums.sum[i] = sum;
    }
}

#endif

} // namespace vx

#endif
