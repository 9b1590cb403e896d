/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a row of a wavelet transform of four taps reads and computes: output i filters inputs 2i - 1
 * to 2i + 2.
 */
#ifndef VMAFX_FEATURES_DWT_SPAN_H
#define VMAFX_FEATURES_DWT_SPAN_H

#include "kernels/kernel.h"

namespace dwt
{

/** Where the sample at position p of 0..n-1 is found: -1 mirrors, the far end repeats. */
VX_INLINE int position(int p, int n)
{
    return p < 0 ? 1 : p >= n ? 2 * n - 1 - p : p;
}

/** What a tile computes of a row. */
struct Span {
    int x;                        /* of the tile's first output */
    int count;                    /* outputs */
    int detail_first, detail_end; /* of the tile's outputs: those with details */
    int input;                    /* position of the tile's first input */
    int input_first, input_end;   /* inputs that lie in the picture */
};

/** Of the group's tile, of at most `columns` outputs. */
template <class Args> VX_INLINE Span span_of(const Args &args, const vx::Group &group, int columns)
{
    const int x = static_cast<int>(group.x) * columns;
    Span s;
    s.x = x;
    s.count = vx::smaller(columns, args.out[0].width - x);
    s.detail_first = vx::smaller(vx::larger(args.details.left - x, 0), s.count);
    s.detail_end = vx::larger(vx::smaller(args.details.right - x, s.count), s.detail_first);
    s.input = 2 * x - 1;
    s.input_first = x == 0 ? 1 : 0;
    s.input_end = vx::smaller(2 * s.count + 2, args.width - s.input);
    return s;
}

} // namespace dwt

#endif
