/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A tile of ADM's wavelet transform on a CPU: row by row, in loops over its columns.
 */
#ifndef VMAFX_FEATURES_ADM_DWT_ROWS_H
#define VMAFX_FEATURES_ADM_DWT_ROWS_H

#include "features/adm/adm_dwt_arithmetic.h"

#include "kernels/lanes.h"

#if VX_CPU_TILES

namespace adm_dwt_kernels
{

using dwt::Span;

constexpr int kColumns = 2 * kAdmDwtCpuShape.columns + 2; /* inputs that one row of outputs reads */

/** What is left of a row of outputs by the vertical pass. */
template <class Value> struct Tile {
    alignas(64) Value low[kColumns + 62];
    alignas(64) Value high[kColumns + 62];
};

/** The horizontal pass: output i of a row of the tile. */
typedef int32_t __attribute__((may_alias)) TwoValues; /* the first in the low half */
VX_INLINE int16_t across(const int (&taps)[4], const int16_t *row, int i, uint32_t shift)
{
    /* Words in place of a load of every other value, which costs permutations. */
    const TwoValues *VX_RESTRICT pairs = reinterpret_cast<const TwoValues *>(row);
    const uint32_t ab = static_cast<uint32_t>(pairs[i]);
    const uint32_t cd = static_cast<uint32_t>(pairs[i + 1]);
    return across(taps, static_cast<int16_t>(ab), static_cast<int16_t>(ab >> 16),
                  static_cast<int16_t>(cd), static_cast<int16_t>(cd >> 16), shift);
}
VX_INLINE int32_t across(const int (&taps)[4], const int32_t *row, int i, uint32_t shift)
{
    return across(taps, row[2 * i], row[2 * i + 1], row[2 * i + 2], row[2 * i + 3], shift);
}

#if VX_WIDE

/* Products of 16-bit values, two at a time. A block that would run over the end of a row is moved
 * back to end there. */

struct PairsOfTaps {
    vx::U32 first, last;
    explicit PairsOfTaps(const int (&taps)[4])
        : first(pair(taps[0], taps[1])), last(pair(taps[2], taps[3]))
    {
    }
    static vx::U32 pair(int low, int high)
    {
        return vx::splat((static_cast<uint32_t>(low) & 0xffffu) | static_cast<uint32_t>(high)
                                                                      << 16);
    }
    vx::U32 operator()(uint32_t offset, vx::U32 ab, vx::U32 cd) const
    {
        return vx::dot2_add(vx::dot2_add(vx::splat(offset), ab, first), cd, last);
    }
};

constexpr int kBytes = 2 * vx::kLanes; /* of a block of columns */

/** PictureColumns for bytes: one block of columns, of even and of odd ones. */
VX_INLINE void store_columns(const PairsOfTaps &taps, uint32_t offset, vx::U32 even_ab,
                             vx::U32 even_cd, vx::U32 odd_ab, vx::U32 odd_cd, int16_t *out)
{
    const auto even = (vx::I32)taps(offset, even_ab, even_cd) >> 8;
    const auto odd = (vx::I32)taps(offset, odd_ab, odd_cd) >> 8;
    vx::store(out, vx::join_low16((vx::U32)even, (vx::U32)odd));
}

/** Both halves of the vertical pass, of at least kBytes columns. */
VX_INLINE void columns_of_bytes(const uint8_t *const (&rows)[4], int count, int16_t *low,
                                int16_t *high)
{
    constexpr uint32_t kHalf = 128;
    const PairsOfTaps low_taps(kLow), high_taps(kHigh);
    for (int x = 0; x < count; x += kBytes) {
        const int at = smaller(x, count - kBytes);
        const vx::U32 a = vx::load_bytes(rows[0] + at), b = vx::load_bytes(rows[1] + at),
                      c = vx::load_bytes(rows[2] + at), d = vx::load_bytes(rows[3] + at);
        const vx::U32 even_ab = vx::join_low16(a, b), even_cd = vx::join_low16(c, d),
                      odd_ab = vx::join_high16(a, b), odd_cd = vx::join_high16(c, d);
        store_columns(low_taps, kHalf - kLowSum * kHalf, even_ab, even_cd, odd_ab, odd_cd,
                      low + at);
        store_columns(high_taps, kHalf, even_ab, even_cd, odd_ab, odd_cd, high + at);
    }
}

/** The horizontal pass for at least kLanes outputs. */
VX_INLINE void across_lanes(const int (&row_taps)[4], const int16_t *in, int count, int16_t *out)
{
    const PairsOfTaps taps(row_taps);
    for (int i = 0; i < count; i += vx::kLanes) {
        const int at = smaller(i, count - vx::kLanes);
        const vx::U32 sum = taps(32768, vx::load(in + 2 * at), vx::load(in + 2 * at + 2));
        vx::store_low16(reinterpret_cast<uint16_t *>(out + at), sum >> 16);
    }
}

#endif

template <class Sample, class Value, class Columns>
VX_INLINE void columns_of_row(const AdmDwtArgs &args, Tile<Value> &tile, const vx::Group &group,
                              const Span &span, int y, bool details, const Columns &columns)
{
    /* Not by reference to the arguments, from which the compiler could not tell device memory. */
    const auto row = [source = args.source[group.z], pitch = args.source_pitch[group.z], y,
                      height = args.height, x = span.input + span.input_first](int tap) {
        return source_row<Sample>(source, pitch, position(2 * y - 1 + tap, height)) + x;
    };
    const auto *VX_RESTRICT row0 = row(0);
    const auto *VX_RESTRICT row1 = row(1);
    const auto *VX_RESTRICT row2 = row(2);
    const auto *VX_RESTRICT row3 = row(3);
    Value *VX_RESTRICT low = tile.low + span.input_first;
#if VX_WIDE
    if constexpr (sizeof(Sample) == 1) {
        if (span.input_end - span.input_first >= kBytes)
            return columns_of_bytes({row0, row1, row2, row3}, span.input_end - span.input_first,
                                    low, tile.high + span.input_first);
    }
#endif

    VX_FOR (group, x, span.input_end - span.input_first) {
        low[x] = static_cast<Value>(columns(kLow, kLowSum, row0[x], row1[x], row2[x], row3[x]));
    }
    if (!details)
        return;
    const int first = larger(2 * span.detail_first, span.input_first);
    const int end = smaller(2 * span.detail_end + 2, span.input_end);
    Value *VX_RESTRICT high = tile.high + first;
    const int skip = first - span.input_first;

    VX_FOR (group, x, end - first) {
        high[x] = static_cast<Value>(
            columns(kHigh, 0, row0[skip + x], row1[skip + x], row2[skip + x], row3[skip + x]));
    }
}

/** Fills the inputs outside of the picture, which are copies of columns inside. */
template <class Value>
VX_INLINE void mirror_columns(const AdmDwtArgs &args, Tile<Value> &tile, const Span &span)
{
    const auto copy = [&](int to) {
        const int from = position(span.input + to, args.width) - span.input;
        tile.low[to] = tile.low[from];
        tile.high[to] = tile.high[from];
    };
    if (span.input_first == 1)
        copy(0);
    for (int to = span.input_end; to < 2 * span.count + 2; ++to)
        copy(to);
}

template <class Value>
VX_INLINE void rows_out(const AdmDwtArgs &args, const Tile<Value> &tile, const vx::Group &group,
                        const Span &span, int y, bool details)
{
    const AdmBands &out = args.out[group.z];
    Value *VX_RESTRICT a =
        static_cast<Value *>(out.first) + static_cast<uint64_t>(y) * out.pitch + span.x;
    const Value *VX_RESTRICT low = tile.low;
    const int first = span.detail_first;
    const Value *VX_RESTRICT high = tile.high + 2 * first;
    Value *VX_RESTRICT h = a + out.plane + first;
    Value *VX_RESTRICT v = h + out.plane;
    Value *VX_RESTRICT d = v + out.plane;
#if VX_WIDE
    if constexpr (sizeof(Value) == 2) {
        const int count = span.detail_end - first;
        if (count >= vx::kLanes) {
            across_lanes(kLow, low, span.count, a);
            if (!details)
                return;
            across_lanes(kHigh, low + 2 * first, count, v);
            across_lanes(kLow, high, count, h);
            across_lanes(kHigh, high, count, d);
            return;
        }
    }
#endif

    VX_FOR (group, i, span.count) {
        a[i] = across(kLow, low, i, args.shift);
    }
    if (!details)
        return;
    low += 2 * first;

    VX_FOR (group, i, span.detail_end - first) {
        v[i] = across(kHigh, low, i, args.shift);
        h[i] = across(kLow, high, i, args.shift);
        d[i] = across(kHigh, high, i, args.shift);
    }
}

template <class Sample, class Value, class Columns>
VX_INLINE void body(const AdmDwtArgs &args, Tile<Value> &tile, const vx::Group &group,
                    const Columns &columns)
{
    const Span span = dwt::span_of(args, group, kAdmDwtCpuShape.columns);
    const int first = static_cast<int>(group.y) * args.rows;
    const int end = smaller(first + args.rows, args.out[0].height);
    for (int y = first; y < end; ++y) {
        const bool details = y >= args.details.top && y < args.details.bottom;
        columns_of_row<Sample>(args, tile, group, span, y, details, columns);
        mirror_columns(args, tile, span);
        rows_out(args, tile, group, span, y, details);
    }
}

} // namespace adm_dwt_kernels

#endif

#endif
