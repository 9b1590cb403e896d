/* SPDX-License-Identifier: BSD-2-Clause
 *
 * First and second moments of two pictures under a 9x9 window, exact. At the edges of the picture
 * the window is cut off: samples outside count as zero, and the weights inside are added up. Rows
 * are filtered first and kept in a ring, then columns.
 *
 * Moments are whole numbers below 2^48. A CPU adds them up in binary64, where they are exact too,
 * since that is what its vector units have; a GPU in 64-bit integers.
 */
#include "features/ssim/ssim_kernels.h"

#include "kernels/kernel.h"

namespace ssim_kernels
{

constexpr SsimShape kShape = VX_CPU_TILES ? kSsimCpuShape : kSsimGpuShape;
constexpr int kWidth = kShape.width;
constexpr int kSpan = kWidth + 2 * kSsimRadius;
constexpr int kRing = kShape.rows + 2 * kSsimRadius;

constexpr int kWeight[kSsimWindow] = VMAFX_SSIM_WEIGHTS;

enum Moment { kSumR, kSumD, kSumRR, kSumRD, kSumDD, kMoments };

/** Sums along a row: 256 * 4095^2 < 2^32. */
template <int depth> struct RowSum {
    typedef uint32_t type;
};
template <> struct RowSum<16> {
    typedef uint64_t type;
};

#if VX_CPU_TILES
typedef double ColumnSum;
template <int depth> struct Kept {
    typedef double type;
};
#else
typedef uint64_t ColumnSum;
template <int depth> struct Kept {
    typedef typename RowSum<depth>::type type;
};
#endif

template <int depth> struct Tile {
    typename Kept<depth>::type ring[kMoments][kRing][kWidth];
    uint16_t staged[2][kShape.rows][kSpan];
#if VX_CPU_TILES
    double moment[kMoments][kWidth];
#endif
};

using vx::larger;
using vx::smaller;

/** Where a work-group is. */
struct Place {
    int x0, cols;
    int top, end; /* rows */
};

VX_INLINE Place place_of(const SsimArgs &args, const vx::Group &group)
{
    Place place;
    place.x0 = static_cast<int>(group.x) * kWidth;
    place.cols = smaller(kWidth, args.width - place.x0);
    place.top = args.first + static_cast<int>(group.y) * args.band;
    place.end = smaller(place.top + args.band, args.end);
    return place;
}

/** The window's weights that are inside of 0..n-1 when it is around i. */
VX_INLINE int weight_inside(int i, int n)
{
    int sum = 0;
    VX_UNROLL
    for (int k = 0; k < kSsimWindow; ++k) {
        const int at = i + k - kSsimRadius;
        sum += at >= 0 && at < n ? kWeight[k] : 0;
    }
    return sum;
}

/* ---- rows ----------------------------------------------------------------------------------- */

template <class T>
VX_INLINE const typename vx::SampleOf<T>::type *row_of(const SsimArgs &args, int picture, int y)
{
    return picture == 0 ? vx::row_of<T>(args.reference, args.reference_pitch, y)
                        : vx::row_of<T>(args.distorted, args.distorted_pitch, y);
}

/** base: the row of the picture that comes first, maybe outside. */
template <class T, class Tile>
VX_INLINE void stage(const SsimArgs &args, const Place &place, Tile &tile, const vx::Group &group,
                     int base)
{
    const int left = place.x0 - kSsimRadius;
#if VX_CPU_TILES
    const bool inside = base >= 0 && base < args.height;
    const int span = place.cols + 2 * kSsimRadius;
    const int begin = inside ? larger(0, -left) : span;
    const int end = inside ? smaller(span, args.width - left) : span;
    for (int picture = 0; picture < 2; ++picture) {
        uint16_t *const out = tile.staged[picture][0];
        VX_FOR (group, x, begin) {
            out[x] = 0;
        }
        VX_FOR (group, x, span - end) {
            out[end + x] = 0;
        }
        if (!inside)
            continue;
        const auto *const in = row_of<T>(args, picture, base) + left;
        for (int x = begin; x < end; ++x)
            out[x] = in[x];
    }
#else
    VX_UNROLL
    for (int picture = 0; picture < 2; ++picture) {
        VX_FOR2 (group, r, x, kShape.rows, kSpan) {
            const int y = base + r, at = left + x;
            const bool inside = y >= 0 && y < args.height && at >= 0 && at < args.width;
            tile.staged[picture][r][x] =
                inside ? static_cast<uint16_t>(row_of<T>(args, picture, y)[at]) : uint16_t{0};
        }
    }
#endif
}

/** All moments of one row around column x. */
template <class Sum> VX_INLINE void filter_row(const uint16_t *r, const uint16_t *d, Sum *out)
{
    Sum sum[kMoments] = {};
    VX_UNROLL
    for (int k = 0; k < kSsimWindow; ++k) {
        const Sum weight = static_cast<Sum>(kWeight[k]);
        const Sum a = r[k], b = d[k];
        sum[kSumR] += weight * a;
        sum[kSumD] += weight * b;
        sum[kSumRR] += weight * (a * a);
        sum[kSumRD] += weight * (a * b);
        sum[kSumDD] += weight * (b * b);
    }
    VX_UNROLL
    for (int m = 0; m < kMoments; ++m)
        out[m] = sum[m];
}

#if VX_CPU_TILES
/* Conversions that vector units have. */
VX_INLINE double kept(uint32_t sum)
{
    return static_cast<double>(static_cast<int32_t>(sum ^ 0x80000000u)) + 0x1p31;
}
VX_INLINE double kept(uint64_t sum) /* < 2^52 */
{
    const uint64_t bits = sum | 0x4330000000000000u;
    double biased;
    __builtin_memcpy(&biased, &bits, sizeof(biased));
    return biased - 0x1p52;
}
#endif

/** slot: of the ring, for the first of the staged rows. */
template <int depth>
VX_INLINE void filter_rows(Tile<depth> &tile, const Place &place, const vx::Group &group, int slot)
{
    typedef typename RowSum<depth>::type Sum;
#if VX_CPU_TILES
    const uint16_t *const r = tile.staged[0][0], *const d = tile.staged[1][0];
    VX_FOR (group, x, place.cols) {
        Sum sum[kMoments];
        filter_row(r + x, d + x, sum);
        for (int m = 0; m < kMoments; ++m)
            tile.ring[m][slot][x] = kept(sum[m]);
    }
#else
    (void)place;
    VX_FOR2 (group, row, x, kShape.rows, kWidth) {
        Sum sum[kMoments];
        filter_row(tile.staged[0][row] + x, tile.staged[1][row] + x, sum);
        const int to = slot + row < kRing ? slot + row : slot + row - kRing;
        VX_UNROLL
        for (int m = 0; m < kMoments; ++m)
            tile.ring[m][to][x] = sum[m];
    }
#endif
}

/* ---- columns -------------------------------------------------------------------------------- */

/** The nine rows of a window; the first one is in the slot `from` of the ring. */
template <class Kept> struct WindowRows {
    const Kept *row[kSsimWindow];
};

template <class Kept> VX_INLINE WindowRows<Kept> window_rows(const Kept (*ring)[kWidth], int from)
{
    WindowRows<Kept> rows;
    VX_UNROLL
    for (int k = 0; k < kSsimWindow; ++k)
        rows.row[k] = ring[from + k < kRing ? from + k : from + k - kRing];
    return rows;
}

template <class Kept> VX_INLINE double filter_column(const WindowRows<Kept> &rows, int x)
{
    ColumnSum sum = 0;
    VX_UNROLL
    for (int k = 0; k < kSsimWindow; ++k)
        sum += static_cast<ColumnSum>(kWeight[k]) * static_cast<ColumnSum>(rows.row[k][x]);
    return static_cast<double>(sum);
}

VX_INLINE double similarity(const SsimArgs &args, double weight, double r, double d, double rr,
                            double rd, double dd)
{
    const double c1 = args.c1 * weight * weight, c2 = args.c2 * weight * weight;
    const double both = r * d, square_r = r * r, square_d = d * d;
    const double num = weight * (2 * both + c1) * (c2 + 2 * (rd * weight - both));
    const double den =
        (square_r + square_d + c1) * (rr * weight - square_r + dd * weight - square_d + c2);
    return num / den;
}

/** y: row around which the window ends with the first of the staged rows. */
template <class Tile>
VX_INLINE void finish_rows(const SsimArgs &args, const Place &place, Tile &tile,
                           const vx::Group &group, int y, int slot)
{
#if VX_CPU_TILES
    if (y < place.top)
        return;
    const int from = slot + 1 < kRing ? slot + 1 : 0;
    const int down = weight_inside(y, args.height);
    double *const out = args.map + (static_cast<int64_t>(y - args.first) * args.width + place.x0);
    for (int m = 0; m < kMoments; ++m) {
        const auto rows = window_rows(tile.ring[m], from);
        double *const moment = tile.moment[m];
        VX_FOR (group, x, place.cols) {
            moment[x] = filter_column(rows, x);
        }
    }
    VX_FOR (group, x, place.cols) {
        const double weight = down * weight_inside(place.x0 + x, args.width);
        out[x] = similarity(args, weight, tile.moment[kSumR][x], tile.moment[kSumD][x],
                            tile.moment[kSumRR][x], tile.moment[kSumRD][x], tile.moment[kSumDD][x]);
    }
#else
    VX_FOR2 (group, row, x, kShape.rows, kWidth) {
        const int at = y + row;
        if (at >= place.top && at < place.end && x < place.cols) {
            int from = slot + row + kShape.rows;
            from -= from < kRing ? 0 : kRing;
            double moment[kMoments];
            VX_UNROLL
            for (int m = 0; m < kMoments; ++m)
                moment[m] = filter_column(window_rows(tile.ring[m], from), x);
            const double weight =
                weight_inside(at, args.height) * weight_inside(place.x0 + x, args.width);
            args.map[static_cast<int64_t>(at - args.first) * args.width + place.x0 + x] =
                similarity(args, weight, moment[kSumR], moment[kSumD], moment[kSumRR],
                           moment[kSumRD], moment[kSumDD]);
        }
    }
#endif
}

template <class T, int depth>
VX_INLINE void body(const SsimArgs &args, Tile<depth> &tile, const vx::Group &group)
{
    const Place place = place_of(args, group);
    int slot = 0; /* of the ring, for the next row */
    for (int y = place.top - 2 * kSsimRadius; y < place.end; y += kShape.rows) {
        stage<T>(args, place, tile, group, y + kSsimRadius);
        VX_SYNC(group);
        filter_rows(tile, place, group, slot);
        VX_SYNC(group);
        finish_rows(args, place, tile, group, y, slot);
        slot += kShape.rows;
        slot -= slot < kRing ? 0 : kRing;
    }
}

using Tile12 = Tile<12>;
using Tile16 = Tile<16>;

} // namespace ssim_kernels

VX_KERNEL(ssim_8, SsimArgs, ssim_kernels::Tile12, kSsimThreads)
{
    ssim_kernels::body<uint8_t, 12>(args, tile, group);
}

VX_KERNEL(ssim_12, SsimArgs, ssim_kernels::Tile12, kSsimThreads)
{
    ssim_kernels::body<uint16_t, 12>(args, tile, group);
}

VX_KERNEL(ssim_16, SsimArgs, ssim_kernels::Tile16, kSsimThreads)
{
    ssim_kernels::body<uint16_t, 16>(args, tile, group);
}
