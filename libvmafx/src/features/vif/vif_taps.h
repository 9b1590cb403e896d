/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Filter taps of VIF as pairs for vx::dot2.
 *
 * Windows are widened to an even number of taps, 2r+2, with a zero at one end: columns of pairs
 * then serve two neighbouring outputs. Scale 3 has r = 2 with zeros outside. Its centre tap exceeds
 * 16 signed bits; as its taps are all even they are halved here and the sum is doubled.
 */
#ifndef VMAFX_FEATURES_VIF_TAPS_H
#define VMAFX_FEATURES_VIF_TAPS_H

#include "kernels/kernel.h"

namespace vif_kernels
{

constexpr int kScales = 4;
constexpr int kMaxPairs = 9;

VX_INLINE constexpr int radius_of(int scale)
{
    return scale == 0 ? 8 : scale == 1 ? 4 : 2;
}

/** The sum of products is to be shifted by this. */
VX_INLINE constexpr int doubled(int scale)
{
    return scale == 3 ? 1 : 0;
}

/** Half of a symmetric filter, from the centre outwards. */
constexpr uint16_t kTaps[kScales][9] = {
    {7784, 7455, 6547, 5274, 3896, 2640, 1640, 935, 489},
    {14692, 12590, 7925, 3663, 1244},
    {26386, 16004, 3571},
    {43728 / 2, 10904 / 2, 0},
};

struct TapPairs {
    uint32_t row[kMaxPairs]; /* taps 0 1, 2 3, …, 2r and zero */
    /* The same pairs, and the pairs of the window one row lower (zero and tap 0, 1 2, …), twice
     * over: pairs of rows lie in a ring, so a window may start at any place of it. */
    uint32_t ring[2][2 * kMaxPairs];
};

constexpr uint32_t tap_at(int scale, int i)
{
    const int r = radius_of(scale);
    const int distance = i < r ? r - i : i - r;
    return distance <= r ? kTaps[scale][distance] : 0;
}

constexpr TapPairs tap_pairs(int scale)
{
    TapPairs pairs = {};
    const int count = radius_of(scale) + 1;
    for (int k = 0; k < count; ++k) {
        const uint32_t upper = tap_at(scale, 2 * k) | tap_at(scale, 2 * k + 1) << 16;
        const uint32_t lower = tap_at(scale, 2 * k - 1) | tap_at(scale, 2 * k) << 16;
        pairs.row[k] = upper;
        pairs.ring[0][k] = pairs.ring[0][k + count] = upper;
        pairs.ring[1][k] = pairs.ring[1][k + count] = lower;
    }
    return pairs;
}

VX_TABLE TapPairs kTapPairs[kScales] = {tap_pairs(0), tap_pairs(1), tap_pairs(2), tap_pairs(3)};

} // namespace vif_kernels

#endif
