/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Powers for kernels, which have no C library: double arithmetic without a branch, so that loops
 * vectorise, and one result on every target.
 *
 * power() and exp2_of() are good to some 2^-50; a float made of them is the correctly rounded one
 * but in one case of many thousands. exponential() and roots.h are for doubles that are used as
 * such.
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

/** e to the power of x; beyond +-700 that of the bound. Its error is below 0.63 of a last place. */
VX_INLINE double exponential(double x)
{
    constexpr double kBound = 700.0;
    const double bounded = x < -kBound ? -kBound : x > kBound ? kBound : x;
    constexpr double kShift = 0x1.8p52, kPerLn2 = 0x1.71547652b82fep+0;
    constexpr double kLn2 = 0x1.62e42feep-1,
                     kLn2Rest = 0x1.a39ef35793c76p-33; /* of 32 and 53 bits */
    const double shifted = bounded * kPerLn2 + kShift;
    const double whole = shifted - kShift;
    const double most = bounded - whole * kLn2;
    const double part = whole * kLn2Rest;
    const double high = most - part, low = (most - high) - part;
    double sum = 1.0 / 1307674368000.0; /* 1 / 15! */
    sum = sum * high + 1.0 / 87178291200.0;
    sum = sum * high + 1.0 / 6227020800.0;
    sum = sum * high + 1.0 / 479001600.0;
    sum = sum * high + 1.0 / 39916800.0;
    sum = sum * high + 1.0 / 3628800.0;
    sum = sum * high + 1.0 / 362880.0;
    sum = sum * high + 1.0 / 40320.0;
    sum = sum * high + 1.0 / 5040.0;
    sum = sum * high + 1.0 / 720.0;
    sum = sum * high + 1.0 / 120.0;
    sum = sum * high + 1.0 / 24.0;
    sum = sum * high + 1.0 / 6.0;
    sum = sum * high + 0.5;
    const double first = 1 + high, first_rest = high - (first - 1);
    const double value = first + (first_rest + (low + low * high + high * high * sum));
    const uint64_t exponent = __builtin_bit_cast(uint64_t, shifted) << 52;
    return __builtin_bit_cast(double, __builtin_bit_cast(uint64_t, value) + exponent);
}

} // namespace vx

#endif
