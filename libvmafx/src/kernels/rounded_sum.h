/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Adding many floats >= 0 to one float, each addition rounded, without waiting for each addition.
 *
 * As long as the sum stays below the next power of two its last place has one weight, u. A term
 * then adds itself rounded to a multiple of u, whatever the sum is, unless it lies just between two
 * multiples. So a run of terms may be added up as whole numbers of u in any order, if none of them
 * lies between, and if the sum stays below the power of two. Otherwise the terms are added one by
 * one. In a long sum that is rare: it takes as many bits as the sum has more than the term to be
 * those of one half.
 */
#ifndef VMAFX_KERNELS_ROUNDED_SUM_H
#define VMAFX_KERNELS_ROUNDED_SUM_H

#include "kernels/kernel.h"

namespace vx
{

/** A run's terms in units of the sum's last place. */
struct Run {
    uint32_t units; /* of those that are rounded as wholes */
    uint32_t others;
};

/** A run has at most 2^12 terms: 2^12 of them stay below 2^32. */
constexpr float kRunLimit = 1 << 19;

/** 1 / u, and 0 if the sum is too small for it. */
VX_INLINE float units_of(float sum)
{
    const uint32_t exponent = __builtin_bit_cast(uint32_t, sum) >> 23;
    const uint32_t inverse = 127 + 23 + 127 - exponent;
    return exponent < 24 || exponent > 254 ? 0.0f : __builtin_bit_cast(float, inverse << 23);
}

VX_INLINE void count_units(Run &run, float term, float units)
{
    constexpr float kWhole = 1 << 23;
    const float exact = term * units;
    const float limited = exact < kRunLimit ? exact : kRunLimit;
    const float rounded = (limited + kWhole) - kWhole;
    const float rest = limited - rounded;
    run.units += static_cast<uint32_t>(static_cast<int32_t>(rounded));
    run.others += static_cast<uint32_t>(rest == 0.5f) | static_cast<uint32_t>(rest == -0.5f) |
                  static_cast<uint32_t>(limited == kRunLimit);
}

/** true: sum has been increased by the run's terms. units is what units_of(sum) gave. */
VX_INLINE bool add_run(float &sum, float units, uint64_t run_units, uint64_t others)
{
    constexpr uint64_t kFraction = 1 << 23;
    const uint32_t bits = __builtin_bit_cast(uint32_t, sum);
    if (units == 0 || others != 0 || (bits & (kFraction - 1)) + run_units >= kFraction)
        return false;
    sum = __builtin_bit_cast(float, bits + static_cast<uint32_t>(run_units));
    return true;
}

} // namespace vx

#endif
