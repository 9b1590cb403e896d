/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Means of the 25 places of a 5x5 window over all its positions, in single precision, then the
 * covariance of each two of them in double. Each of these sums is rounded step by step in raster
 * order; they are independent of each other, so lanes and threads have one each.
 */
#include "features/speed/speed_kernels.h"

#include "kernels/lanes.h"

namespace speed_kernels
{

constexpr SpeedShape kCovarianceShape = VX_CPU_TILES ? kSpeedCpuShape : kSpeedGpuShape;
constexpr int kStrip = 32;      /* positions of the window */
constexpr int kPaddedSize = 32; /* places, in whole registers */

struct alignas(64) CovarianceTile {
    double difference[kStrip][kPaddedSize]; /* from the mean, of each position and place */
    double sum[kSpeedSize][kPaddedSize];
    float mean[kPaddedSize];
};

/** The part of a plane that windows begin in. */
struct Window {
    const float *plane;
    int width, height, pitch;
};

VX_INLINE Window window_of(const SpeedCovarianceArgs &args, uint32_t field)
{
    return {args.plane + static_cast<int64_t>(field) * args.height * args.pitch,
            args.width - kSpeedSide + 1, args.height - kSpeedSide + 1, args.pitch};
}

#if VX_WIDE

constexpr int kDoubles = vx::kLanes / 2; /* of a register */
typedef double __attribute__((vector_size(8 * kDoubles), aligned(8), may_alias)) UnalignedDoubles;
typedef float __attribute__((vector_size(4 * kDoubles))) Floats;
typedef float __attribute__((vector_size(4 * kDoubles), aligned(4), may_alias)) UnalignedFloats;

/** Registers for a row of five. What is in them beyond it is not used. */
constexpr int registers_of_row(int lanes)
{
    return (kSpeedSide + lanes - 1) / lanes;
}

VX_INLINE void find_means(const vx::Group &, const Window &window, CovarianceTile &tile)
{
    constexpr int kRegisters = registers_of_row(vx::kLanes);
    const float count = static_cast<float>(window.width * window.height);
    vx::F32 sum[kSpeedSide][kRegisters] = {};
    for (int y = 0; y < window.height; ++y) {
        const float *const row = window.plane + y * window.pitch;
        for (int x = 0; x < window.width; ++x) {
            VX_UNROLL
            for (int r = 0; r < kSpeedSide; ++r) {
                VX_UNROLL
                for (int k = 0; k < kRegisters; ++k)
                    sum[r][k] += vx::load(row + r * window.pitch + x + k * vx::kLanes);
            }
        }
    }
    for (int r = 0; r < kSpeedSide; ++r)
        for (int c = 0; c < kSpeedSide; ++c)
            tile.mean[r * kSpeedSide + c] = sum[r][c / vx::kLanes][c % vx::kLanes] / count;
    for (int i = kSpeedSize; i < kPaddedSize; ++i)
        tile.mean[i] = 0;
}

VX_INLINE vx::HalfF64 widened(const float *p)
{
    const Floats narrow = *reinterpret_cast<const UnalignedFloats *>(p);
    return __builtin_convertvector(narrow, vx::HalfF64);
}

/** Row by row of a window: what is too much is overwritten by the next one's. */
VX_INLINE void take_differences(const vx::Group &, const Window &window, CovarianceTile &tile,
                                int x0, int y, int positions)
{
    const float *const first = window.plane + y * window.pitch + x0;
    for (int s = 0; s < positions; ++s) {
        VX_UNROLL
        for (int r = 0; r < kSpeedSide; ++r) {
            VX_UNROLL
            for (int k = 0; k < registers_of_row(kDoubles); ++k) {
                const int place = r * kSpeedSide + k * kDoubles;
                *reinterpret_cast<UnalignedDoubles *>(tile.difference[s] + place) =
                    widened(first + r * window.pitch + s + k * kDoubles) -
                    widened(tile.mean + place);
            }
        }
    }
}

/** Row e of the matrix: registers with the places 0, 1, ... up to e and a few more. */
template <int registers> VX_INLINE void add_products(CovarianceTile &tile, int e, int positions)
{
    vx::HalfF64 sum[registers];
    auto *const kept = reinterpret_cast<vx::HalfF64 *>(tile.sum[e]);
    VX_UNROLL
    for (int k = 0; k < registers; ++k)
        sum[k] = kept[k];
    for (int s = 0; s < positions; ++s) {
        const auto *const other = reinterpret_cast<const vx::HalfF64 *>(tile.difference[s]);
        const double own = tile.difference[s][e];
        VX_UNROLL
        for (int k = 0; k < registers; ++k)
            sum[k] += own * other[k];
    }
    VX_UNROLL
    for (int k = 0; k < registers; ++k)
        kept[k] = sum[k];
}

/** Rows of that many registers, then those of more. */
template <int registers> VX_INLINE void add_rows(CovarianceTile &tile, int positions)
{
    constexpr int kEnd = registers * kDoubles < kSpeedSize ? registers * kDoubles : kSpeedSize;
    for (int e = (registers - 1) * kDoubles; e < kEnd; ++e)
        add_products<registers>(tile, e, positions);
    if constexpr (kEnd < kSpeedSize)
        add_rows<registers + 1>(tile, positions);
}

VX_INLINE void add_strip(const vx::Group &, CovarianceTile &tile, int, int positions)
{
    add_rows<1>(tile, positions);
}

#else

VX_INLINE void find_means(const vx::Group &group, const Window &window, CovarianceTile &tile)
{
    const float count = static_cast<float>(window.width * window.height);
    VX_FOR (group, e, kSpeedSize) {
        const float *const first = window.plane + e / kSpeedSide * window.pitch + e % kSpeedSide;
        float sum = 0;
        for (int y = 0; y < window.height; ++y)
            for (int x = 0; x < window.width; ++x)
                sum += first[y * window.pitch + x];
        tile.mean[e] = sum / count;
    }
}

VX_INLINE void take_differences(const vx::Group &group, const Window &window, CovarianceTile &tile,
                                int x0, int y, int positions)
{
    const float *const first = window.plane + y * window.pitch + x0;
    VX_FOR2 (group, s, e, positions, kSpeedSize) {
        const float value = first[e / kSpeedSide * window.pitch + e % kSpeedSide + s];
        tile.difference[s][e] = static_cast<double>(value) - static_cast<double>(tile.mean[e]);
    }
}

VX_INLINE void add_strip(const vx::Group &group, CovarianceTile &tile, int first, int positions)
{
    VX_FOR (group, i, kCovarianceShape.pairs) {
        if (first + i < kSpeedPairs) {
            int e = 0, f = first + i;
            for (; f > e; ++e)
                f -= e + 1;
            double sum = tile.sum[e][f];
            for (int s = 0; s < positions; ++s)
                sum += tile.difference[s][e] * tile.difference[s][f];
            tile.sum[e][f] = sum;
        }
    }
}

#endif

VX_INLINE void store_matrix(const vx::Group &group, const Window &window,
                            const CovarianceTile &tile, int first, SpeedSystem &system)
{
    const double count = window.width * window.height;
    VX_FOR (group, i, kCovarianceShape.pairs) {
        if (first + i < kSpeedPairs) {
            int e = 0, f = first + i;
            for (; f > e; ++e)
                f -= e + 1;
            const float element = static_cast<float>(tile.sum[e][f] / count);
            system.covariance[e * kSpeedSize + f] = element;
            system.covariance[f * kSpeedSize + e] = element;
        }
    }
}

VX_INLINE void covariance(const SpeedCovarianceArgs &args, CovarianceTile &tile,
                          const vx::Group &group)
{
    const Window window = window_of(args, group.z);
    const int first = static_cast<int>(group.x) * kCovarianceShape.pairs;
    find_means(group, window, tile);
    VX_FOR2 (group, e, f, kSpeedSize, kPaddedSize) {
        tile.sum[e][f] = 0;
    }
    VX_FOR2 (group, s, e, kStrip, kPaddedSize) {
        tile.difference[s][e] = 0;
    }
    VX_SYNC(group);
    for (int y = 0; y < window.height; ++y) {
        for (int x = 0; x < window.width; x += kStrip) {
            const int positions = window.width - x < kStrip ? window.width - x : kStrip;
            take_differences(group, window, tile, x, y, positions);
            VX_SYNC(group);
            add_strip(group, tile, first, positions);
            VX_SYNC(group);
        }
    }
    store_matrix(group, window, tile, first, args.system[group.z]);
}

} // namespace speed_kernels

VX_KERNEL(speed_covariance, SpeedCovarianceArgs, speed_kernels::CovarianceTile, kSpeedNarrowThreads)
{
    speed_kernels::covariance(args, tile, group);
}
