/* SPDX-License-Identifier: BSD-2-Clause
 *
 * From covariance to score: variance and entropy of each block, and how much they differ.
 */
#include "features/speed/speed_kernels.h"

#include "kernels/lanes.h"
#include "kernels/log2.h"
#include "kernels/ordered_sum.h"

namespace speed_kernels
{

constexpr SpeedShape kScoreShape = VX_CPU_TILES ? kSpeedCpuShape : kSpeedGpuShape;
constexpr int kSolveGroups = kScoreShape.solve / vx::kLanes;

/* A column is a block. */
struct alignas(64) SolveTile {
    float q[kSpeedCells], r[kSpeedCells];
    float y[kSpeedSize][kScoreShape.solve]; /* its samples */
    float x[kSpeedSize][kScoreShape.solve]; /* Q y, then the solution of K x = y */
};

struct alignas(64) TermsTile {
    float eigenvalue[2][kSpeedSize];
    float variance[2][kScoreShape.terms];
    float entropy[2][kScoreShape.terms];
};

VX_INLINE int smaller(uint32_t a, int b)
{
    return static_cast<int>(a) < b ? static_cast<int>(a) : b;
}

VX_INLINE void load_blocks(const vx::Group &group, const SpeedSolveArgs &args, SolveTile &tile,
                           int first)
{
    const SpeedSystem &system = args.system[group.z];
    const float *const plane =
        args.plane + static_cast<int64_t>(group.z) * args.height * args.pitch;
    VX_FOR (group, i, kSpeedCells) {
        tile.q[i] = system.q[i];
        tile.r[i] = system.r[i];
    }
    VX_FOR2 (group, e, j, kSpeedSize, kScoreShape.solve) {
        const int block = first + j < args.blocks ? first + j : args.blocks - 1;
        const int down = block / args.blocks_across, along = block - down * args.blocks_across;
        const int y = down * kSpeedSide + e / kSpeedSide;
        const int x = along * kSpeedSide + e % kSpeedSide;
        tile.y[e][j] = plane[y * args.pitch + x];
    }
}

/** S of kLanes blocks; x holds Q y. */
VX_INLINE vx::F32 solve_blocks(SolveTile &tile, int at)
{
    VX_ROLLED
    for (int i = kSpeedSize - 1; i >= 0; --i) {
        vx::F32 rest = vx::load(&tile.x[i][at]);
        for (int k = i + 1; k < kSpeedSize; ++k)
            rest -= vx::load(&tile.x[k][at]) * tile.r[i * kSpeedSize + k];
        vx::store(&tile.x[i][at], rest / tile.r[i * kSpeedSize + i]);
    }
    vx::F32 sum = {};
    for (int e = 0; e < kSpeedSize; ++e)
        sum += vx::load(&tile.x[e][at]) * vx::load(&tile.y[e][at]) / static_cast<float>(kSpeedSize);
    return sum;
}

VX_INLINE void solve(const SpeedSolveArgs &args, SolveTile &tile, const vx::Group &group)
{
    const SpeedSystem &system = args.system[group.z];
    const bool flagged = system.irregular || system.unsolvable;
    const int first = static_cast<int>(group.x) * kScoreShape.solve;
    const int count = smaller(static_cast<uint32_t>(args.blocks - first), kScoreShape.solve);
    float *const out = args.variance + static_cast<int64_t>(group.z) * args.blocks + first;

    load_blocks(group, args, tile, first);
    VX_SYNC(group);
    VX_LANES_FOR2 (group, e, g, kSpeedSize, kSolveGroups) {
        vx::F32 sum = {};
        for (int k = 0; k < kSpeedSize; ++k)
            sum += tile.q[e * kSpeedSize + k] * vx::load(&tile.y[k][g * vx::kLanes]);
        vx::store(&tile.x[e][g * vx::kLanes], sum);
    }
    VX_SYNC(group);
    VX_LANES_FOR (group, g, kSolveGroups) {
        const vx::F32 variance = solve_blocks(tile, g * vx::kLanes);
        vx::store(&tile.x[0][g * vx::kLanes], variance);
    }
    VX_SYNC(group);
    VX_FOR (group, j, count) {
        out[j] = flagged ? 0 : tile.x[0][j];
    }
}

/* ---- entropies ------------------------------------------------------------------------------ */

/** What stands in the logarithms that weight the entropies of reference and distorted. */
struct Weights {
    double reference, distorted;
};

VX_INLINE Weights weights_of(float reference, float distorted, int mode)
{
    const double r = reference, d = distorted;
    const double own_r = 1 + reference, own_d = 1 + distorted;
    const double mean = 1 + static_cast<double>(reference + distorted) / 2;
    switch (mode) {
    case 0:
        return {own_r, own_d};
    case 1:
        return {own_r, own_r};
    case 2:
        return {own_d, own_d};
    case 3:
        return {mean, mean};
    case 4:
        return {own_r, mean};
    case 5:
        return {own_r, 1 + (0.75 * r + 0.25 * d)};
    default:
        return {own_r, 1 + (0.25 * r + 0.75 * d)};
    }
}

VX_INLINE float weighted(float entropy, double weight)
{
    return static_cast<float>(static_cast<double>(entropy) * vx::log2(weight));
}

VX_INLINE void add_entropies(const vx::Group &group, const SpeedTermsArgs &args, TermsTile &tile)
{
    VX_ROLLED
    for (int k = 0; k < kSpeedSize; ++k) {
        VX_FOR2 (group, side, j, 2, kScoreShape.terms) {
            const float eigenvalue = tile.eigenvalue[side][k] > 0 ? tile.eigenvalue[side][k] : 0;
            const float inside = eigenvalue * tile.variance[side][j] + args.sigma;
            const double bits = vx::log2(static_cast<double>(inside)) + args.log2_2pi_e;
            const double before = k == 0 ? 0 : static_cast<double>(tile.entropy[side][j]);
            tile.entropy[side][j] = static_cast<float>(before + bits);
        }
    }
}

VX_INLINE void terms(const SpeedTermsArgs &args, TermsTile &tile, const vx::Group &group)
{
    const int first = static_cast<int>(group.x) * kScoreShape.terms;
    const int count = smaller(static_cast<uint32_t>(args.blocks - first), kScoreShape.terms);
    const SpeedSystem *const system = args.system + 2 * group.z;
    const float *const variance = args.variance + static_cast<int64_t>(2 * group.z) * args.blocks;
    float *const out = args.term + static_cast<int64_t>(group.z) * args.blocks + first;

    VX_FOR2 (group, side, k, 2, kSpeedSize) {
        tile.eigenvalue[side][k] = system[side].eigenvalue[k];
    }
    VX_FOR2 (group, side, j, 2, kScoreShape.terms) {
        tile.variance[side][j] = j < count ? variance[side * args.blocks + first + j] : 0;
    }
    VX_SYNC(group);
    add_entropies(group, args, tile);
    VX_SYNC(group);
    VX_FOR (group, j, count) {
        const float r = tile.entropy[0][j], d = tile.entropy[1][j];
        const Weights weights = weights_of(tile.variance[0][j], tile.variance[1][j], args.mode);
        const float term =
            __builtin_fabsf(weighted(r, weights.reference) - weighted(d, weights.distorted));
        out[j] = r < args.base && d < args.base ? 0 : term;
    }
}

struct ScoreTile {
    vx::OrderedTile<float, float> ordered;
};

VX_INLINE void score(const SpeedScoreArgs &args, ScoreTile &tile, const vx::Group &group)
{
    const auto flag = [&](uint32_t field, int bit) {
        const SpeedSystem &system = args.system[2 * group.z + field];
        return static_cast<uint64_t>(system.irregular || system.unsolvable) << bit;
    };
    const float *const term = args.term + static_cast<int64_t>(group.z) * args.blocks;
    vx::ordered_sum(group, tile.ordered, 0.0f, term, args.blocks, [&](float sum) {
        const float mean = sum / static_cast<float>(args.blocks);
        args.score[group.z] = __builtin_bit_cast(uint32_t, mean) | flag(0, kSpeedReferenceFlag) |
                              flag(1, kSpeedDistortedFlag);
    });
}

} // namespace speed_kernels

VX_KERNEL(speed_solve, SpeedSolveArgs, speed_kernels::SolveTile, kSpeedNarrowThreads)
{
    speed_kernels::solve(args, tile, group);
}

VX_KERNEL(speed_terms, SpeedTermsArgs, speed_kernels::TermsTile, kSpeedNarrowThreads)
{
    speed_kernels::terms(args, tile, group);
}

VX_KERNEL(speed_score, SpeedScoreArgs, speed_kernels::ScoreTile, kSpeedNarrowThreads)
{
    speed_kernels::score(args, tile, group);
}
