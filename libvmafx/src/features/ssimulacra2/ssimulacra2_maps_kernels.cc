/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Blur, error maps and their sums over blocks, of one plane of a strip. Blurred rows are in tile
 * memory, blurred pictures nowhere.
 *
 * With D = A - B and m = blur(D) the terms of the SSIM-type error are
 *
 *     denominator - numerator of the structure = blur(D*D) - m*m
 *     error = (blur(D*D) - m*m * (1 - numerator)) / denominator
 *
 * which has one blur less than the usual form, and no difference of numbers that are nearly 1 where
 * the pictures are nearly the same. Likewise (1 + d) / (1 + a) - 1 is (d - a) / (1 + a).
 */
#include "features/ssimulacra2/ssimulacra2_kernels.h"
#include "kernels/kernel.h"

namespace ssimulacra2_map_kernels
{

constexpr Ssimulacra2MapsShape kShape =
    VX_CPU_TILES ? kSsimulacra2MapsCpuShape : kSsimulacra2MapsGpuShape;
constexpr int kWidth = kShape.width;
constexpr int kMargin = kSsimulacra2Margin;
[[maybe_unused]] constexpr int kTaps = 2 * kMargin + 1;
constexpr int kBlockWidth = kSsimulacra2BlockWidth;
constexpr int kBlockRows = kSsimulacra2BlockRows;

/** What is blurred: the pictures, the square of their difference, the sum of their squares. */
enum Moment { kMeanA, kMeanB, kDifference, kSquares, kMoments };
[[maybe_unused]] constexpr int kMeans = 2; /* the moments without which there is no error map */

/** A truncated sum of cosines, nearly a Gaussian of sigma 1.5. */
constexpr float kTap[kMargin + 1] = {0.26462110548819856f, 0.21292859201042222f,
                                     0.1093353727774603f, 0.03601111465836436f,
                                     0.0094143678096536912f};

/** get(k): the sample k steps from the middle. */
template <class Get> VX_INLINE float blurred(const Get &get)
{
    float sum = get(0) * kTap[0];
    VX_UNROLL
    for (int k = 1; k <= kMargin; ++k)
        sum += (get(-k) + get(k)) * kTap[k];
    return sum;
}

struct Errors {
    float of[kSsimulacra2Maps];
};

VX_INLINE float positive(float v)
{
    return v > 0.0f ? v : 0.0f;
}
VX_INLINE float absolute(float v)
{
    return v < 0.0f ? -v : v;
}

VX_INLINE float ssim_error(float mean_a, float mean_b, float difference, float squares)
{
    constexpr float kC2 = 0.0009f;
    const float shift = mean_a - mean_b, shift2 = shift * shift;
    const float denominator = ((squares - mean_a * mean_a) - mean_b * mean_b) + kC2;
    const float varied = difference - shift2;
    const float numerator = denominator - varied;
    return positive((difference - shift2 * (1.0f - numerator)) / denominator);
}

/** Edges of b against those of a: above 0 added ones, below 0 lost ones. */
VX_INLINE float edge_error(float a, float b, float mean_a, float mean_b)
{
    const float edge = absolute(a - mean_a);
    return (absolute(b - mean_b) - edge) / (1.0f + edge);
}

VX_INLINE float fourth(float v)
{
    const float v2 = v * v;
    return v2 * v2;
}

/** One block row of a column, or more of them; [map * norms + norm]. */
constexpr int kParts = kSsimulacra2Maps * kSsimulacra2Norms;

/** The sum of a row of a block, in an order that is none of the tile's. */
VX_INLINE float sum_of_row(const float *row)
{
    constexpr int kLanes = 8;
    float lane[kLanes];
    VX_UNROLL
    for (int k = 0; k < kLanes; ++k)
        lane[k] = (row[k] + row[kLanes + k]) + (row[2 * kLanes + k] + row[3 * kLanes + k]);
    return ((lane[0] + lane[4]) + (lane[1] + lane[5])) +
           ((lane[2] + lane[6]) + (lane[3] + lane[7]));
}

using vx::smaller;

/** Where a work-group is. */
struct Place {
    int x0, cols;
    int top, end; /* rows */
    bool ssim, edges;
    const float *a, *b; /* the strip's row `first`, at the tile's first column */
};

VX_INLINE Place place_of(const Ssimulacra2MapsArgs &args, const vx::Group &group)
{
    const Ssimulacra2MapsPlane &plane = args.planes[group.z];
    Place place;
    place.x0 = static_cast<int>(group.x) * kWidth;
    place.cols = smaller(kWidth, args.width - place.x0);
    place.top = args.first + static_cast<int>(group.y) * kShape.rows;
    place.end = smaller(place.top + kShape.rows, args.end);
    place.ssim = plane.sums[kSsimulacra2Ssim] != nullptr;
    place.edges =
        plane.sums[kSsimulacra2Added] != nullptr || plane.sums[kSsimulacra2Lost] != nullptr;
    const int64_t origin = static_cast<int64_t>(kMargin) * args.pitch + kMargin + place.x0;
    const auto number = static_cast<uint64_t>(plane.plane);
    place.a = args.strip + number * args.plane + origin;
    place.b = args.strip + (number + kSsimulacra2Planes) * args.plane + origin;
    return place;
}

/** part: kParts rows of columns, `pitch` apart, of the block row that y is in; by one item. */
VX_INLINE void store_block(float *const *sums, const float *part, int pitch, int at, int blocks,
                           int value)
{
    float *to = sums[value / kSsimulacra2Norms];
    if (to != nullptr)
        to[static_cast<int64_t>(value % kSsimulacra2Norms) * blocks + at] =
            sum_of_row(part + value * pitch);
}

#if VX_CPU_TILES

struct Tile {
    float ring[kMoments][kTaps][kWidth];
    float product[2][kWidth + 2 * kMargin];
    float moment[kMoments][kWidth];
    float part[kParts][kWidth];
};

VX_INLINE void blur_row(const vx::Group &group, const float *in, float *out, int cols)
{
    VX_FOR (group, x, cols) {
        out[x] = blurred([&](int k) __attribute__((always_inline)) { return in[x + k]; });
    }
}

VX_INLINE void blur_rows_of(const Ssimulacra2MapsArgs &args, const Place &place, Tile &tile,
                            const vx::Group &group, int y, int slot)
{
    const int64_t at = static_cast<int64_t>(y - args.first) * args.pitch;
    const float *a = place.a + at, *b = place.b + at;
    blur_row(group, a, tile.ring[kMeanA][slot], place.cols);
    blur_row(group, b, tile.ring[kMeanB][slot], place.cols);
    if (!place.ssim)
        return;
    VX_FOR (group, i, place.cols + 2 * kMargin) {
        const float r = a[i - kMargin], d = b[i - kMargin], difference = r - d;
        tile.product[0][i] = difference * difference;
        tile.product[1][i] = r * r + d * d;
    }
    blur_row(group, tile.product[0] + kMargin, tile.ring[kDifference][slot], place.cols);
    blur_row(group, tile.product[1] + kMargin, tile.ring[kSquares][slot], place.cols);
}

/** slot: of the last of the rows that the blur reaches. */
VX_INLINE void blur_columns(const Place &place, Tile &tile, const vx::Group &group, int slot)
{
    const int moments = place.ssim ? kMoments : kMeans;
    for (int m = 0; m < moments; ++m) {
        const float *row[kTaps];
        VX_UNROLL
        for (int k = 0; k < kTaps; ++k) {
            const int from = slot + 1 + k;
            row[k] = tile.ring[m][from < kTaps ? from : from - kTaps];
        }
        float *out = tile.moment[m];
        VX_FOR (group, x, place.cols) {
            out[x] =
                blurred([&](int k) __attribute__((always_inline)) { return row[kMargin + k][x]; });
        }
    }
}

VX_INLINE void add(float &sum, float &fourths, float error)
{
    sum += error;
    fourths += fourth(error);
}

VX_INLINE void add_errors(const Ssimulacra2MapsArgs &args, const Place &place, Tile &tile,
                          const vx::Group &group, int y)
{
    const int64_t at = static_cast<int64_t>(y - args.first) * args.pitch;
    const float *a = place.a + at, *b = place.b + at;
    if (place.ssim) {
        VX_FOR (group, x, place.cols) {
            add(tile.part[0][x], tile.part[1][x],
                ssim_error(tile.moment[kMeanA][x], tile.moment[kMeanB][x],
                           tile.moment[kDifference][x], tile.moment[kSquares][x]));
        }
    }
    if (place.edges) {
        VX_FOR (group, x, place.cols) {
            const float error =
                edge_error(a[x], b[x], tile.moment[kMeanA][x], tile.moment[kMeanB][x]);
            add(tile.part[2][x], tile.part[3][x], positive(error));
            add(tile.part[4][x], tile.part[5][x], positive(-error));
        }
    }
}

VX_INLINE void clear_parts(Tile &tile, const vx::Group &group)
{
    for (int v = 0; v < kParts; ++v) {
        VX_FOR (group, x, kWidth) {
            tile.part[v][x] = 0.0f;
        }
    }
}

VX_INLINE void body(const Ssimulacra2MapsArgs &args, Tile &tile, const vx::Group &group)
{
    const Place place = place_of(args, group);
    const int across = (place.cols + kBlockWidth - 1) / kBlockWidth;
    int slot = 0;
    for (int y = place.top - kMargin; y < place.end + kMargin; ++y) {
        blur_rows_of(args, place, tile, group, y, slot);
        const int middle = y - kMargin;
        if (middle >= place.top) {
            if (middle % kBlockRows == 0)
                clear_parts(tile, group);
            blur_columns(place, tile, group, slot);
            add_errors(args, place, tile, group, middle);
            if (middle % kBlockRows == kBlockRows - 1 || middle == place.end - 1) {
                const int at = middle / kBlockRows * args.across + place.x0 / kBlockWidth;
                for (int i = 0; i < across; ++i)
                    for (int v = 0; v < kParts; ++v)
                        store_block(args.planes[group.z].sums, tile.part[0] + i * kBlockWidth,
                                    kWidth, at + i, args.blocks, v);
            }
        }
        slot = slot + 1 < kTaps ? slot + 1 : 0;
    }
}

#else

constexpr int kSpanX = kWidth + 2 * kMargin;
constexpr int kSpanY = kShape.rows + 2 * kMargin;
constexpr int kBlockRowsOfTile = kShape.rows / kBlockRows;
constexpr int kPartPitch = kWidth + 1; /* rows begin in different banks */

static_assert(kWidth == kBlockWidth);

struct Tile {
    float picture[2][kSpanY][kSpanX];
    float row[kMoments][kSpanY][kWidth];
    float part[kBlockRowsOfTile][kParts][kPartPitch];
};

/** Rows below the strip repeat its last one; nothing that counts is made of them. */
VX_INLINE void stage(const Ssimulacra2MapsArgs &args, const Place &place, Tile &tile,
                     const vx::Group &group)
{
    const int last = args.end + kMargin - 1 - args.first;
    const int top = place.top - kMargin - args.first;
    const int pitch = args.pitch;
    const float *const a = place.a - kMargin, *const b = place.b - kMargin;
    VX_FOR2 (group, y, x, kSpanY, kSpanX) {
        const int64_t at = static_cast<int64_t>(smaller(top + y, last)) * pitch + x;
        tile.picture[0][y][x] = a[at];
        tile.picture[1][y][x] = b[at];
    }
}

VX_INLINE void blur_rows(const Place &place, Tile &tile, const vx::Group &group)
{
    const bool ssim = place.ssim;
    VX_FOR2 (group, y, x, kSpanY, kWidth) {
        const float *a = tile.picture[0][y] + x + kMargin;
        const float *b = tile.picture[1][y] + x + kMargin;
        tile.row[kMeanA][y][x] =
            blurred([&](int k) __attribute__((always_inline)) { return a[k]; });
        tile.row[kMeanB][y][x] =
            blurred([&](int k) __attribute__((always_inline)) { return b[k]; });
        if (ssim) {
            tile.row[kDifference][y][x] = blurred([&](int k) __attribute__((always_inline)) {
                const float difference = a[k] - b[k];
                return difference * difference;
            });
            tile.row[kSquares][y][x] = blurred(
                [&](int k) __attribute__((always_inline)) { return a[k] * a[k] + b[k] * b[k]; });
        }
    }
}

VX_INLINE void blur_column(const float (*rows)[kWidth], int y, int x, float (&out)[kBlockRows])
{
    VX_UNROLL
    for (int r = 0; r < kBlockRows; ++r)
        out[r] = blurred(
            [&](int k) __attribute__((always_inline)) { return rows[y + r + kMargin + k][x]; });
}

/** An item is a column of a block. */
VX_INLINE void add_errors(const Place &place, Tile &tile, const vx::Group &group)
{
    const int rows = place.end - place.top, cols = place.cols;
    const bool ssim = place.ssim, edges = place.edges;
    VX_FOR2 (group, block, x, kBlockRowsOfTile, kWidth) {
        const int y = block * kBlockRows;
        float mean_a[kBlockRows], mean_b[kBlockRows];
        blur_column(tile.row[kMeanA], y, x, mean_a);
        blur_column(tile.row[kMeanB], y, x, mean_b);
        float sum[kParts] = {};
        if (ssim) {
            float difference[kBlockRows], squares[kBlockRows];
            blur_column(tile.row[kDifference], y, x, difference);
            blur_column(tile.row[kSquares], y, x, squares);
            VX_UNROLL
            for (int r = 0; r < kBlockRows; ++r) {
                const float error = ssim_error(mean_a[r], mean_b[r], difference[r], squares[r]);
                const float counted = y + r < rows && x < cols ? error : 0.0f;
                sum[0] += counted;
                sum[1] += fourth(counted);
            }
        }
        if (edges) {
            VX_UNROLL
            for (int r = 0; r < kBlockRows; ++r) {
                const float error =
                    edge_error(tile.picture[0][y + r + kMargin][x + kMargin],
                               tile.picture[1][y + r + kMargin][x + kMargin], mean_a[r], mean_b[r]);
                const float counted = y + r < rows && x < cols ? error : 0.0f;
                const float added = positive(counted), lost = positive(-counted);
                sum[2] += added;
                sum[3] += fourth(added);
                sum[4] += lost;
                sum[5] += fourth(lost);
            }
        }
        VX_UNROLL
        for (int v = 0; v < kParts; ++v)
            tile.part[block][v][x] = sum[v];
    }
}

VX_INLINE void store_blocks(const Ssimulacra2MapsArgs &args, const Place &place, const Tile &tile,
                            const vx::Group &group)
{
    const Ssimulacra2MapsPlane &plane = args.planes[group.z];
    const int blocks = (place.end - place.top + kBlockRows - 1) / kBlockRows;
    const int first = place.top / kBlockRows * args.across + place.x0 / kBlockWidth;
    const int across = args.across, count = args.blocks;
    VX_FOR2 (group, block, v, blocks, kParts) {
        store_block(plane.sums, tile.part[block][0], kPartPitch, first + block * across, count, v);
    }
}

VX_INLINE void body(const Ssimulacra2MapsArgs &args, Tile &tile, const vx::Group &group)
{
    const Place place = place_of(args, group);
    stage(args, place, tile, group);
    VX_SYNC(group);
    blur_rows(place, tile, group);
    VX_SYNC(group);
    add_errors(place, tile, group);
    VX_SYNC(group);
    store_blocks(args, place, tile, group);
}

#endif

} // namespace ssimulacra2_map_kernels

VX_KERNEL(ssimulacra2_maps, Ssimulacra2MapsArgs, ssimulacra2_map_kernels::Tile,
          kSsimulacra2MapsThreads)
{
    ssimulacra2_map_kernels::body(args, tile, group);
}
