/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Four neighbouring samples of a row, which a GPU's thread reads at once where it can.
 */
#ifndef VMAFX_KERNELS_FOUR_SAMPLES_H
#define VMAFX_KERNELS_FOUR_SAMPLES_H

#include "kernels/kernel.h"

namespace vx
{

struct Four {
    int32_t v[4];
};

template <class T> struct __attribute__((may_alias, aligned(4 * sizeof(T)))) AlignedFour {
    T v[4];
};

/** true: four samples from a multiple of four on can be read at once in every row. */
template <class T> VX_INLINE bool fours_are_aligned(const void *plane, uint64_t pitch)
{
    return (reinterpret_cast<uintptr_t>(plane) | pitch) % sizeof(AlignedFour<T>) == 0;
}

/** Samples x..x+3 of a row of width samples; place(x) says where the row has the one that stands
 *  for x outside of it. */
template <class T, class Row, class Place>
VX_INLINE Four load_four(const Row *row, int x, int width, bool aligned, const Place &place)
{
    Four out;
    if (x < 0 || x + 4 > width) {
        VX_UNROLL
        for (int k = 0; k < 4; ++k)
            out.v[k] = row[place(x + k)];
    } else if (aligned) {
        const AlignedFour<T> four = *reinterpret_cast<const AlignedFour<T> *>(row + x);
        VX_UNROLL
        for (int k = 0; k < 4; ++k)
            out.v[k] = four.v[k];
    } else {
        VX_UNROLL
        for (int k = 0; k < 4; ++k)
            out.v[k] = row[x + k];
    }
    return out;
}

} // namespace vx

#endif
