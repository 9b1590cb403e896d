/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A tile is a run of blocks of one row of blocks; a lane has a block, whose 64 values lie apart by
 * the number of blocks. All sums are those of one block, value by value.
 */
#include "features/psnr_hvs/psnr_hvs_kernels.h"

#include "features/psnr_hvs/psnr_hvs_transform.h"
#include "features/psnr_hvs/psnr_hvs_weights.h"
#include "kernels/lanes.h"

namespace psnr_hvs_kernels
{

constexpr int kBlocks = VX_CPU_TILES ? kPsnrHvsCpuBlocks : kPsnrHvsGpuBlocks;
constexpr int kSide = kPsnrHvsSide;
constexpr int kValues = kPsnrHvsValues;
constexpr float kMean64 = 1.0f / 64, kMean16 = 1.0f / 16;
/* Sums of squares become variances of samples, times the number of samples. */
constexpr float kVariance64 = 1.0f / 63 * 64, kVariance16 = 1.0f / 15 * 16;

/** One picture's part: samples, then frequencies. */
struct Blocks {
    int32_t value[kValues][kBlocks];
    float mask[kBlocks]; /* before the root */
};

struct Tile {
    Blocks reference, distorted;
};

VX_INLINE vx::I32 load_value(const int32_t *p)
{
    return (vx::I32)vx::load(static_cast<const void *>(p));
}

VX_INLINE void store_value(int32_t *p, vx::I32 v)
{
    vx::store(static_cast<void *>(p), (vx::U32)v);
}

#if VX_CPU_TILES

/** Where there are no more blocks the last one is repeated. */
template <class T>
VX_INLINE void load_blocks(const vx::Group &, const void *plane, uint64_t pitch, int x0, int y0,
                           int count, Blocks &blocks)
{
    for (int r = 0; r < kSide; ++r) {
        const auto *const row = vx::row_of<T>(plane, pitch, y0 + r) + x0;
        int32_t(*const value)[kBlocks] = blocks.value + r * kSide;
        for (int b = 0; b < count; ++b) {
            VX_UNROLL
            for (int c = 0; c < kSide; ++c)
                value[c][b] = row[kPsnrHvsStep * b + c];
        }
        for (int b = count; b < kBlocks; ++b) {
            for (int c = 0; c < kSide; ++c)
                value[c][b] = value[c][count - 1];
        }
    }
}

#else

template <class T>
VX_INLINE void load_blocks(const vx::Group &group, const void *plane, uint64_t pitch, int x0,
                           int y0, int count, Blocks &blocks)
{
    VX_FOR2 (group, k, b, kValues, kBlocks) {
        const auto *row = vx::row_of<T>(plane, pitch, y0 + k / kSide);
        const int block = b < count ? b : count - 1;
        blocks.value[k][b] = row[x0 + kPsnrHvsStep * block + k % kSide];
    }
}

#endif

/** Value i of quadrant q: upper left, upper right, lower left, lower right. */
VX_INLINE int in_quadrant(int q, int i)
{
    return q / 2 * 32 + i / 4 * kSide + q % 2 * 4 + i % 4;
}

/** How much of the block's variance is within its quadrants. */
VX_INLINE vx::F32 evenness(const Blocks &blocks, int b)
{
    vx::I32 sum[4] = {};
    VX_UNROLL
    for (int q = 0; q < 4; ++q) {
        VX_ROLLED
        for (int i = 0; i < kValues / 4; ++i)
            sum[q] += load_value(blocks.value[in_quadrant(q, i)] + b);
    }
    const vx::F32 mean = vx::to_f32(sum[0] + sum[1] + sum[2] + sum[3]) * kMean64;
    vx::F32 whole = {};
    VX_ROLLED
    for (int k = 0; k < kValues; ++k) {
        const vx::F32 d = vx::to_f32(load_value(blocks.value[k] + b)) - mean;
        whole += d * d;
    }
    vx::F32 part[4] = {};
    VX_UNROLL
    for (int q = 0; q < 4; ++q) {
        const vx::F32 part_mean = vx::to_f32(sum[q]) * kMean16;
        VX_ROLLED
        for (int i = 0; i < kValues / 4; ++i) {
            const vx::F32 d =
                vx::to_f32(load_value(blocks.value[in_quadrant(q, i)] + b)) - part_mean;
            part[q] += d * d;
        }
        part[q] = part[q] * kVariance16;
    }
    whole = whole * kVariance64;
    const vx::F32 parts = part[0] + part[2] + part[1] + part[3]; /* columns first */
    return vx::kept_where(vx::above(whole, 0), parts / whole);
}

VX_INLINE void transform_blocks(Blocks &blocks, int b)
{
    for (int pass = 0; pass < 2; ++pass) {
        const int step = pass == 0 ? kSide : 1, next = pass == 0 ? 1 : kSide;
        VX_ROLLED
        for (int line = 0; line < kSide; ++line) {
            vx::I32 x[kSide];
            VX_UNROLL
            for (int i = 0; i < kSide; ++i)
                x[i] = load_value(blocks.value[line * next + i * step] + b);
            transform(x);
            VX_UNROLL
            for (int i = 0; i < kSide; ++i)
                store_value(blocks.value[line * next + i * step] + b, x[i]);
        }
    }
}

VX_INLINE void weigh_blocks(const vx::Group &group, const Weights &weights, Blocks &blocks)
{
    VX_LANES_FOR (group, item, kBlocks / vx::kLanes) {
        const int b = item * vx::kLanes;
        const vx::F32 even = evenness(blocks, b);
        transform_blocks(blocks, b);
        vx::F32 mask = {};
        VX_ROLLED
        for (int k = 1; k < kValues; ++k) {
            const vx::I32 v = load_value(blocks.value[k] + b);
            mask += vx::to_f32(v * v) * weights.mask[k];
        }
        vx::store(blocks.mask + b, mask * even);
    }
}

/** The larger of the two masks. */
VX_INLINE void join_masks(const vx::Group &group, Tile &tile)
{
    VX_FOR (group, b, kBlocks) {
        const float reference = __builtin_sqrtf(tile.reference.mask[b]) * (1.0f / 32);
        const float distorted = __builtin_sqrtf(tile.distorted.mask[b]) * (1.0f / 32);
        tile.reference.mask[b] = distorted > reference ? distorted : reference;
    }
}

VX_INLINE void weigh_errors(const vx::Group &group, const Weights &weights, const Tile &tile,
                            float *errors)
{
    VX_LANES_FOR (group, item, kBlocks / vx::kLanes) {
        const int b = item * vx::kLanes;
        const vx::F32 mask = vx::load(tile.reference.mask + b);
        VX_ROLLED
        for (int k = 0; k < kValues; ++k) {
            const vx::I32 difference =
                load_value(tile.reference.value[k] + b) - load_value(tile.distorted.value[k] + b);
            vx::F32 error = vx::to_f32(vx::positive(difference) + vx::positive(-difference));
            if (k > 0)
                error = vx::positive(error - mask / weights.mask[k]);
            const vx::F32 weighted = error * weights.error[k];
            vx::store(errors + k * kBlocks + b, weighted * weighted);
        }
    }
}

template <class T> VX_INLINE void body(const PsnrHvsArgs &args, Tile &tile, const vx::Group &group)
{
    const PsnrHvsPlane &plane = args.plane[group.z];
    const Weights &weights = kWeights[group.z];
    const int column = static_cast<int>(group.x) * kBlocks;
    const int row = static_cast<int>(group.y);
    if (column >= plane.columns || row >= plane.rows)
        return;
    const int left = plane.columns - column, count = left < kBlocks ? left : kBlocks;
    const int x0 = column * kPsnrHvsStep, y0 = row * kPsnrHvsStep;
    load_blocks<T>(group, plane.reference, plane.reference_pitch, x0, y0, count, tile.reference);
    load_blocks<T>(group, plane.distorted, plane.distorted_pitch, x0, y0, count, tile.distorted);
    VX_SYNC(group);
    weigh_blocks(group, weights, tile.reference);
    weigh_blocks(group, weights, tile.distorted);
    VX_SYNC(group);
    join_masks(group, tile);
    VX_SYNC(group);
    const int tiles = (plane.columns + kBlocks - 1) / kBlocks;
    float *const errors =
        plane.errors +
        (static_cast<int64_t>(row) * tiles + static_cast<int>(group.x)) * kValues * kBlocks;
    weigh_errors(group, weights, tile, errors);
    VX_SYNC(group);
    VX_FOR2 (group, k, b, kValues, kBlocks - count) {
        errors[k * kBlocks + count + b] = 0;
    }
}

} // namespace psnr_hvs_kernels

VX_KERNEL(psnr_hvs_8, PsnrHvsArgs, psnr_hvs_kernels::Tile, kPsnrHvsThreads)
{
    psnr_hvs_kernels::body<uint8_t>(args, tile, group);
}

VX_KERNEL(psnr_hvs_16, PsnrHvsArgs, psnr_hvs_kernels::Tile, kPsnrHvsThreads)
{
    psnr_hvs_kernels::body<uint16_t>(args, tile, group);
}
