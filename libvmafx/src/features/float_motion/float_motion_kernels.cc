/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A picture is blurred down its columns, rounded to floats, then along its rows. The sums of taps
 * begin at one end; a tap of 0 changes nothing, so that all filters are ones of five taps.
 */
#include "features/float_motion/float_motion_kernels.h"

#include "kernels/float_tile.h"
#include "kernels/tile_row_sums.h"

namespace float_motion_kernels
{

constexpr FloatMotionShape kShape = VX_CPU_TILES ? kFloatMotionCpuShape : kFloatMotionGpuShape;
constexpr int kRows = kShape.rows, kColumns = kShape.width;
constexpr int kRadius = 2;
constexpr int kSpan = kColumns + 2 * kRadius;

struct Blur {
    vx::FloatTile<kRows + 2 * kRadius, kSpan> samples;
    float down[kRows][kSpan]; /* blurred down the columns */
};

struct Tile {
    Blur blur[2];
    vx::RowSums<1, kRows, kColumns> sums;
};

using vx::smaller;

VX_INLINE float magnitude(float v)
{
    return v < 0 ? -v : v;
}

VX_INLINE float filtered(const FloatMotionArgs &args, float a, float b, float c, float d, float e)
{
    float sum = args.taps[2] * a;
    sum += args.taps[1] * b;
    sum += args.taps[0] * c;
    sum += args.taps[1] * d;
    sum += args.taps[2] * e;
    return sum;
}

template <class T>
VX_INLINE void load(const vx::Group &group, const FloatMotionArgs &args, int picture, int x0,
                    int y0, int columns, Blur &blur)
{
    const vx::FloatPlane plane = {args.samples[picture], args.pitch[picture], args.width,
                                  args.height, args.step};
    vx::load_float_tile<T, vx::WholeMirror>(group, plane, x0 - kRadius, y0 - kRadius,
                                            columns + 2 * kRadius, blur.samples);
}

VX_INLINE void blur_down(const vx::Group &group, const FloatMotionArgs &args, Blur &blur)
{
    const auto &in = blur.samples.at;
    VX_FOR2 (group, r, c, kRows, kSpan) {
        blur.down[r][c] =
            filtered(args, in[r][c], in[r + 1][c], in[r + 2][c], in[r + 3][c], in[r + 4][c]);
    }
}

VX_INLINE float blurred_across(const FloatMotionArgs &args, const Blur &blur, int r, int c)
{
    const float *const in = blur.down[r] + c;
    return filtered(args, in[0], in[1], in[2], in[3], in[4]);
}

template <class T>
VX_INLINE void distance(const FloatMotionArgs &args, Tile &tile, const vx::Group &group)
{
    const int y0 = static_cast<int>(group.y) * kRows;
    vx::row_sums_clear(group, tile.sums);
    for (int x0 = 0; x0 < args.width; x0 += kColumns) {
        const int columns = smaller(kColumns, args.width - x0);
        for (int i = 0; i < 2; ++i)
            load<T>(group, args, i, x0, y0, columns, tile.blur[i]);
        VX_SYNC(group);
        for (int i = 0; i < 2; ++i)
            blur_down(group, args, tile.blur[i]);
        VX_SYNC(group);
        VX_FOR2 (group, r, c, kRows, kColumns) {
            tile.sums.value[r][c] = magnitude(blurred_across(args, tile.blur[0], r, c) -
                                              blurred_across(args, tile.blur[1], r, c));
        }
        VX_SYNC(group);
        vx::row_sums_add(group, tile.sums, columns);
        VX_SYNC(group);
    }
    VX_FOR (group, r, smaller(kRows, args.height - y0)) {
        args.rows[y0 + r] = tile.sums.sum[r];
    }
}

template <class T>
VX_INLINE void blur_plane(const FloatMotionArgs &args, Blur &blur, const vx::Group &group)
{
    const int x0 = static_cast<int>(group.x) * kColumns, y0 = static_cast<int>(group.y) * kRows;
    const int columns = smaller(kColumns, args.width - x0);
    load<T>(group, args, static_cast<int>(group.z), x0, y0, columns, blur);
    VX_SYNC(group);
    blur_down(group, args, blur);
    VX_SYNC(group);
    float *const out = args.blurred[group.z] + static_cast<int64_t>(y0) * args.width + x0;
    VX_FOR2 (group, r, c, smaller(kRows, args.height - y0), columns) {
        out[static_cast<int64_t>(r) * args.width + c] = blurred_across(args, blur, r, c);
    }
}

VX_INLINE float between(const float *plane, int pitch, const FloatMotionPlace &down,
                        const FloatMotionPlace &across)
{
    const float *const upper = plane + static_cast<int64_t>(down.first) * pitch;
    const float *const lower = plane + static_cast<int64_t>(down.second) * pitch;
    float sum = (1 - down.rest) * (1 - across.rest) * upper[across.first];
    sum += (1 - down.rest) * across.rest * upper[across.second];
    sum += down.rest * (1 - across.rest) * lower[across.first];
    sum += down.rest * across.rest * lower[across.second];
    return sum;
}

} // namespace float_motion_kernels

VX_KERNEL(float_motion_8, FloatMotionArgs, float_motion_kernels::Tile, kFloatMotionThreads)
{
    float_motion_kernels::distance<uint8_t>(args, tile, group);
}

VX_KERNEL(float_motion_16, FloatMotionArgs, float_motion_kernels::Tile, kFloatMotionThreads)
{
    float_motion_kernels::distance<uint16_t>(args, tile, group);
}

VX_KERNEL(float_motion_blur_8, FloatMotionArgs, float_motion_kernels::Blur, kFloatMotionThreads)
{
    float_motion_kernels::blur_plane<uint8_t>(args, tile, group);
}

VX_KERNEL(float_motion_blur_16, FloatMotionArgs, float_motion_kernels::Blur, kFloatMotionThreads)
{
    float_motion_kernels::blur_plane<uint16_t>(args, tile, group);
}

using FloatMotionShrunkTile =
    vx::RowSums<1, float_motion_kernels::kRows, float_motion_kernels::kColumns>;

VX_KERNEL(float_motion_shrunk, FloatMotionShrunkArgs, FloatMotionShrunkTile, kFloatMotionThreads)
{
    using namespace float_motion_kernels;
    const int y0 = static_cast<int>(group.y) * kRows;
    const int rows = smaller(kRows, args.height - y0);
    vx::row_sums_clear(group, tile);
    for (int x0 = 0; x0 < args.width; x0 += kColumns) {
        const int columns = smaller(kColumns, args.width - x0);
        VX_FOR2 (group, r, c, rows, columns) {
            const FloatMotionPlace &down = args.down[y0 + r], &across = args.across[x0 + c];
            tile.value[r][c] = magnitude(between(args.blurred[0], args.pitch, down, across) -
                                         between(args.blurred[1], args.pitch, down, across));
        }
        VX_SYNC(group);
        vx::row_sums_add(group, tile, columns);
        VX_SYNC(group);
    }
    VX_FOR (group, r, rows) {
        args.rows[y0 + r] = tile.sum[r];
    }
}
