/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A tile of ADM's wavelet transform on a GPU. An item walks down four columns of the source, keeps
 * the rows that the next outputs need too, and gives two columns of outputs, for which it sees the
 * nearest columns of the items beside it. The first and the last item only serve those.
 */
#ifndef VMAFX_FEATURES_ADM_DWT_WALK_H
#define VMAFX_FEATURES_ADM_DWT_WALK_H

#include "features/adm/adm_dwt_arithmetic.h"

#include "kernels/four_samples.h"
#include "kernels/items.h"

#if !VX_CPU_TILES

namespace adm_dwt_kernels
{

static_assert(kAdmDwtGpuShape.columns == 2 * (kAdmThreads - 2));

using vx::Four; /* an item's columns */

template <class Value> struct __attribute__((may_alias, aligned(2 * sizeof(Value)))) Two {
    Value v[2];
};

/** The outer columns of each item after the vertical pass, for even and for odd rows. */
template <class Value> struct Tile {
    Two<Value> low[2][kAdmThreads];
    Two<Value> high[2][kAdmThreads];
};

struct Source {
    const void *data;
    uint64_t pitch;
    int width, height;
    bool aligned; /* see vx::fours_are_aligned */
};

template <class Sample> VX_INLINE Four load(const Source &source, int x, int y)
{
    const auto *row = source_row<Sample>(source.data, source.pitch, position(y, source.height));
    const auto place = [width = source.width](int at) { return larger(position(at, width), 0); };
    return vx::load_four<Sample>(row, x, source.width, source.aligned, place);
}

/** The vertical pass on four rows. */
template <class Columns>
VX_INLINE Four down(const int (&taps)[4], uint32_t offset, const Four &a, const Four &b,
                    const Four &c, const Four &d, const Columns &columns)
{
    Four out;
    VX_UNROLL
    for (int k = 0; k < 4; ++k)
        out.v[k] = columns(taps, offset, a.v[k], b.v[k], c.v[k], d.v[k]);
    return out;
}

/** An item's columns and the nearest ones beside them. */
template <class Value> struct Six {
    Value v[6];
};
template <class Value>
VX_INLINE Six<Value> with_neighbours(const Two<Value> *edges, const Four &own, int i)
{
    return {{edges[i - 1].v[1], static_cast<Value>(own.v[0]), static_cast<Value>(own.v[1]),
             static_cast<Value>(own.v[2]), static_cast<Value>(own.v[3]), edges[i + 1].v[0]}};
}

template <class Value>
VX_INLINE void store_two(Value *to, const int (&taps)[4], const Six<Value> &in, uint32_t shift)
{
    Two<Value> out;
    VX_UNROLL
    for (int k = 0; k < 2; ++k)
        out.v[k] =
            across(taps, in.v[2 * k], in.v[2 * k + 1], in.v[2 * k + 2], in.v[2 * k + 3], shift);
    *reinterpret_cast<Two<Value> *>(to) = out;
}

template <class Sample, class Value, class Columns>
VX_INLINE void body(const AdmDwtArgs &args, Tile<Value> &tile, const vx::Group &group,
                    const Columns &columns)
{
    Source source = {args.source[group.z], args.source_pitch[group.z], args.width, args.height,
                     false};
    source.aligned = vx::fours_are_aligned<Sample>(source.data, source.pitch);
    Value *const bands = static_cast<Value *>(args.out[group.z].first);
    const uint64_t plane = args.out[group.z].plane;
    const uint32_t pitch = args.out[group.z].pitch;
    const int width = args.out[group.z].width, height = args.out[group.z].height;
    const AdmRect details = args.details;
    const uint32_t shift = args.shift;
    const int x0 = static_cast<int>(group.x) * kAdmDwtGpuShape.columns - 2; /* of item 0 */
    const int top = static_cast<int>(group.y) * args.rows;
    const int bottom = smaller(top + args.rows, height);

    vx::Items<Four, kAdmThreads> row0, row1, low, high;
    VX_ITEMS(group, i, kAdmThreads)
    {
        row0[i] = load<Sample>(source, 2 * x0 + 4 * i, 2 * top - 1);
        row1[i] = load<Sample>(source, 2 * x0 + 4 * i, 2 * top);
    }
    for (int y = top; y < bottom; ++y) {
        const bool detailed = y >= details.top && y < details.bottom;
        Two<Value> *const low_edges = tile.low[y % 2];
        Two<Value> *const high_edges = tile.high[y % 2];
        VX_ITEMS(group, i, kAdmThreads)
        {
            const Four row2 = load<Sample>(source, 2 * x0 + 4 * i, 2 * y + 1);
            const Four row3 = load<Sample>(source, 2 * x0 + 4 * i, 2 * y + 2);
            low[i] = down(kLow, kLowSum, row0[i], row1[i], row2, row3, columns);
            low_edges[i] = {{static_cast<Value>(low[i].v[0]), static_cast<Value>(low[i].v[3])}};
            if (detailed) {
                high[i] = down(kHigh, 0, row0[i], row1[i], row2, row3, columns);
                high_edges[i] = {
                    {static_cast<Value>(high[i].v[0]), static_cast<Value>(high[i].v[3])}};
            }
            row0[i] = row2;
            row1[i] = row3;
        }
        VX_SYNC(group);
        VX_ITEMS(group, i, kAdmThreads)
        {
            const int x = x0 + 2 * i;
            Value *const out = bands + static_cast<uint64_t>(y) * pitch + x;
            if (i > 0 && i < kAdmThreads - 1 && x < width) {
                const Six<Value> in = with_neighbours(low_edges, low[i], i);
                store_two(out, kLow, in, shift);
                if (detailed && x + 1 >= details.left && x < details.right) {
                    const Six<Value> in_high = with_neighbours(high_edges, high[i], i);
                    store_two(out + plane, kLow, in_high, shift);
                    store_two(out + 2 * plane, kHigh, in, shift);
                    store_two(out + 3 * plane, kHigh, in_high, shift);
                }
            }
        }
    }
}

} // namespace adm_dwt_kernels

#endif

#endif
