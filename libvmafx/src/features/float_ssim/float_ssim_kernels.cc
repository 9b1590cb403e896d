/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Means and second moments of two pictures under an 11x11 window, and of them luminance, contrast
 * and structure. Rows are filtered first and kept in a ring, then columns. Each filter adds up
 * floats in binary64, in the order of the taps, and rounds the sum to a float.
 *
 * A sum starts with its first product, not with zero. That is the same number, because a product is
 * no negative zero: samples are none, and weights are positive.
 */
#include "features/float_ssim/float_ssim_kernels.h"

#include "features/float_ssim/mirrored_row.h"
#include "kernels/kernel.h"

namespace float_ssim_kernels
{

using ssim_rows::sample_at;
using ssim_rows::smaller;

constexpr FloatSsimShape kShape = VX_CPU_TILES ? kFloatSsimCpuShape : kFloatSsimGpuShape;
constexpr int kWidth = kShape.width;
constexpr int kSpan = kWidth + kSsimMargin;
constexpr int kRing = kShape.rows + kSsimMargin;

enum Moment { kMeanR, kMeanD, kSquareR, kSquareD, kProduct, kMoments };

constexpr float kTap[kSsimTaps] = {0.001028f, 0.007599f, 0.036001f, 0.109361f, 0.213006f, 0.266012f,
                                   0.213006f, 0.109361f, 0.036001f, 0.007599f, 0.001028f};
constexpr float kC1 = (0.01f * 255) * (0.01f * 255);
constexpr float kC2 = (0.03f * 255) * (0.03f * 255);
constexpr float kC3 = kC2 / 2;

struct Tile {
    float ring[kMoments][kRing][kWidth];
    float staged[2][kShape.rows][kSpan];
#if VX_CPU_TILES
    float filtered[kMoments][kWidth];
    double luminance[kWidth], contrast[kWidth], structure[kWidth];
#endif
};

/** Where a work-group is. */
struct Place {
    int x0, cols;  /* windows */
    int top, end;  /* rows of windows */
    int map_width; /* windows in a row of the picture */
};

VX_INLINE Place place_of(const FloatSsimArgs &args, const vx::Group &group)
{
    Place place;
    place.map_width = args.width - kSsimMargin;
    place.x0 = static_cast<int>(group.x) * kWidth;
    place.cols = smaller(kWidth, place.map_width - place.x0);
    place.top = args.first + static_cast<int>(group.y) * args.band;
    place.end = smaller(place.top + args.band, args.end);
    return place;
}

VX_INLINE double product(float a, float b)
{
    return static_cast<double>(a * b);
}

/* ---- rows ----------------------------------------------------------------------------------- */

template <class T>
VX_INLINE void stage(const FloatSsimArgs &args, const Place &place, Tile &tile,
                     const vx::Group &group, int base)
{
    const auto load = [&](int picture, int y, int x) __attribute__((always_inline)) {
        return picture == 0 ? sample_at<T>(args.reference, args.reference_pitch, y, x, args.step)
                            : sample_at<T>(args.distorted, args.distorted_pitch, y, x, args.step);
    };
#if VX_CPU_TILES
    const int span = place.cols + kSsimMargin;
    for (int picture = 0; picture < 2; ++picture) {
        VX_FOR (group, x, span) {
            tile.staged[picture][0][x] = load(picture, base, place.x0 + x);
        }
    }
#else
    /* Constant trip counts; what lies outside of the picture is some sample of it. */
    VX_UNROLL
    for (int picture = 0; picture < 2; ++picture) {
        VX_FOR2 (group, r, x, kShape.rows, kSpan) {
            tile.staged[picture][r][x] = load(picture, smaller(base + r, args.rows - 1),
                                              smaller(place.x0 + x, args.width - 1));
        }
    }
#endif
}

/** What a moment adds up of a pair of samples. */
template <int moment> VX_INLINE float factor(float r, float d)
{
    return moment == kMeanR     ? r
           : moment == kMeanD   ? d
           : moment == kSquareR ? r * r
           : moment == kSquareD ? d * d
                                : r * d;
}

/** A moment of one row from the first column on. */
template <int moment> VX_INLINE float filter_row(const float *r, const float *d)
{
    double sum = 0;
    VX_UNROLL
    for (int k = 0; k < kSsimTaps; ++k) {
        const double term = product(factor<moment>(r[k], d[k]), kTap[k]);
        sum = k == 0 ? term : sum + term;
    }
    return static_cast<float>(sum);
}

#if VX_CPU_TILES

template <int moment>
VX_INLINE void filter_row_of(Tile &tile, const Place &place, const vx::Group &group, int slot)
{
    const float *const r = tile.staged[0][0], *const d = tile.staged[1][0];
    float *const out = tile.ring[moment][slot];
    VX_FOR (group, x, place.cols) {
        out[x] = filter_row<moment>(r + x, d + x);
    }
}

/** slot: of the ring, for the first of the staged rows. Loops of one moment fit into registers. */
VX_INLINE void filter_rows(Tile &tile, const Place &place, const vx::Group &group, int slot)
{
    filter_row_of<kMeanR>(tile, place, group, slot);
    filter_row_of<kMeanD>(tile, place, group, slot);
    filter_row_of<kSquareR>(tile, place, group, slot);
    filter_row_of<kSquareD>(tile, place, group, slot);
    filter_row_of<kProduct>(tile, place, group, slot);
}

#else

/** slot: of the ring, for the first of the staged rows. */
VX_INLINE void filter_rows(Tile &tile, const Place &, const vx::Group &group, int slot)
{
    VX_FOR2 (group, row, x, kShape.rows, kWidth) {
        const float *const r = tile.staged[0][row] + x, *const d = tile.staged[1][row] + x;
        const int to = slot + row < kRing ? slot + row : slot + row - kRing;
        tile.ring[kMeanR][to][x] = filter_row<kMeanR>(r, d);
        tile.ring[kMeanD][to][x] = filter_row<kMeanD>(r, d);
        tile.ring[kSquareR][to][x] = filter_row<kSquareR>(r, d);
        tile.ring[kSquareD][to][x] = filter_row<kSquareD>(r, d);
        tile.ring[kProduct][to][x] = filter_row<kProduct>(r, d);
    }
}

#endif

/* ---- columns -------------------------------------------------------------------------------- */

/** The eleven rows of a window; the first one is in the slot `from` of the ring. */
struct WindowRows {
    const float *row[kSsimTaps];
};

VX_INLINE WindowRows window_rows(const float (*ring)[kWidth], int from)
{
    WindowRows rows;
    VX_UNROLL
    for (int k = 0; k < kSsimTaps; ++k)
        rows.row[k] = ring[from + k < kRing ? from + k : from + k - kRing];
    return rows;
}

VX_INLINE float filter_column(const WindowRows &rows, int x)
{
    double sum = 0;
    VX_UNROLL
    for (int k = 0; k < kSsimTaps; ++k) {
        const double term = product(rows.row[k][x], kTap[k]);
        sum = k == 0 ? term : sum + term;
    }
    return static_cast<float>(sum);
}

struct Similarity {
    double luminance, contrast, structure;
};

VX_INLINE float positive(float v)
{
    return v > 0 ? v : 0;
}

VX_INLINE Similarity similarity(float mean_r, float mean_d, float square_r, float square_d,
                                float both)
{
    const float variance_r = positive(square_r - mean_r * mean_r);
    const float variance_d = positive(square_d - mean_d * mean_d);
    const float covariance = both - mean_r * mean_d;
    const float deviation = __builtin_sqrtf(variance_r * variance_d);
    Similarity s;
    s.luminance = (2.0 * static_cast<double>(mean_r) * static_cast<double>(mean_d) +
                   static_cast<double>(kC1)) /
                  static_cast<double>(mean_r * mean_r + mean_d * mean_d + kC1);
    s.contrast = (2.0 * static_cast<double>(deviation) + static_cast<double>(kC2)) /
                 static_cast<double>(variance_r + variance_d + kC2);
    const bool flat = covariance < 0 && deviation <= 0;
    s.structure = static_cast<double>(((flat ? 0 : covariance) + kC3) / (deviation + kC3));
    return s;
}

#if VX_CPU_TILES

VX_INLINE void store_row(const vx::Group &group, const double *from, double *to, int count)
{
    VX_FOR (group, x, count) {
        to[x] = from[x];
    }
}

VX_INLINE void finish_rows(const FloatSsimArgs &args, const Place &place, Tile &tile,
                           const vx::Group &group, int y, int slot)
{
    if (y < place.top)
        return;
    const int from = slot + 1 < kRing ? slot + 1 : 0;
    for (int m = 0; m < kMoments; ++m) {
        const WindowRows rows = window_rows(tile.ring[m], from);
        float *const out = tile.filtered[m];
        VX_FOR (group, x, place.cols) {
            out[x] = filter_column(rows, x);
        }
    }
    VX_FOR (group, x, place.cols) {
        const Similarity s = similarity(tile.filtered[kMeanR][x], tile.filtered[kMeanD][x],
                                        tile.filtered[kSquareR][x], tile.filtered[kSquareD][x],
                                        tile.filtered[kProduct][x]);
        tile.luminance[x] = s.luminance;
        tile.contrast[x] = s.contrast;
        tile.structure[x] = s.structure;
    }
    const int64_t at = static_cast<int64_t>(y - args.first) * place.map_width + place.x0;
    if (args.luminance)
        store_row(group, tile.luminance, args.luminance + at, place.cols);
    if (args.contrast)
        store_row(group, tile.contrast, args.contrast + at, place.cols);
    if (args.structure) {
        VX_FOR (group, x, place.cols) {
            args.structure[at + x] = static_cast<float>(tile.structure[x]);
        }
    }
    if (args.score) {
        VX_FOR (group, x, place.cols) {
            args.score[at + x] = tile.luminance[x] * tile.contrast[x] * tile.structure[x];
        }
    }
}

#else

/** y: row of windows whose last row of the picture is the first of the staged ones. */
VX_INLINE void finish_rows(const FloatSsimArgs &args, const Place &place, Tile &tile,
                           const vx::Group &group, int y, int slot)
{
    VX_FOR2 (group, row, x, kShape.rows, kWidth) {
        if (y + row >= place.top && y + row < place.end && x < place.cols) {
            int from = slot + row + kShape.rows;
            from -= from < kRing ? 0 : kRing;
            float moment[kMoments];
            VX_UNROLL
            for (int m = 0; m < kMoments; ++m)
                moment[m] = filter_column(window_rows(tile.ring[m], from), x);
            const Similarity s = similarity(moment[kMeanR], moment[kMeanD], moment[kSquareR],
                                            moment[kSquareD], moment[kProduct]);
            const int64_t at =
                static_cast<int64_t>(y + row - args.first) * place.map_width + place.x0 + x;
            if (args.luminance)
                args.luminance[at] = s.luminance;
            if (args.contrast)
                args.contrast[at] = s.contrast;
            if (args.structure)
                args.structure[at] = static_cast<float>(s.structure);
            if (args.score)
                args.score[at] = s.luminance * s.contrast * s.structure;
        }
    }
}

#endif

template <class T>
VX_INLINE void body(const FloatSsimArgs &args, Tile &tile, const vx::Group &group)
{
    const Place place = place_of(args, group);
    int slot = 0; /* of the ring, for the next row */
    for (int base = place.top; base < place.end + kSsimMargin; base += kShape.rows) {
        stage<T>(args, place, tile, group, base);
        VX_SYNC(group);
        filter_rows(tile, place, group, slot);
        VX_SYNC(group);
        finish_rows(args, place, tile, group, base - kSsimMargin, slot);
        slot += kShape.rows;
        slot -= slot < kRing ? 0 : kRing;
    }
}

} // namespace float_ssim_kernels

VX_KERNEL(float_ssim_8, FloatSsimArgs, float_ssim_kernels::Tile, kFloatSsimThreads)
{
    float_ssim_kernels::body<uint8_t>(args, tile, group);
}

VX_KERNEL(float_ssim_16, FloatSsimArgs, float_ssim_kernels::Tile, kFloatSsimThreads)
{
    float_ssim_kernels::body<uint16_t>(args, tile, group);
}

VX_KERNEL(float_ssim_f32, FloatSsimArgs, float_ssim_kernels::Tile, kFloatSsimThreads)
{
    float_ssim_kernels::body<float>(args, tile, group);
}
