/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The reference is low-passed with 3x3 taps, the distorted picture with 5x5 taps, which are no
 * outer product: each of the five rows is weighted with one of three sets of taps, the row sums are
 * added from top to bottom. The rounding of each step counts. In the reference's filter nothing is
 * rounded, so its rows and columns may be added in any order.
 */
#include "features/float_ansnr/float_ansnr_kernels.h"

#include "kernels/float_tile.h"
#include "kernels/tile_row_sums.h"

namespace float_ansnr_kernels
{

constexpr FloatAnsnrShape kShape = VX_CPU_TILES ? kFloatAnsnrCpuShape : kFloatAnsnrGpuShape;
constexpr int kRows = kShape.rows, kColumns = kShape.width;
constexpr int kSets = 3; /* of taps of the distorted picture: outer, inner, middle rows */

struct Tile {
    vx::FloatTile<kRows + 2, kColumns + 2> reference;
    vx::FloatTile<kRows + 4, kColumns + 4> distorted;
    float weighted[kSets][kRows + 4][kColumns];
    vx::RowSums<2, kRows, kColumns> sums;
};

using vx::smaller;

/** From left to right. */
VX_INLINE float weigh(const float *in, float outer, float inner, float middle)
{
    float sum = outer * in[0];
    sum += inner * in[1];
    sum += middle * in[2];
    sum += inner * in[3];
    sum += outer * in[4];
    return sum;
}

VX_INLINE void weigh_rows(const vx::Group &group, Tile &tile)
{
    VX_FOR2 (group, r, c, kRows + 4, kColumns) {
        const float *const in = &tile.distorted.at[r][c];
        tile.weighted[0][r][c] = weigh(in, 2.0 / 571, 7.0 / 571, 12.0 / 571);
        tile.weighted[1][r][c] = weigh(in, 7.0 / 571, 31.0 / 571, 52.0 / 571);
        tile.weighted[2][r][c] = weigh(in, 12.0 / 571, 52.0 / 571, 127.0 / 571);
    }
}

VX_INLINE float low_passed_distorted(const Tile &tile, int r, int c)
{
    float sum = tile.weighted[0][r][c];
    sum += tile.weighted[1][r + 1][c];
    sum += tile.weighted[2][r + 2][c];
    sum += tile.weighted[1][r + 3][c];
    sum += tile.weighted[0][r + 4][c];
    return sum;
}

VX_INLINE float low_passed_reference(const Tile &tile, int r, int c)
{
    const auto &in = tile.reference.at;
    float sum = 0;
    VX_UNROLL
    for (int k = 0; k < 3; ++k) {
        const float row = in[r + k][c] + 2 * in[r + k][c + 1] + in[r + k][c + 2];
        sum += k == 1 ? 2 * row : row;
    }
    return sum * 0.0625f;
}

VX_INLINE void compare(const vx::Group &group, Tile &tile)
{
    VX_FOR2 (group, r, c, kRows, kColumns) {
        const float reference = low_passed_reference(tile, r, c);
        const float difference = reference - low_passed_distorted(tile, r, c);
        tile.sums.value[r][c] = reference * reference;
        tile.sums.value[kRows + r][c] = difference * difference;
    }
}

template <class T>
VX_INLINE void body(const FloatAnsnrArgs &args, Tile &tile, const vx::Group &group)
{
    const int y0 = static_cast<int>(group.y) * kRows;
    const vx::FloatPlane reference = {args.reference, args.reference_pitch, args.width, args.height,
                                      args.step};
    const vx::FloatPlane distorted = {args.distorted, args.distorted_pitch, args.width, args.height,
                                      args.step};
    vx::row_sums_clear(group, tile.sums);
    for (int x0 = 0; x0 < args.width; x0 += kColumns) {
        const int columns = smaller(kColumns, args.width - x0);
        vx::load_float_tile<T, vx::FarRepeatMirror>(group, reference, x0 - 1, y0 - 1, columns + 2,
                                                    tile.reference);
        vx::load_float_tile<T, vx::FarRepeatMirror>(group, distorted, x0 - 2, y0 - 2, columns + 4,
                                                    tile.distorted);
        VX_SYNC(group);
        weigh_rows(group, tile);
        VX_SYNC(group);
        compare(group, tile);
        VX_SYNC(group);
        vx::row_sums_add(group, tile.sums, columns);
        VX_SYNC(group);
    }
    VX_FOR (group, r, smaller(kRows, args.height - y0)) {
        args.signal[y0 + r] = tile.sums.sum[r];
        args.noise[y0 + r] = tile.sums.sum[kRows + r];
    }
}

} // namespace float_ansnr_kernels

VX_KERNEL(float_ansnr_8, FloatAnsnrArgs, float_ansnr_kernels::Tile, kFloatAnsnrThreads)
{
    float_ansnr_kernels::body<uint8_t>(args, tile, group);
}

VX_KERNEL(float_ansnr_16, FloatAnsnrArgs, float_ansnr_kernels::Tile, kFloatAnsnrThreads)
{
    float_ansnr_kernels::body<uint16_t>(args, tile, group);
}
