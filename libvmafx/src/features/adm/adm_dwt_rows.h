/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A tile of ADM's wavelet transform on a CPU: row by row, in loops over its columns.
 */
#ifndef VMAFX_FEATURES_ADM_DWT_ROWS_H
#define VMAFX_FEATURES_ADM_DWT_ROWS_H

#include "features/adm/adm_dwt_arithmetic.h"

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

    VX_FOR (group, i, span.count) {
        a[i] = across(kLow, low, i, args.shift);
    }
    if (!details)
        return;
    const int first = span.detail_first;
    low += 2 * first;
    const Value *VX_RESTRICT high = tile.high + 2 * first;
    Value *VX_RESTRICT h = a + out.plane + first;
    Value *VX_RESTRICT v = h + out.plane;
    Value *VX_RESTRICT d = v + out.plane;

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
