/* SPDX-License-Identifier: BSD-2-Clause
 *
 * float_vif's pictures at other sizes: at half of it for the next scale, and at any size before the
 * first one.
 */
#include "features/float_vif/float_vif_source.h"
#include "kernels/lanes.h"

namespace float_vif_size_kernels
{

using namespace float_vif_kernels;
using vx::F32;

constexpr FloatVifShape kShape = VX_CPU_TILES ? kFloatVifNextCpuShape : kFloatVifNextGpuShape;
constexpr int kHalf = kShape.columns + kFloatVifMaxNextRadius + 16;
constexpr int kStagedRows = VX_CPU_TILES ? 2 * kShape.rows + 2 * kFloatVifMaxNextRadius : 1;

/* Filtered rows are kept as their even and their odd columns: neighbours then are outputs. */
struct NextTile {
    alignas(64) float staged[kStagedRows][VX_CPU_TILES ? 2 * kHalf : 1];
    alignas(64) float whole[VX_CPU_TILES ? 2 * kHalf : 1];
    alignas(64) float half[kShape.rows][2][kHalf];
};

struct Place {
    int x0, y0; /* of the outputs */
    int width, rows;
    int columns; /* of the source, with the filter's borders */
};

VX_INLINE Place place_of(const FloatVifNextArgs &args, const vx::Group &group)
{
    Place p;
    p.x0 = static_cast<int>(group.x) * kShape.columns;
    p.y0 = static_cast<int>(group.y) * kShape.rows;
    p.width = smaller(kShape.columns, args.width - p.x0);
    p.rows = smaller(kShape.rows, args.height - p.y0);
    p.columns = 2 * p.width - 1 + 2 * args.taps.radius;
    return p;
}

#if VX_CPU_TILES
template <class Sample>
VX_INLINE void filter_columns(const FloatVifNextArgs &args, const Place &place, NextTile &tile,
                              const vx::Group &group)
{
    const int radius = args.taps.radius;
    for (int i = 0; i < 2 * place.rows - 1 + 2 * radius; ++i)
        stage_row<Sample>(args.source, group, group.z, 2 * place.y0 - radius + i,
                          2 * place.x0 - radius, place.columns, tile.staged[i]);
    for (int row = 0; row < place.rows; ++row) {
        VX_LANES_FOR (group, i, (place.columns + vx::kLanes - 1) / vx::kLanes) {
            F32 sum = F32{};
            for (int k = 0; k < 2 * radius + 1; ++k)
                sum = sum + args.taps.tap[kFloatVifTapPad + k] *
                                vx::load(&tile.staged[2 * row + k][i * vx::kLanes]);
            vx::store(&tile.whole[i * vx::kLanes], sum);
        }
        const float *VX_RESTRICT whole = tile.whole;
        float *VX_RESTRICT even = tile.half[row][0];
        float *VX_RESTRICT odd = tile.half[row][1];
        VX_FOR (group, i, (place.columns + 1) / 2) {
            even[i] = whole[2 * i];
            odd[i] = whole[2 * i + 1];
        }
    }
}
#else
template <class Sample>
VX_INLINE void filter_columns(const FloatVifNextArgs &args, const Place &place, NextTile &tile,
                              const vx::Group &group)
{
    const int radius = args.taps.radius;
    VX_FOR2 (group, row, column, place.rows, place.columns) {
        const int x = inside(2 * place.x0 - radius + column, args.source.width);
        const int y = 2 * (place.y0 + row) - radius;
        float sum = 0.0f;
        VX_ROLLED
        for (int k = 0; k < 2 * radius + 1; ++k)
            sum += args.taps.tap[kFloatVifTapPad + k] *
                   sample_at(
                       source_row<Sample>(args.source, group.z, inside(y + k, args.source.height)),
                       x, args.source.step);
        tile.half[row][column & 1][column >> 1] = sum;
    }
}
#endif

template <class Sample>
VX_INLINE void run(const FloatVifNextArgs &args, NextTile &tile, const vx::Group &group)
{
    const Place place = place_of(args, group);
    filter_columns<Sample>(args, place, tile, group);
    VX_SYNC(group);
    float *out = args.out[group.z] + static_cast<uint64_t>(place.y0) * args.pitch + place.x0;
    VX_LANES_FOR2 (group, row, i, place.rows, (place.width + vx::kLanes - 1) / vx::kLanes) {
        F32 sum = F32{};
        VX_ROLLED
        for (int k = 0; k < 2 * args.taps.radius + 1; ++k)
            sum = sum + args.taps.tap[kFloatVifTapPad + k] *
                            vx::load(&tile.half[row][k & 1][i * vx::kLanes + (k >> 1)]);
        vx::store(out + static_cast<uint64_t>(row) * args.pitch + i * vx::kLanes, sum);
    }
}

template <class Sample>
VX_INLINE void resample(const FloatVifResampleArgs &args, const vx::Group &group)
{
    constexpr FloatVifShape shape = kFloatVifResampleShape;
    const int x0 = static_cast<int>(group.x) * shape.columns;
    const int y0 = static_cast<int>(group.y) * shape.rows;
    VX_FOR2 (group, dy, dx, smaller(shape.rows, args.height - y0),
             smaller(shape.columns, args.width - x0)) {
        const ResampleTap *row = args.rows + static_cast<int64_t>(y0 + dy) * args.taps;
        const ResampleTap *column = args.columns + static_cast<int64_t>(x0 + dx) * args.taps;
        float sum = 0.0f, weights = 0.0f;
        for (int j = 0; j < args.taps; ++j) {
            const auto *samples = source_row<Sample>(args.source, group.z, row[j].at);
            for (int i = 0; i < args.taps; ++i) {
                const float weight = row[j].weight * column[i].weight;
                sum += sample_at(samples, column[i].at, args.source.step) * weight;
                weights += weight;
            }
        }
        args.out[group.z][static_cast<uint64_t>(y0 + dy) * args.pitch + x0 + dx] =
            args.normalise ? sum / weights : sum;
    }
}

} // namespace float_vif_size_kernels

VX_KERNEL(float_vif_next_8, FloatVifNextArgs, float_vif_size_kernels::NextTile, kFloatVifThreads)
{
    float_vif_size_kernels::run<uint8_t>(args, tile, group);
}

VX_KERNEL(float_vif_next_16, FloatVifNextArgs, float_vif_size_kernels::NextTile, kFloatVifThreads)
{
    float_vif_size_kernels::run<uint16_t>(args, tile, group);
}

VX_KERNEL(float_vif_next_f, FloatVifNextArgs, float_vif_size_kernels::NextTile, kFloatVifThreads)
{
    float_vif_size_kernels::run<float>(args, tile, group);
}

VX_KERNEL(float_vif_resample_8, FloatVifResampleArgs, vx::NoTile, kFloatVifThreads)
{
    float_vif_size_kernels::resample<uint8_t>(args, group);
}

VX_KERNEL(float_vif_resample_16, FloatVifResampleArgs, vx::NoTile, kFloatVifThreads)
{
    float_vif_size_kernels::resample<uint16_t>(args, group);
}
