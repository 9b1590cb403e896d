/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Sums of squares beyond the whole numbers of a double.
 *
 * The square of a 16-bit sample, or of the difference of two, is rounded to a float, and the floats
 * are summed in a double in raster order. In units of the smallest sample all of them are whole
 * numbers, so that below 2^53 any order gives the sum; above, additions round.
 *
 *     squares_in_order   where `sum`, the sum in integers, is 2^53 or more: the rounded sum's bits;
 *                        else nothing is written. x of the grid is the entry, one work-group each.
 */
#ifndef VMAFX_KERNELS_SQUARES_IN_ORDER_KERNELS_H
#define VMAFX_KERNELS_SQUARES_IN_ORDER_KERNELS_H

#include <stdint.h>

struct SquaresEntry {
    const void *samples; /* 16-bit words */
    const void *others;  /* subtracted from them; null: nothing is */
    uint64_t samples_pitch;
    uint64_t others_pitch;
    const uint64_t *sum;
    uint64_t *result; /* a double */
};

struct SquaresArgs {
    SquaresEntry entry[2];
    int32_t width;
    int32_t height;
};

constexpr int kSquaresThreads = 256;
constexpr uint64_t kSquaresExact = uint64_t{1} << 53;

/** true: a picture of this size can have such sums. */
inline bool squares_need_order(uint32_t width, uint32_t height, uint32_t bits)
{
    const uint64_t peak = (uint64_t{1} << bits) - 1;
    return peak * peak >= kSquaresExact / (uint64_t{width} * height);
}

#endif
