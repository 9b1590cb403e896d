/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The low-pass of MS-SSIM, 9x9 taps, for every second row and column: products are floats, added up
 * in binary64 row by row. Even and odd columns of the picture are kept apart, so that neighbours in
 * the result read neighbours.
 */
#include "features/float_ms_ssim/ssim_half_kernels.h"

#include "features/float_ssim/mirrored_row.h"
#include "kernels/kernel.h"

namespace ssim_half_kernels
{

using namespace ssim_rows;

constexpr SsimHalfShape kShape = VX_CPU_TILES ? kSsimHalfCpuShape : kSsimHalfGpuShape;
constexpr int kRadius = 4;
constexpr int kTaps = 2 * kRadius + 1;
constexpr int kRows = 2 * kShape.height - 1 + 2 * kRadius; /* of the picture */
constexpr int kPairs = kShape.width + kRadius;             /* of columns */

/* Rows and columns at distance 4, 3, 2, 1, 0. */
VX_TABLE float kWeight[kRadius + 1][kRadius + 1] = {
    {0.000714f, -0.000450f, -0.002090f, 0.007132f, 0.016114f},
    {-0.000450f, 0.000283f, 0.001316f, -0.004490f, -0.010146f},
    {-0.002090f, 0.001316f, 0.006115f, -0.020867f, -0.047149f},
    {0.007132f, -0.004490f, -0.020867f, 0.071207f, 0.160885f},
    {0.016114f, -0.010146f, -0.047149f, 0.160885f, 0.363505f},
};

struct Tile {
    float even[kRows][kPairs], odd[kRows][kPairs];
#if VX_CPU_TILES
    double sum[kShape.width];
#endif
};

/** Row of weights for row v of the window, 0..8. */
VX_INLINE const float *weights_of(int v)
{
    return kWeight[v <= kRadius ? v : 2 * kRadius - v];
}

/** Adds nine products; column 2x of the picture is even[2]. */
VX_INLINE double add_row(double sum, const float *even, const float *odd, const float *weight)
{
    VX_UNROLL
    for (int u = 0; u < kTaps; ++u) {
        const float sample = u % 2 == 0 ? even[u / 2] : odd[u / 2];
        sum += static_cast<double>(sample * weight[u <= kRadius ? u : 2 * kRadius - u]);
    }
    return sum;
}

template <class T> struct Source {
    const void *picture;
    uint64_t pitch;
    int width, height;
    float step;

    inline __attribute__((always_inline)) float at(int y, int x) const
    {
        return sample_at<T>(picture, pitch, y, x, step);
    }
};

/** first: column of the picture that is even[0]. */
template <class T>
VX_INLINE void stage_row(const Source<T> &source, const vx::Group &group, int y, int first,
                         int pairs, float *even, float *odd)
{
    const int begin = first < 0 ? -first / 2 : 0;
    const int end = larger(begin, smaller(pairs, (source.width - first) / 2));
    const auto outer = [&](int i) __attribute__((always_inline)) {
        even[i] = source.at(y, mirrored(first + 2 * i, source.width));
        odd[i] = source.at(y, mirrored(first + 2 * i + 1, source.width));
    };
    VX_FOR (group, i, end - begin) {
        even[begin + i] = source.at(y, first + 2 * (begin + i));
        odd[begin + i] = source.at(y, first + 2 * (begin + i) + 1);
    }
    for (int i = 0; i < begin; ++i)
        outer(i);
    for (int i = end; i < pairs; ++i)
        outer(i);
}

/** Rows and columns of the result. */
struct Place {
    int x0, y0, columns, rows, width;
};

VX_INLINE Place place_of(const SsimHalfArgs &args, const vx::Group &group)
{
    Place place;
    place.width = ssim_half_size(args.width);
    place.x0 = static_cast<int>(group.x) * kShape.width;
    place.y0 = static_cast<int>(group.y) * kShape.height;
    place.columns = smaller(kShape.width, place.width - place.x0);
    place.rows = smaller(kShape.height, ssim_half_size(args.height) - place.y0);
    return place;
}

template <class T>
VX_INLINE void stage(const Source<T> &source, const Place &place, Tile &tile,
                     const vx::Group &group)
{
    const int first = 2 * place.x0 - kRadius, top = 2 * place.y0 - kRadius;
#if VX_CPU_TILES
    const int rows = 2 * place.rows - 1 + 2 * kRadius;
    for (int r = 0; r < rows; ++r)
        stage_row(source, group, mirrored(top + r, source.height), first, place.columns + kRadius,
                  tile.even[r], tile.odd[r]);
#else
    /* Constant trip counts; what the tile's last rows and columns do not need is left out. */
    VX_FOR2 (group, r, x, kRows, 2 * kPairs) {
        const int from = mirrored(first + x, source.width);
        const int row = mirrored(top + r, source.height);
        if (from >= 0 && row >= 0) {
            const float sample = source.at(row, from);
            (x % 2 == 0 ? tile.even[r] : tile.odd[r])[x / 2] = sample;
        }
    }
#endif
}

template <class T> VX_INLINE void body(const SsimHalfArgs &args, Tile &tile, const vx::Group &group)
{
    const Source<T> source = {args.picture[group.z], args.pitch[group.z], args.width, args.height,
                              args.step};
    const Place place = place_of(args, group);
    stage(source, place, tile, group);
    VX_SYNC(group);
    float *const out = args.half[group.z] + static_cast<int64_t>(place.y0) * place.width + place.x0;
#if VX_CPU_TILES
    for (int y = 0; y < place.rows; ++y) {
        double *const sum = tile.sum;
        for (int v = 0; v < kTaps; ++v) {
            const float *const even = tile.even[2 * y + v], *const odd = tile.odd[2 * y + v];
            const float *const weight = weights_of(v);
            VX_FOR (group, x, place.columns) {
                sum[x] = add_row(v == 0 ? 0.0 : sum[x], even + x, odd + x, weight);
            }
        }
        VX_FOR (group, x, place.columns) {
            out[static_cast<int64_t>(y) * place.width + x] = static_cast<float>(sum[x]);
        }
    }
#else
    VX_FOR2 (group, y, x, kShape.height, kShape.width) {
        double sum = 0;
        VX_ROLLED
        for (int v = 0; v < kTaps; ++v)
            sum = add_row(sum, tile.even[2 * y + v] + x, tile.odd[2 * y + v] + x, weights_of(v));
        if (y < place.rows && x < place.columns)
            out[static_cast<int64_t>(y) * place.width + x] = static_cast<float>(sum);
    }
#endif
}

} // namespace ssim_half_kernels

VX_KERNEL(ssim_half_8, SsimHalfArgs, ssim_half_kernels::Tile, kSsimHalfThreads)
{
    ssim_half_kernels::body<uint8_t>(args, tile, group);
}

VX_KERNEL(ssim_half_16, SsimHalfArgs, ssim_half_kernels::Tile, kSsimHalfThreads)
{
    ssim_half_kernels::body<uint16_t>(args, tile, group);
}

VX_KERNEL(ssim_half_f32, SsimHalfArgs, ssim_half_kernels::Tile, kSsimHalfThreads)
{
    ssim_half_kernels::body<float>(args, tile, group);
}
