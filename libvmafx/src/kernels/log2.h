/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The binary logarithm in double, the same number on every target. Its error is below 0.56 of the
 * last place, so that it is the nearest number but for a few arguments in a hundred, where it is
 * the next one.
 *
 * x = 2^e m with m from sqrt(1/2) to sqrt(2), and with s = (m - 1) / (m + 1) the logarithm is
 * e + 2 / ln 2 * (s + s^3 / 3 + s^5 / 5 + ...). What is large of it is kept in two doubles.
 */
#ifndef VMAFX_KERNELS_LOG2_H
#define VMAFX_KERNELS_LOG2_H

#include "kernels/two_doubles.h"

namespace vx
{

/** s^2 / 3 + s^4 / 5 + ... for z = s^2 < 0.03. */
VX_INLINE double log2_series(double z)
{
    double sum = 1.0 / 23;
    sum = sum * z + 1.0 / 21;
    sum = sum * z + 1.0 / 19;
    sum = sum * z + 1.0 / 17;
    sum = sum * z + 1.0 / 15;
    sum = sum * z + 1.0 / 13;
    sum = sum * z + 1.0 / 11;
    sum = sum * z + 1.0 / 9;
    sum = sum * z + 1.0 / 7;
    sum = sum * z + 1.0 / 5;
    sum = sum * z + 1.0 / 3;
    return sum * z;
}

/** log2(x) of a normal number; -inf for 0, NaN below, x for inf and NaN. */
VX_INLINE double log2(double x)
{
    constexpr uint64_t kRootOfHalf = 0x3fe6a09e667f3bcd, kOne = 0x3ff0000000000000;
    constexpr uint64_t kInfinity = 0x7ff0000000000000;
    constexpr uint64_t kShift = 1024, kBits = 52;     /* keeps exponents positive */
    constexpr uint64_t kTwoTo52 = 0x4330000000000000; /* ... + integer: its bits are the sum */
    constexpr double kFactor = 0x1.71547652b82fep+1,
                     kFactorRest = 0x1.777d0ffda0d24p-55; /* 2/ln 2 */

    const uint64_t bits = __builtin_bit_cast(uint64_t, x);
    const uint64_t above = bits - kRootOfHalf + (kShift << kBits);
    const double e = __builtin_bit_cast(double, kTwoTo52 | (above >> kBits)) -
                     (4503599627370496.0 + static_cast<double>(kShift));
    const uint64_t fraction = (above & ((UINT64_C(1) << kBits) - 1)) + kRootOfHalf;
    const double f = __builtin_bit_cast(double, fraction) - __builtin_bit_cast(double, kOne);

    const double sum = 2 + f, sum_rest = f - (sum - 2);
    const double inverse = 1 / sum;
    const double s = f * inverse;
    const double product = s * sum;
    const double left = ((f - product) - product_error(s, sum, product)) - s * sum_rest;
    const double low = left * inverse + s * log2_series(s * s);
    const double high = s + low, high_rest = low - (high - s);

    const double log = high * kFactor;
    const double log_rest =
        product_error(high, kFactor, log) + (high * kFactorRest + high_rest * kFactor);
    const double result = e + log, result_rest = log - (result - e);
    const double value = result + (result_rest + log_rest);
    const double infinity = __builtin_bit_cast(double, kInfinity);
    const double special = x == 0 ? -infinity : x < 0 ? infinity - infinity : x;
    return x > 0 && x < infinity ? value : special;
}

} // namespace vx

#endif
