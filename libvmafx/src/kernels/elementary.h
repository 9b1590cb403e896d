/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Powers for kernels, which have no C library: double arithmetic without a branch, so that loops
 * vectorise, and one result on every target.
 *
 * The doubles are good to some 2^-50; a float made of them is the correctly rounded one but in one
 * case of many thousands.
 */
#ifndef VMAFX_KERNELS_ELEMENTARY_H
#define VMAFX_KERNELS_ELEMENTARY_H

#include "kernels/kernel.h"
#include "kernels/log2.h"

namespace vx
{

/** 2 to the power of t; beyond +-1000 that of the bound. */
VX_INLINE double exp2_of(double t)
{
    constexpr double kBound = 1000.0;
    const double bounded = t < -kBound ? -kBound : t > kBound ? kBound : t;
    constexpr double kShift = 0x1.8p52; /* its last bit is a one */
    const double shifted = bounded + kShift;
    const double whole = shifted - kShift;
    constexpr double kLn2 = 0x1.62e42fefa39efp-1;
    const double x = (bounded - whole) * kLn2; /* |x| < 0.347 */
    double sum = 1.0;
    VX_UNROLL
    for (int k = 14; k >= 1; --k)
        sum = sum * x * (1.0 / k) + 1.0;
    const uint64_t exponent = __builtin_bit_cast(uint64_t, shifted) << 52;
    return __builtin_bit_cast(double, __builtin_bit_cast(uint64_t, sum) + exponent);
}

/** x to the power of y, for x >= 0 and y > 0. Squares may lie in the middle between two floats. */
VX_INLINE float power(float x, float y)
{
    const float base = x > 0.0f ? x : 1.0f;
    const double value = exp2_of(static_cast<double>(y) * log2(static_cast<double>(base)));
    const float any = x > 0.0f ? static_cast<float>(value) : 0.0f;
    return y == 2.0f ? x * x : any;
}

} // namespace vx

#endif
