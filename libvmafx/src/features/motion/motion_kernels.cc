/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The difference of two pictures is low-passed with the taps 3571 16004 26386 16004 3571, first
 * down the columns, rounded to 1/256 of an 8-bit step, then along the rows, and its absolute values
 * are summed.
 *
 * All of it fits into 32 bits: the outer tap is odd and the others are even, so the weighted sum is
 * 2 * half + outer, and (sum + 2^(n-1)) >> n equals (half + ((outer + 2^(n-1)) >> 1)) >> (n-1).
 */
#include "features/motion/motion_kernels.h"

#include "kernels/four_samples.h"
#include "kernels/items.h"
#include "kernels/kernel.h"
#include "kernels/lanes.h"

namespace motion_kernels
{

using vx::larger;
using vx::smaller;

/** Rounded sum of five neighbours of magnitude < 2^16: middle, its two neighbours' sum and the
 * outer two's sum; divided by 2^shift. */
VX_INLINE int32_t filtered(int32_t middle, int32_t inner, int32_t outer, int shift)
{
    const int32_t half = 1785 * outer + 8002 * inner + 13193 * middle;
    return (half + ((outer + (1 << (shift - 1))) >> 1)) >> (shift - 1);
}

VX_INLINE int32_t filtered_row(const int32_t *in)
{
    return filtered(in[2], in[1] + in[3], in[0] + in[4], 16);
}

VX_INLINE uint32_t magnitude(int32_t v)
{
    return static_cast<uint32_t>(v < 0 ? -v : v);
}

#if VX_CPU_TILES

constexpr int kRadius = 2;
constexpr int kSpan = kMotionCpuShape.width + 2 * kRadius; /* columns that a tile needs */

template <class T> struct Tile;

template <> struct Tile<uint16_t> {
    vx::Sums<1> sums;
    int32_t column[kSpan]; /* a row's differences filtered down the columns */
};

/** The ten rows that one filtered row needs. */
struct Rows {
    const vx::SampleOf<uint16_t>::type *previous[5];
    const vx::SampleOf<uint16_t>::type *current[5];
    int bits;
};

VX_INLINE Rows rows_around(const MotionArgs &args, int y)
{
    Rows rows;
    rows.bits = args.bits;
    VX_UNROLL
    for (int k = 0; k < 5; ++k) {
        const int at = vx::mirror(y - kRadius + k, args.height);
        rows.previous[k] = vx::row_of<uint16_t>(args.previous, args.previous_pitch, at);
        rows.current[k] = vx::row_of<uint16_t>(args.current, args.current_pitch, at);
    }
    return rows;
}

VX_INLINE int32_t difference(const Rows &rows, int k, int x)
{
    return static_cast<int32_t>(rows.previous[k][x]) - static_cast<int32_t>(rows.current[k][x]);
}

VX_INLINE int32_t filtered_column(const Rows &rows, int x)
{
    return filtered(difference(rows, 2, x), difference(rows, 1, x) + difference(rows, 3, x),
                    difference(rows, 0, x) + difference(rows, 4, x), rows.bits);
}

/** A row: a contiguous loop over columns of the picture, then the at most four that
 *  are mirrored. */
VX_INLINE void filter_columns(const vx::Group &group, const MotionArgs &args, Tile<uint16_t> &tile,
                              int x0, int y)
{
    const Rows source = rows_around(args, y);
    const int begin = x0 - kRadius;
    const int first = larger(begin, 0);
    const int last = smaller(x0 + kMotionCpuShape.width + kRadius, args.width);
    int32_t *const out = tile.column + (first - begin);
    VX_FOR (group, i, last - first) {
        out[i] = filtered_column(source, first + i);
    }
    for (int x = begin; x < first; ++x)
        tile.column[x - begin] = filtered_column(source, -x);
    const int end = smaller(args.width + kRadius, x0 + kMotionCpuShape.width + kRadius);
    for (int x = last; x < end; ++x)
        tile.column[x - begin] = filtered_column(source, vx::mirror(x, args.width));
}

VX_INLINE uint32_t filter_rows(const vx::Group &group, const Tile<uint16_t> &tile, int cols)
{
    uint32_t sum = 0;
    const int32_t *const in = tile.column;
    VX_FOR (group, x, cols) {
        sum += magnitude(filtered_row(in + x));
    }
    return sum;
}

/* Of bytes, differences take 16 bits, so that two taps are multiplied at once down the columns, and
 * each row is subtracted once. Filtered columns lie apart, the even ones and the odd ones. */

constexpr int kBlock = 2 * vx::kLanes; /* columns of a register */
constexpr int kBlocks = (kSpan + kBlock - 1) / kBlock;

template <> struct Tile<uint8_t> {
    vx::Sums<1> sums;
    alignas(64) int16_t difference[5][kBlocks * kBlock]; /* of row y at (y + kRadius) % 5 */
    alignas(64) int32_t even[kBlocks * vx::kLanes];
    alignas(64) int32_t odd[kBlocks * vx::kLanes];
};

VX_INLINE void subtract_row(const MotionArgs &args, Tile<uint8_t> &tile, int x0, int y)
{
    int16_t *const out = tile.difference[(y + kRadius) % 5];
    const int at = vx::mirror(y, args.height);
    const uint8_t *const previous = vx::row_of<uint8_t>(args.previous, args.previous_pitch, at);
    const uint8_t *const current = vx::row_of<uint8_t>(args.current, args.current_pitch, at);
    const int begin = x0 - kRadius, end = x0 + kMotionCpuShape.width + kRadius;
    const int first = larger(begin, 0), last = smaller(end, args.width);
    if (last - first >= kBlock) {
        /* The last block is moved back to end with the row. */
        for (int x = first; x < last; x += kBlock) {
            const int block = smaller(x, last - kBlock);
            vx::store(out + (block - begin), (vx::U32)((vx::U16)vx::load_bytes(previous + block) -
                                                       (vx::U16)vx::load_bytes(current + block)));
        }
    } else {
        for (int x = first; x < last; ++x)
            out[x - begin] = static_cast<int16_t>(previous[x] - current[x]);
    }
    for (int x = begin; x < first; ++x)
        out[x - begin] = out[-x - begin];
    for (int x = last; x < smaller(end, args.width + kRadius); ++x)
        out[x - begin] = out[vx::mirror(x, args.width) - begin];
}

VX_INLINE vx::U32 both(int low, int high)
{
    return vx::splat(static_cast<uint32_t>(low) | static_cast<uint32_t>(high) << 16);
}

/** As filtered(), for 8 bits. */
VX_INLINE void filter_columns(const vx::Group &, const MotionArgs &args, Tile<uint8_t> &tile,
                              int x0, int y)
{
    subtract_row(args, tile, x0, y + kRadius);
    const int16_t *rows[5];
    for (int k = 0; k < 5; ++k)
        rows[k] = tile.difference[(y + k) % 5];
    const int columns = smaller(kMotionCpuShape.width, args.width - x0) + 2 * kRadius;
    const vx::U32 outer_inner = both(3571, 16004), middle_half = both(26386, 1 << 7);
    const vx::U32 one = both(1, 1);
    const auto sum = [](const int16_t *a, const int16_t *b) {
        return (vx::U32)((vx::U16)vx::load(a) + (vx::U16)vx::load(b));
    };
    for (int x = 0; x < columns; x += kBlock) {
        const vx::U32 outer = sum(rows[0] + x, rows[4] + x), inner = sum(rows[1] + x, rows[3] + x),
                      middle = vx::load(rows[2] + x);
        const vx::I32 even = vx::dot2(vx::join_low16(outer, inner), outer_inner) +
                             vx::dot2(vx::join_low16(middle, one), middle_half);
        const vx::I32 odd = vx::dot2(vx::join_high16(outer, inner), outer_inner) +
                            vx::dot2(vx::join_high16(middle, one), middle_half);
        vx::store(tile.even + x / 2, (vx::U32)(even >> 8));
        vx::store(tile.odd + x / 2, (vx::U32)(odd >> 8));
    }
}

VX_INLINE uint32_t filter_rows(const vx::Group &group, const Tile<uint8_t> &tile, int cols)
{
    uint32_t sum = 0;
    const int32_t *const even = tile.even, *const odd = tile.odd;
    VX_FOR (group, j, cols / 2) {
        sum += magnitude(filtered(even[j + 1], odd[j] + odd[j + 1], even[j] + even[j + 2], 16)) +
               magnitude(filtered(odd[j + 1], even[j + 1] + even[j + 2], odd[j] + odd[j + 2], 16));
    }
    if (cols % 2 != 0) {
        const int j = cols / 2;
        sum += magnitude(filtered(even[j + 1], odd[j] + odd[j + 1], even[j] + even[j + 2], 16));
    }
    return sum;
}

/** The rows above the first one that is filtered, and those below but for the last. */
VX_INLINE void start(const MotionArgs &args, Tile<uint8_t> &tile, int x0, int top)
{
    for (int y = top - kRadius; y < top + kRadius; ++y)
        subtract_row(args, tile, x0, y);
}
VX_INLINE void start(const MotionArgs &, Tile<uint16_t> &, int, int) {}

template <class T>
VX_INLINE void body(const MotionArgs &args, Tile<T> &tile, const vx::Group &group)
{
    const int x0 = static_cast<int>(group.x) * kMotionCpuShape.width;
    const int top = static_cast<int>(group.y) * args.rows;
    const int bottom = smaller(top + args.rows, args.height);
    const int cols = smaller(kMotionCpuShape.width, args.width - x0);

    vx::sums_clear(group, tile.sums);
    start(args, tile, x0, top);
    uint64_t sum = 0;
    for (int y = top; y < bottom; ++y) {
        filter_columns(group, args, tile, x0, y);
        sum += filter_rows(group, tile, cols);
    }
    vx::sums_add(group, tile.sums, 0, static_cast<int64_t>(sum));
    vx::sums_store(group, tile.sums, args.sad);
}

#else

/* An item walks down four columns and keeps the differences of the rows around the one it filters.
 * It sees the columns beside its own in tile memory; the first and the last item only serve those.
 */
template <class T> struct Tile {
    vx::Sums<1> sums;
    vx::AlignedFour<int32_t> column[2][kMotionThreads]; /* of even and of odd rows */
};

struct Planes {
    const void *previous, *current;
    uint64_t previous_pitch, current_pitch;
    int width, height;
    bool previous_aligned, current_aligned;
};

template <class T> VX_INLINE vx::Four difference(const Planes &planes, int x, int y)
{
    const int at = vx::mirror(y, planes.height);
    const auto place = [width = planes.width](int column) {
        return larger(vx::mirror(column, width), 0);
    };
    const vx::Four a = vx::load_four<T>(vx::row_of<T>(planes.previous, planes.previous_pitch, at),
                                        x, planes.width, planes.previous_aligned, place);
    const vx::Four b = vx::load_four<T>(vx::row_of<T>(planes.current, planes.current_pitch, at), x,
                                        planes.width, planes.current_aligned, place);
    vx::Four out;
    VX_UNROLL
    for (int k = 0; k < 4; ++k)
        out.v[k] = a.v[k] - b.v[k];
    return out;
}

/** The absolute values of an item's filtered differences, of those columns that the picture has. */
VX_INLINE uint32_t filtered_columns(const vx::AlignedFour<int32_t> *column, int columns)
{
    const vx::AlignedFour<int32_t> left = column[-1], own = column[0], right = column[1];
    const int32_t v[8] = {left.v[2], left.v[3], own.v[0],   own.v[1],
                          own.v[2],  own.v[3],  right.v[0], right.v[1]};
    uint32_t sum = 0;
    VX_UNROLL
    for (int k = 0; k < 4; ++k)
        sum += magnitude(filtered_row(v + k)) & (0u - static_cast<uint32_t>(k < columns));
    return sum;
}

template <class T>
VX_INLINE void body(const MotionArgs &args, Tile<T> &tile, const vx::Group &group)
{
    const Planes planes = {args.previous,
                           args.current,
                           args.previous_pitch,
                           args.current_pitch,
                           args.width,
                           args.height,
                           vx::fours_are_aligned<T>(args.previous, args.previous_pitch),
                           vx::fours_are_aligned<T>(args.current, args.current_pitch)};
    const int bits = args.bits;
    const int x0 = static_cast<int>(group.x) * kMotionGpuShape.width - 4; /* of item 0 */
    const int top = static_cast<int>(group.y) * args.rows;
    const int bottom = smaller(top + args.rows, args.height);

    vx::sums_clear(group, tile.sums);
    vx::Items<vx::Four, kMotionThreads> row0, row1, row2, row3; /* from two above to one below */
    vx::Items<uint32_t, kMotionThreads> sums;
    VX_ITEMS(group, i, kMotionThreads)
    {
        row0[i] = difference<T>(planes, x0 + 4 * i, top - 2);
        row1[i] = difference<T>(planes, x0 + 4 * i, top - 1);
        row2[i] = difference<T>(planes, x0 + 4 * i, top);
        row3[i] = difference<T>(planes, x0 + 4 * i, top + 1);
        sums[i] = 0;
    }
    for (int y = top; y < bottom; ++y) {
        vx::AlignedFour<int32_t> *const column = tile.column[y % 2];
        VX_ITEMS(group, i, kMotionThreads)
        {
            const vx::Four row4 = difference<T>(planes, x0 + 4 * i, y + 2);
            vx::AlignedFour<int32_t> down;
            VX_UNROLL
            for (int k = 0; k < 4; ++k)
                down.v[k] = filtered(row2[i].v[k], row1[i].v[k] + row3[i].v[k],
                                     row0[i].v[k] + row4.v[k], bits);
            column[i] = down;
            row0[i] = row1[i];
            row1[i] = row2[i];
            row2[i] = row3[i];
            row3[i] = row4;
        }
        VX_SYNC(group);
        VX_ITEMS(group, i, kMotionThreads)
        {
            if (i > 0 && i < kMotionThreads - 1)
                sums[i] += filtered_columns(column + i, args.width - (x0 + 4 * i));
        }
    }
    uint64_t sum = 0;
    VX_ITEMS(group, i, kMotionThreads)
    {
        sum += sums[i];
    }
    vx::sums_add(group, tile.sums, 0, static_cast<int64_t>(sum));
    vx::sums_store(group, tile.sums, args.sad);
}

#endif

} // namespace motion_kernels

VX_KERNEL(motion_8, MotionArgs, motion_kernels::Tile<uint8_t>, kMotionThreads)
{
    motion_kernels::body<uint8_t>(args, tile, group);
}

VX_KERNEL(motion_16, MotionArgs, motion_kernels::Tile<uint16_t>, kMotionThreads)
{
    motion_kernels::body<uint16_t>(args, tile, group);
}
