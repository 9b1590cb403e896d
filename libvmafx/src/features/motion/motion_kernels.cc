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

#include "kernels/kernel.h"

namespace motion_kernels
{

constexpr MotionShape kShape = VX_CPU_TILES ? kMotionCpuShape : kMotionGpuShape;
constexpr int kRadius = 2;
constexpr int kSpan = kShape.width + 2 * kRadius; /* columns that a tile needs */

struct Tile {
    vx::Sums<1> sums;
    int32_t column[kShape.rows][kSpan]; /* differences filtered down the columns */
};

VX_INLINE int smaller(int a, int b)
{
    return a < b ? a : b;
}
VX_INLINE int larger(int a, int b)
{
    return a > b ? a : b;
}

/** Rounded sum of five neighbours of magnitude < 2^16: middle, its two neighbours' sum and the
 * outer two's sum; divided by 2^shift. */
VX_INLINE int32_t filtered(int32_t middle, int32_t inner, int32_t outer, int shift)
{
    const int32_t half = 1785 * outer + 8002 * inner + 13193 * middle;
    return (half + ((outer + (1 << (shift - 1))) >> 1)) >> (shift - 1);
}

/** The ten rows that one filtered row needs. */
template <class T> struct Rows {
    const typename vx::SampleOf<T>::type *previous[5];
    const typename vx::SampleOf<T>::type *current[5];
    int bits;
};

template <class T> VX_INLINE Rows<T> rows_around(const MotionArgs &args, int y)
{
    Rows<T> rows;
    rows.bits = args.bits;
    VX_UNROLL
    for (int k = 0; k < 5; ++k) {
        const int at = vx::mirror(y - kRadius + k, args.height);
        rows.previous[k] = vx::row_of<T>(args.previous, args.previous_pitch, at);
        rows.current[k] = vx::row_of<T>(args.current, args.current_pitch, at);
    }
    return rows;
}

template <class T> VX_INLINE int32_t difference(const Rows<T> &rows, int k, int x)
{
    return static_cast<int32_t>(rows.previous[k][x]) - static_cast<int32_t>(rows.current[k][x]);
}

template <class T> VX_INLINE int32_t filtered_column(const Rows<T> &rows, int x)
{
    return filtered(difference(rows, 2, x), difference(rows, 1, x) + difference(rows, 3, x),
                    difference(rows, 0, x) + difference(rows, 4, x), rows.bits);
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

/** One row of the tile: a contiguous loop over columns of the picture, then the at most four that
 *  are mirrored. */
template <class T>
VX_INLINE void filter_columns(const vx::Group &group, const MotionArgs &args, Tile &tile, int x0,
                              int y0)
{
    static_assert(kShape.rows == 1);
    const Rows<T> source = rows_around<T>(args, y0);
    const int begin = x0 - kRadius;
    const int first = larger(begin, 0);
    const int last = smaller(x0 + kShape.width + kRadius, args.width);
    int32_t *const out = tile.column[0] + (first - begin);
    VX_FOR (group, i, last - first) {
        out[i] = filtered_column(source, first + i);
    }
    for (int x = begin; x < first; ++x)
        tile.column[0][x - begin] = filtered_column(source, -x);
    const int end = smaller(args.width + kRadius, x0 + kShape.width + kRadius);
    for (int x = last; x < end; ++x)
        tile.column[0][x - begin] = filtered_column(source, vx::mirror(x, args.width));
}

VX_INLINE uint32_t filter_rows(const vx::Group &group, const Tile &tile, int cols, int)
{
    uint32_t sum = 0;
    const int32_t *const in = tile.column[0];
    VX_FOR (group, x, cols) {
        sum += magnitude(filtered_row(in + x));
    }
    return sum;
}

#else

/* Constant trip counts keep divisions out of the loops; what lies outside of the picture is
 * computed from some sample and not summed. */
template <class T>
VX_INLINE void filter_columns(const vx::Group &group, const MotionArgs &args, Tile &tile, int x0,
                              int y0)
{
    VX_FOR2 (group, r, c, kShape.rows, kSpan) {
        const int x = smaller(x0 + c - kRadius, args.width + kRadius - 1);
        const Rows<T> source = rows_around<T>(args, smaller(y0 + r, args.height - 1));
        tile.column[r][c] = filtered_column(source, vx::mirror(x, args.width));
    }
}

VX_INLINE uint32_t filter_rows(const vx::Group &group, const Tile &tile, int cols, int rows)
{
    uint32_t sum = 0;
    VX_FOR2 (group, r, c, kShape.rows, kShape.width) {
        if (r < rows && c < cols)
            sum += magnitude(filtered_row(tile.column[r] + c));
    }
    return sum;
}

#endif

template <class T> VX_INLINE void body(const MotionArgs &args, Tile &tile, const vx::Group &group)
{
    const int x0 = static_cast<int>(group.x) * kShape.width;
    const int top = static_cast<int>(group.y) * kShape.height;
    const int bottom = smaller(top + kShape.height, args.height);
    const int cols = smaller(kShape.width, args.width - x0);

    vx::sums_clear(group, tile.sums);
    uint64_t sum = 0;
    for (int y = top; y < bottom; y += kShape.rows) {
        const int rows = smaller(kShape.rows, bottom - y);
        filter_columns<T>(group, args, tile, x0, y);
        VX_SYNC(group);
        sum += filter_rows(group, tile, cols, rows);
        VX_SYNC(group);
    }
    vx::sums_add(group, tile.sums, 0, static_cast<int64_t>(sum));
    vx::sums_store(group, tile.sums, args.sad);
}

} // namespace motion_kernels

VX_KERNEL(motion_8, MotionArgs, motion_kernels::Tile, kMotionThreads)
{
    motion_kernels::body<uint8_t>(args, tile, group);
}

VX_KERNEL(motion_16, MotionArgs, motion_kernels::Tile, kMotionThreads)
{
    motion_kernels::body<uint16_t>(args, tile, group);
}
