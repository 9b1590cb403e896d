/* SPDX-License-Identifier: BSD-2-Clause
 *
 * VIF of one scale. A tile walks down its columns two rows at a time:
 *
 *     stage       two rows of both planes, mirrored at the borders, brought to 16 bits
 *     multiply    pairs of the two rows and their products go into a ring of row pairs
 *     vertical    windows of the ring give two rows of filtered means and squares
 *     horizontal  windows of these rows give moments, then sums; and pixels of the next scale
 *
 * In 16 bits all depths follow one rule: a sum S with 16 fraction bits is rounded as (S + 32768)
 * >> 16. A 32-bit value v is filtered in halves of 16 bits, H and L the sums of the high and low
 * halves: (sum of f v + 32768) >> 16 = H + ((L + 32768) >> 16). Halves are stored less 32768, since
 * dot2 takes signed values; as taps add up to 65536, a sum is then too small by 2^31.
 */
#include "features/vif/vif_kernels.h"

#include "features/vif/vif_pixel.h"
#include "features/vif/vif_taps.h"
#include "kernels/kernel.h"
#include "kernels/lanes.h"

namespace vif_kernels
{

using vx::U32;

constexpr int kWidth = VX_CPU_TILES ? kVifCpuWidth : kVifGpuWidth;
/* The CPU multiplies once and keeps the products, GPUs are short of tile memory and multiply anew.
 */
constexpr bool kKeepProducts = VX_CPU_TILES;
constexpr int kBlock = 2 * vx::kLanes; /* columns of an item */
constexpr uint32_t kBias = 0x80008000u;
constexpr uint32_t kSumBias = 0x80000000u;

enum Plane { kMeanR, kMeanD, kSquareRR, kSquareDD, kSquareRD, kLowRR, kLowDD, kLowRD };
enum Row { kRowMeanR, kRowMeanD, kRowHigh, kRowLow = kRowHigh + 3, kRows = kRowLow + 3 };

using vx::smaller;

VX_INLINE int clamp(int v, int n)
{
    v = vx::mirror(v, n);
    return v < 0 ? 0 : v >= n ? n - 1 : v;
}

/** deep: squares of samples need more than 16 bits. */
template <int scale, bool deep> struct Tile {
    static constexpr int kRadius = radius_of(scale);
    static constexpr int kPairs = kRadius + 1;
    static constexpr int kPlanes = deep ? 8 : 5;
    static constexpr int kKept = kKeepProducts ? kPlanes : 2;
    static constexpr int kColumns = (kWidth + 2 * kRadius + kBlock - 1) / kBlock * kBlock;

    alignas(64) uint32_t ring[kKept][kPairs][kColumns];
    alignas(64) uint16_t staged[2][2][kColumns];           /* picture, row */
    alignas(64) uint16_t row[2][kRows][kColumns + kBlock]; /* less 32768 */
    alignas(64) uint16_t next_row[2][kColumns + kBlock];   /* picture; less 32768 */
    vx::Sums<kVifWords> sums;
};

/** Where a tile lies. */
struct Place {
    int x0, y0;  /* first pixel */
    int width;   /* columns that are in the picture */
    int end;     /* row after the last */
    int columns; /* columns of the tile's rows with borders, whole blocks */
};

template <int scale, bool deep>
VX_INLINE Place place_of(const VifArgs &args, const vx::Group &group)
{
    Place p;
    p.x0 = static_cast<int>(group.x) * kWidth;
    p.y0 = static_cast<int>(group.y) * args.band;
    p.width = smaller(kWidth, args.width - p.x0);
    p.end = smaller(p.y0 + args.band, args.height);
    p.columns = (p.width + 2 * radius_of(scale) + kBlock - 1) / kBlock * kBlock;
    return p;
}

/* ---- stage ---------------------------------------------------------------------------------- */

template <class Sample>
VX_INLINE const typename vx::SampleOf<Sample>::type *picture_row(const VifArgs &args, int picture,
                                                                 int y)
{
    const void *plane = picture == 0 ? args.reference : args.distorted;
    const uint64_t pitch = picture == 0 ? args.reference_pitch : args.distorted_pitch;
    return vx::row_of<Sample>(plane, pitch, clamp(y, args.height));
}

/** What brings a sample to 16 bits. A product of 16 bits, unlike a shift, is not done in 32. */
template <int scale, class Sample> VX_INLINE uint16_t factor_of(const VifArgs &args)
{
    if (scale > 0)
        return 1;
    return static_cast<uint16_t>(1 << (sizeof(Sample) == 1 ? 8 : args.shift));
}

/** A row in three parts, of which the long one in the middle is free of mirroring. */
template <int scale, class Sample, class Row>
VX_INLINE void stage_row(const VifArgs &args, const Place &place, const vx::Group &group,
                         const Row *in, int first, uint16_t *out)
{
    const uint16_t factor = factor_of<scale, Sample>(args);
    const int begin = first < 0 ? -first : 0;
    const int end = smaller(place.columns, args.width - first);
    VX_LANES_FOR (group, i, begin) {
        out[i] = static_cast<uint16_t>(in[clamp(first + i, args.width)] * factor);
    }
    const Row *inner = in + (first + begin);
    uint16_t *inner_out = out + begin;
    VX_FOR (group, i, end - begin) {
        inner_out[i] = static_cast<uint16_t>(inner[i] * factor);
    }
    VX_LANES_FOR (group, i, place.columns - end) {
        out[end + i] = static_cast<uint16_t>(in[clamp(first + end + i, args.width)] * factor);
    }
}

/** Rows y and y + 1 of both pictures. */
template <int scale, class Sample, class T>
VX_INLINE void stage(const VifArgs &args, const Place &place, T &tile, const vx::Group &group,
                     int y)
{
    [[maybe_unused]] const uint16_t factor = factor_of<scale, Sample>(args);
    const int first = place.x0 - radius_of(scale); /* column of a staged row's start */
    if constexpr (VX_CPU_TILES) {
        for (int k = 0; k < 4; ++k) {
            const auto *in = picture_row<Sample>(args, k >> 1, y + (k & 1));
            stage_row<scale, Sample>(args, place, group, in, first, tile.staged[k >> 1][k & 1]);
        }
    } else {
        VX_FOR2 (group, k, i, 4, place.columns) {
            const auto *in = picture_row<Sample>(args, k >> 1, y + (k & 1));
            tile.staged[k >> 1][k & 1][i] =
                static_cast<uint16_t>(in[clamp(first + i, args.width)] * factor);
        }
    }
}

/* ---- multiply ------------------------------------------------------------------------------- */

/** All planes of a pair of rows, from pairs of samples. */
template <bool deep> VX_INLINE void multiply(U32 r, U32 d, U32 *planes)
{
    planes[kMeanR] = r ^ kBias;
    planes[kMeanD] = d ^ kBias;
    planes[kSquareRR] = vx::multiply_high16(r, r) ^ kBias;
    planes[kSquareDD] = vx::multiply_high16(d, d) ^ kBias;
    planes[kSquareRD] = vx::multiply_high16(r, d) ^ kBias;
    if constexpr (deep) {
        planes[kLowRR] = vx::multiply_low16(r, r) ^ kBias;
        planes[kLowDD] = vx::multiply_low16(d, d) ^ kBias;
        planes[kLowRD] = vx::multiply_low16(r, d) ^ kBias;
    }
}

template <bool deep, class T> VX_INLINE void fill_ring(T &tile, int slot, int at, U32 r, U32 d)
{
    if constexpr (kKeepProducts) {
        U32 planes[T::kPlanes];
        multiply<deep>(r, d, planes);
        VX_UNROLL
        for (int k = 0; k < T::kPlanes; ++k)
            vx::store(&tile.ring[k][slot][at], planes[k]);
    } else {
        vx::store(&tile.ring[0][slot][at], r);
        vx::store(&tile.ring[1][slot][at], d);
    }
}

/** A block's even columns come first in the ring, then its odd ones. */
template <bool deep, class T> VX_INLINE void pair_rows(T &tile, int slot, int at)
{
    const U32 r0 = vx::load(&tile.staged[0][0][at]), r1 = vx::load(&tile.staged[0][1][at]);
    const U32 d0 = vx::load(&tile.staged[1][0][at]), d1 = vx::load(&tile.staged[1][1][at]);
    fill_ring<deep>(tile, slot, at, vx::join_low16(r0, r1), vx::join_low16(d0, d1));
    fill_ring<deep>(tile, slot, at + vx::kLanes, vx::join_high16(r0, r1), vx::join_high16(d0, d1));
}

/* ---- vertical ------------------------------------------------------------------------------- */

/** Filtered sums of a block in two rows. */
struct ColumnSums {
    U32 even[2], odd[2];
};

template <int scale> VX_INLINE void start(ColumnSums &s)
{
    s = {{vx::splat(0), vx::splat(0)}, {vx::splat(0), vx::splat(0)}};
}

template <int scale> VX_INLINE void finish(ColumnSums &s)
{
    for (int y = 0; y < 2; ++y) {
        s.even[y] = s.even[y] << doubled(scale);
        s.odd[y] = s.odd[y] << doubled(scale);
    }
}

VX_INLINE void accumulate(ColumnSums &s, U32 even, U32 odd, U32 taps0, U32 taps1)
{
    s.even[0] = vx::dot2_add(s.even[0], even, taps0);
    s.even[1] = vx::dot2_add(s.even[1], even, taps1);
    s.odd[0] = vx::dot2_add(s.odd[0], odd, taps0);
    s.odd[1] = vx::dot2_add(s.odd[1], odd, taps1);
}

/** The window starts at slot `first` of the ring. */
template <int scale, class T>
VX_INLINE ColumnSums column_sums(const T &tile, int plane, int at, int first)
{
    const uint32_t *taps0 = kTapPairs[scale].ring[0] + (T::kPairs - first);
    const uint32_t *taps1 = kTapPairs[scale].ring[1] + (T::kPairs - first);
    ColumnSums s;
    start<scale>(s);
    VX_ROLLED
    for (int k = 0; k < T::kPairs; ++k) {
        const uint32_t *p = &tile.ring[plane][k][at];
        accumulate(s, vx::load(p), vx::load(p + vx::kLanes), vx::splat(taps0[k]),
                   vx::splat(taps1[k]));
    }
    finish<scale>(s);
    return s;
}

template <int scale, bool deep, class T>
VX_INLINE void column_sums_of_all(const T &tile, int at, int first, ColumnSums *all)
{
    const uint32_t *taps0 = kTapPairs[scale].ring[0] + (T::kPairs - first);
    const uint32_t *taps1 = kTapPairs[scale].ring[1] + (T::kPairs - first);
    for (int k = 0; k < T::kPlanes; ++k)
        start<scale>(all[k]);
    VX_ROLLED
    for (int k = 0; k < T::kPairs; ++k) {
        const uint32_t *r = &tile.ring[0][k][at];
        const uint32_t *d = &tile.ring[1][k][at];
        U32 even[T::kPlanes], odd[T::kPlanes];
        multiply<deep>(vx::load(r), vx::load(d), even);
        multiply<deep>(vx::load(r + vx::kLanes), vx::load(d + vx::kLanes), odd);
        VX_UNROLL
        for (int plane = 0; plane < T::kPlanes; ++plane)
            accumulate(all[plane], even[plane], odd[plane], vx::splat(taps0[k]),
                       vx::splat(taps1[k]));
    }
    for (int k = 0; k < T::kPlanes; ++k)
        finish<scale>(all[k]);
}

/** Two rows of one block. */
template <int scale, bool deep, class T> VX_INLINE void vertical(T &tile, int at, int first)
{
    [[maybe_unused]] ColumnSums all[T::kPlanes];
    if constexpr (!kKeepProducts)
        column_sums_of_all<scale, deep>(tile, at, first, all);
    const auto sums_of = [&](int plane) __attribute__((always_inline)) {
        if constexpr (kKeepProducts)
            return column_sums<scale>(tile, plane, at, first);
        else
            return all[plane];
    };

    VX_UNROLL
    for (int k = 0; k < 2; ++k) {
        const ColumnSums s = sums_of(kMeanR + k);
        for (int y = 0; y < 2; ++y)
            vx::store(&tile.row[y][kRowMeanR + k][at],
                      vx::join_high16(s.even[y] + 32768u, s.odd[y] + 32768u));
    }
    VX_UNROLL
    for (int k = 0; k < 3; ++k) {
        ColumnSums s = sums_of(kSquareRR + k);
        if constexpr (deep) {
            const ColumnSums low = sums_of(kLowRR + k);
            for (int y = 0; y < 2; ++y) {
                s.even[y] += (low.even[y] + (kSumBias + 32768u)) >> 16;
                s.odd[y] += (low.odd[y] + (kSumBias + 32768u)) >> 16;
            }
        }
        for (int y = 0; y < 2; ++y) {
            vx::store(&tile.row[y][kRowHigh + k][at], vx::join_high16(s.even[y], s.odd[y]));
            vx::store(&tile.row[y][kRowLow + k][at], vx::join_low16(s.even[y], s.odd[y]) ^ kBias);
        }
    }
}

/** The upper of the two rows, through the filter of the next scale. */
template <int scale, class T> VX_INLINE void vertical_next(T &tile, int at, int first)
{
    constexpr int next = scale + 1;
    constexpr int pairs = radius_of(next) + 1;
    constexpr int skipped = (radius_of(scale) - radius_of(next)) / 2;
    VX_UNROLL
    for (int picture = 0; picture < 2; ++picture) {
        U32 even = vx::splat(0), odd = vx::splat(0);
        VX_UNROLL
        for (int k = 0; k < pairs; ++k) {
            int slot = first + skipped + k;
            slot -= slot >= T::kPairs ? T::kPairs : 0;
            const uint32_t *p = &tile.ring[picture][slot][at];
            const U32 taps = vx::splat(kTapPairs[next].row[k]);
            const uint32_t bias = kKeepProducts ? 0 : kBias;
            even = vx::dot2_add(even, vx::load(p) ^ bias, taps);
            odd = vx::dot2_add(odd, vx::load(p + vx::kLanes) ^ bias, taps);
        }
        even = (even << doubled(next)) + 32768u;
        odd = (odd << doubled(next)) + 32768u;
        vx::store(&tile.next_row[picture][at], vx::join_high16(even, odd));
    }
}

/* ---- horizontal ----------------------------------------------------------------------------- */

template <int scale> VX_INLINE U32 row_sum(const uint16_t *row)
{
    constexpr int pairs = radius_of(scale) + 1;
    U32 sum = vx::splat(0);
    VX_UNROLL
    for (int k = 0; k < pairs; ++k)
        sum = vx::dot2_add(sum, vx::load(row + 2 * k), vx::splat(kTapPairs[scale].row[k]));
    return sum << doubled(scale);
}

template <int scale> VX_INLINE U32 square_sum(const uint16_t *high, const uint16_t *low)
{
    return row_sum<scale>(high) + kSumBias + ((row_sum<scale>(low) + (kSumBias + 32768u)) >> 16);
}

/** Every second pixel of a block, from column `at` on. */
template <int scale, class T>
VX_INLINE void horizontal(const VifArgs &args, const T &tile, int y, int at, int count,
                          PixelSums &sums)
{
    const auto &row = tile.row[y];
    Moments m;
    m.mean_r = row_sum<scale>(&row[kRowMeanR][at]) + kSumBias;
    m.mean_d = row_sum<scale>(&row[kRowMeanD][at]) + kSumBias;
    m.square_rr = square_sum<scale>(&row[kRowHigh][at], &row[kRowLow][at]);
    m.square_dd = square_sum<scale>(&row[kRowHigh + 1][at], &row[kRowLow + 1][at]);
    m.square_rd = square_sum<scale>(&row[kRowHigh + 2][at], &row[kRowLow + 2][at]);
    if (count < vx::kLanes) {
        const U32 inside = vx::less(vx::lane_index(), count);
        m.mean_r = m.mean_r & inside;
        m.mean_d = m.mean_d & inside;
        m.square_rr = m.square_rr & inside;
        m.square_dd = m.square_dd & inside;
        m.square_rd = m.square_rd & inside;
    }
    add_pixels(args, m, sums);
}

template <int scale, class T>
VX_INLINE void horizontal_next(const VifArgs &args, const Place &place, const T &tile, int y,
                               int picture, int at)
{
    constexpr int next = scale + 1;
    constexpr int skipped = radius_of(scale) - radius_of(next);
    uint16_t *plane = picture == 0 ? args.next_reference : args.next_distorted;
    uint16_t *out = plane + static_cast<uint64_t>(y / 2) * (args.next_pitch / 2);
    const U32 sum = row_sum<next>(&tile.next_row[picture][at + skipped]);
    vx::store_low16(out + (place.x0 + at) / 2, (sum + (kSumBias + 32768u)) >> 16);
}

/* ---- tile ----------------------------------------------------------------------------------- */

/** Two rows of a tile, whose window starts at slot `first`. */
template <int scale, bool deep, class T>
VX_INLINE void two_rows(const VifArgs &args, const Place &place, T &tile, const vx::Group &group,
                        int y, int first, PixelSums &sums)
{
    const bool wants_sums = args.results != nullptr;
    const bool wants_next = scale < 3 && args.next_reference != nullptr && y / 2 < args.height / 2;
    if (wants_sums) {
        VX_LANES_FOR (group, i, place.columns / kBlock) {
            vertical<scale, deep>(tile, i * kBlock, first);
        }
    }
    if constexpr (scale < 3) {
        if (wants_next) {
            VX_LANES_FOR (group, i, place.columns / kBlock) {
                vertical_next<scale>(tile, i * kBlock, first);
            }
        }
    }
    VX_SYNC(group);

    const int blocks = (place.width + kBlock - 1) / kBlock;
    if (wants_sums) {
        VX_LANES_FOR2 (group, dy, i, smaller(2, place.end - y), blocks) {
            const int at = i * kBlock;
            const int left = place.width - at; /* columns of the block that are in the picture */
            if constexpr (VX_WIDE) {
                horizontal<scale>(args, tile, dy, at, (left + 1) / 2, sums);
                horizontal<scale>(args, tile, dy, at + 1, left / 2, sums);
            } else {
                VX_ROLLED
                for (int odd = 0; odd < 2; ++odd)
                    horizontal<scale>(args, tile, dy, at + odd, (left + 1 - odd) / 2, sums);
            }
        }
    }
    if constexpr (scale < 3) {
        if (wants_next) {
            VX_LANES_FOR2 (group, picture, i, 2, blocks) {
                horizontal_next<scale>(args, place, tile, y, picture, i * kBlock);
            }
        }
    }
}

template <int scale, bool deep, class Sample, class T>
VX_INLINE void run(const VifArgs &args, T &tile, const vx::Group &group)
{
    const Place place = place_of<scale, deep>(args, group);
    if (place.width <= 0 || place.y0 >= place.end)
        return;

    PixelSums sums;
    clear(sums);
    int slot = 0; /* of the ring's newest pair */
    for (int y = place.y0 - T::kRadius; y < place.end + T::kRadius; y += 2) {
        stage<scale, Sample>(args, place, tile, group, y);
        VX_SYNC(group);
        VX_LANES_FOR (group, i, place.columns / kBlock) {
            pair_rows<deep>(tile, slot, i * kBlock);
        }
        VX_SYNC(group);
        const int first = slot + 1 == T::kPairs ? 0 : slot + 1;
        const int output = y - T::kRadius; /* the ring holds rows output - r .. output + 1 + r */
        if (output >= place.y0)
            two_rows<scale, deep>(args, place, tile, group, output, first, sums);
        slot = first;
    }

    if (args.results == nullptr)
        return;
    vx::sums_clear(group, tile.sums);
    const int64_t count = vx::sum_lanes((vx::I32)sums.log_count);
    vx::sums_add(group, tile.sums, kVifLogCount, -count);
    vx::sums_add(group, tile.sums, kVifLogDen, vx::sum_lanes(sums.log_den));
    vx::sums_add(group, tile.sums, kVifPlainNum, static_cast<int64_t>(vx::total(sums.plain_num)));
    for (int k = 0; k < kVifGains; ++k)
        vx::sums_add(group, tile.sums, kVifLogNum + k, vx::sum_lanes(sums.log_num[k]));
    vx::sums_store(group, tile.sums, args.results);
}

using Tile0Byte = Tile<0, false>;
using Tile0 = Tile<0, true>;
using Tile1 = Tile<1, true>;
using Tile2 = Tile<2, true>;
using Tile3 = Tile<3, true>;

} // namespace vif_kernels

VX_KERNEL(vif_scale0_8, VifArgs, vif_kernels::Tile0Byte, kVifThreads)
{
    vif_kernels::run<0, false, uint8_t>(args, tile, group);
}

VX_KERNEL(vif_scale0_16, VifArgs, vif_kernels::Tile0, kVifThreads)
{
    vif_kernels::run<0, true, uint16_t>(args, tile, group);
}

VX_KERNEL(vif_scale1, VifArgs, vif_kernels::Tile1, kVifThreads)
{
    vif_kernels::run<1, true, uint16_t>(args, tile, group);
}

VX_KERNEL(vif_scale2, VifArgs, vif_kernels::Tile2, kVifThreads)
{
    vif_kernels::run<2, true, uint16_t>(args, tile, group);
}

VX_KERNEL(vif_scale3, VifArgs, vif_kernels::Tile3, kVifThreads)
{
    vif_kernels::run<3, true, uint16_t>(args, tile, group);
}
