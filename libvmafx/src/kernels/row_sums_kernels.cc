/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A sum that is rounded at each step has one order only, so its parallelism is that of the rows.
 * On the CPU several rows run side by side, which hides the time of an addition. On a GPU a
 * work-group reads a piece of its rows together, then has one thread for each row.
 */
#include "kernels/row_sums_kernels.h"

#include "kernels/kernel.h"

namespace row_sums_kernels
{

constexpr int kPiece = VX_CPU_TILES ? 1 : 128; /* columns */
constexpr int kTogether = 8;                   /* rows side by side */

struct SumsTile {
    float piece[kRowSumsRows][kPiece + 1]; /* rows begin in different banks */
    float sum[kRowSumsRows];
};

using vx::smaller;

/** Rows that are beyond the last repeat it. */
VX_INLINE void rows_side_by_side(const RowSumsArgs &args, const float *map, int y, int rows,
                                 float *sums)
{
    const float *row[kTogether];
    float sum[kTogether];
    VX_UNROLL
    for (int r = 0; r < kTogether; ++r) {
        row[r] = map + static_cast<uint64_t>(y + smaller(r, rows - 1)) * args.pitch;
        sum[r] = 0.0f;
    }
    for (int x = 0; x < args.width; ++x) {
        VX_UNROLL
        for (int r = 0; r < kTogether; ++r)
            sum[r] += row[r][x];
    }
    VX_UNROLL
    for (int r = 0; r < kTogether; ++r) {
        if (r < rows)
            sums[r] = sum[r];
    }
}

VX_INLINE void rows_in_pieces(const RowSumsArgs &args, const float *map, SumsTile &tile,
                              const vx::Group &group, int rows)
{
    VX_FOR (group, r, rows) {
        tile.sum[r] = 0.0f;
    }
    for (int x0 = 0; x0 < args.width; x0 += kPiece) {
        const int columns = smaller(kPiece, args.width - x0);
        VX_SYNC(group);
        VX_FOR2 (group, r, x, rows, columns) {
            tile.piece[r][x] = map[static_cast<uint64_t>(r) * args.pitch + x0 + x];
        }
        VX_SYNC(group);
        VX_FOR (group, r, rows) {
            float sum = tile.sum[r];
            for (int x = 0; x < columns; ++x)
                sum += tile.piece[r][x];
            tile.sum[r] = sum;
        }
    }
}

} // namespace row_sums_kernels

VX_KERNEL(row_sums, RowSumsArgs, row_sums_kernels::SumsTile, kRowSumsThreads)
{
    using namespace row_sums_kernels;
    const int y = static_cast<int>(group.x) * kRowSumsRows;
    const int rows = smaller(kRowSumsRows, args.height - y);
    const float *map = args.maps + group.y * args.map;
    float *sums = args.sums + static_cast<uint64_t>(group.y) * args.height + y;
    if constexpr (VX_CPU_TILES) {
        for (int r = 0; r < rows; r += kTogether)
            rows_side_by_side(args, map, y + r, smaller(kTogether, rows - r), sums + r);
    } else {
        rows_in_pieces(args, map + static_cast<uint64_t>(y) * args.pitch, tile, group, rows);
        VX_FOR (group, r, rows) {
            sums[r] = tile.sum[r];
        }
    }
}
