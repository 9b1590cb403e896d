/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A scale of float_vif: five filtered planes, and what each pixel adds to numerator and
 * denominator, stored as maps. The CPU converts a tile's samples once and goes down the tile two
 * rows at a time; a GPU reads samples where they lie and filters its few rows at once.
 */
#include "features/float_vif/float_vif_pixel.h"
#include "features/float_vif/float_vif_source.h"
#include "kernels/lanes.h"

namespace float_vif_scale_kernels
{

using namespace float_vif_kernels;
using vx::F32;

constexpr FloatVifShape kShape = VX_CPU_TILES ? kFloatVifCpuShape : kFloatVifGpuShape;
/* On the CPU whole registers of them. */
constexpr int kColumns = kShape.columns + 2 * kFloatVifMaxRadius + (VX_CPU_TILES ? 16 : 0);
constexpr int kStep = VX_CPU_TILES ? 2 : kShape.rows; /* rows that are filtered at a time */
constexpr int kTogether = VX_CPU_TILES ? 2 : 4;       /* rows of an item */
constexpr int kStagedRows = VX_CPU_TILES ? kShape.rows + 2 * kFloatVifMaxRadius + 1 : 1;
constexpr int kMoments = 5;

struct Tile {
    alignas(64) float staged[2][kStagedRows][VX_CPU_TILES ? kColumns : 1];
    alignas(64) float filtered[kStep][kMoments][kColumns]; /* down the columns */
    alignas(64) float moment[kMoments][VX_CPU_TILES ? kColumns : 1];
};

struct Place {
    int x0, y0;
    int width, rows;
    int columns; /* with the filter's borders */
};

VX_INLINE Place place_of(const FloatVifArgs &args, const vx::Group &group)
{
    Place p;
    p.x0 = static_cast<int>(group.x) * kShape.columns;
    p.y0 = static_cast<int>(group.y) * kShape.rows;
    p.width = smaller(kShape.columns, args.source.width - p.x0);
    p.rows = smaller(kShape.rows, args.source.height - p.y0);
    p.columns = p.width + 2 * args.taps.radius;
    return p;
}

template <class Sample>
VX_INLINE void stage(const FloatVifArgs &args, const Place &place, Tile &tile,
                     const vx::Group &group)
{
    const int radius = args.taps.radius;
    /* Rows come in pairs: one more for an odd last one. */
    const int rows = place.rows + 2 * radius + 1;
    for (uint32_t picture = 0; picture < 2; ++picture) {
        for (int i = 0; i < rows; ++i)
            stage_row<Sample>(args.source, group, picture, place.y0 - radius + i, place.x0 - radius,
                              place.columns, tile.staged[picture][i]);
    }
}

template <class Sample>
VX_INLINE F32 sample(const FloatVifArgs &args, const Place &place, const Tile &tile,
                     uint32_t picture, int row, int column)
{
#if VX_CPU_TILES
    (void)args, (void)place;
    return vx::load(&tile.staged[picture][row][column]);
#else
    (void)tile;
    const int y = inside(place.y0 - args.taps.radius + row, args.source.height);
    const int x = inside(place.x0 - args.taps.radius + column, args.source.width);
    return sample_at(source_row<Sample>(args.source, picture, y), x, args.source.step);
#endif
}

/** Some rows of the tile, from `row` on, in one register of columns. */
template <class Sample>
VX_INLINE void filter_columns(const FloatVifArgs &args, const Place &place, Tile &tile, int row,
                              int to, int column)
{
    F32 sum[kTogether][kMoments];
    VX_UNROLL
    for (int b = 0; b < kTogether; ++b) {
        VX_UNROLL
        for (int m = 0; m < kMoments; ++m)
            sum[b][m] = F32{};
    }
    const int count = 2 * args.taps.radius + kTogether;
    const float *taps = args.taps.tap + kFloatVifTapPad;
    VX_ROLLED
    for (int k = 0; k < count; ++k) {
        const F32 r = sample<Sample>(args, place, tile, 0, row + k, column);
        const F32 d = sample<Sample>(args, place, tile, 1, row + k, column);
        const F32 value[kMoments] = {r, d, r * r, d * d, r * d};
        VX_UNROLL
        for (int b = 0; b < kTogether; ++b) {
            VX_UNROLL
            for (int m = 0; m < kMoments; ++m)
                sum[b][m] = sum[b][m] + taps[k - b] * value[m];
        }
    }
    VX_UNROLL
    for (int b = 0; b < kTogether; ++b) {
        VX_UNROLL
        for (int m = 0; m < kMoments; ++m)
            vx::store(&tile.filtered[to + b][m][column], sum[b][m]);
    }
}

VX_INLINE void filter_row(const FloatVifArgs &args, const Tile &tile, int row, int column,
                          F32 (&sum)[kMoments])
{
    VX_UNROLL
    for (int m = 0; m < kMoments; ++m)
        sum[m] = F32{};
    const int count = 2 * args.taps.radius + 1;
    VX_ROLLED
    for (int k = 0; k < count; ++k) {
        const float tap = args.taps.tap[kFloatVifTapPad + k];
        VX_UNROLL
        for (int m = 0; m < kMoments; ++m)
            sum[m] = sum[m] + tap * vx::load(&tile.filtered[row][m][column + k]);
    }
}

VX_INLINE void write_pixel(const FloatVifArgs &args, const Moments &moments, uint64_t at)
{
    const Pixel pixel = pixel_of(moments, args.noise, args.weight);
    if (args.den != nullptr)
        args.den[at] = denominator_of(pixel, args.noise);
    VX_UNROLL
    for (int k = 0; k < kFloatVifGains; ++k) {
        if (k < args.gains)
            args.num[k][at] = numerator_of(pixel, args.noise, args.gain_limit[k]);
    }
}

#if VX_CPU_TILES
/** A row of a map, as one loop for the vectoriser. */
template <class Value> VX_INLINE void write_map(const Tile &tile, float *to, int width, Value value)
{
    const float *VX_RESTRICT mean_r = tile.moment[0];
    const float *VX_RESTRICT mean_d = tile.moment[1];
    const float *VX_RESTRICT square_rr = tile.moment[2];
    const float *VX_RESTRICT square_dd = tile.moment[3];
    const float *VX_RESTRICT square_rd = tile.moment[4];
    float *VX_RESTRICT out = to;
    VX_INDEPENDENT
    for (int x = 0; x < width; ++x)
        out[x] = value(Moments{mean_r[x], mean_d[x], square_rr[x], square_dd[x], square_rd[x]});
}

VX_INLINE void write_row(const FloatVifArgs &args, const Tile &tile, int width, uint64_t at)
{
    const double noise = args.noise;
    const float weight = args.weight;
    if (args.den != nullptr)
        write_map(tile, args.den + at, width, [noise, weight](const Moments &m) {
            return denominator_of(pixel_of(m, noise, weight), noise);
        });
    for (int k = 0; k < args.gains; ++k) {
        const float limit = args.gain_limit[k];
        write_map(tile, args.num[k] + at, width, [noise, weight, limit](const Moments &m) {
            return numerator_of(pixel_of(m, noise, weight), noise, limit);
        });
    }
}
#endif

VX_INLINE void rows_out(const FloatVifArgs &args, const Place &place, Tile &tile,
                        const vx::Group &group, int row)
{
    const int rows = smaller(kStep, place.rows - row);
    const uint64_t at = static_cast<uint64_t>(place.y0 + row) * args.pitch + place.x0;
#if VX_CPU_TILES
    for (int y = 0; y < rows; ++y) {
        VX_LANES_FOR (group, i, (place.width + vx::kLanes - 1) / vx::kLanes) {
            F32 sum[kMoments];
            filter_row(args, tile, y, i * vx::kLanes, sum);
            VX_UNROLL
            for (int m = 0; m < kMoments; ++m)
                vx::store(&tile.moment[m][i * vx::kLanes], sum[m]);
        }
        write_row(args, tile, place.width, at + static_cast<uint64_t>(y) * args.pitch);
    }
#else
    VX_FOR2 (group, y, x, rows, place.width) {
        float sum[kMoments];
        filter_row(args, tile, y, x, sum);
        write_pixel(args, {sum[0], sum[1], sum[2], sum[3], sum[4]},
                    at + static_cast<uint64_t>(y) * args.pitch + x);
    }
#endif
}

template <class Sample>
VX_INLINE void run(const FloatVifArgs &args, Tile &tile, const vx::Group &group)
{
    const Place place = place_of(args, group);
    if constexpr (VX_CPU_TILES)
        stage<Sample>(args, place, tile, group);
    for (int row = 0; row < place.rows; row += kStep) {
        VX_SYNC(group);
        VX_LANES_FOR2 (group, b, i, kStep / kTogether,
                       (place.columns + vx::kLanes - 1) / vx::kLanes) {
            filter_columns<Sample>(args, place, tile, row + b * kTogether, b * kTogether,
                                   i * vx::kLanes);
        }
        VX_SYNC(group);
        rows_out(args, place, tile, group, row);
    }
}

} // namespace float_vif_scale_kernels

VX_KERNEL(float_vif_scale_8, FloatVifArgs, float_vif_scale_kernels::Tile, kFloatVifThreads)
{
    float_vif_scale_kernels::run<uint8_t>(args, tile, group);
}

VX_KERNEL(float_vif_scale_16, FloatVifArgs, float_vif_scale_kernels::Tile, kFloatVifThreads)
{
    float_vif_scale_kernels::run<uint16_t>(args, tile, group);
}

VX_KERNEL(float_vif_scale_f, FloatVifArgs, float_vif_scale_kernels::Tile, kFloatVifThreads)
{
    float_vif_scale_kernels::run<float>(args, tile, group);
}
