/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Roots and two powers in double for kernels, without a branch and the same on every target. Errors
 * are below 0.51 of the last place, those of power_2_4() 0.6 and near 1 0.53, so that nearly all
 * results are the nearest numbers.
 *
 * A root of few bits comes first, so few that its powers have no more than 53 bits. The argument is
 * one of these powers times 1 + e, where e is small and of full precision, and the rest is a short
 * series in e. Arguments are above zero, roots take 2^-700 to 2^700.
 */
#ifndef VMAFX_KERNELS_ROOTS_H
#define VMAFX_KERNELS_ROOTS_H

#include "kernels/two_doubles.h"

namespace vx
{

constexpr double kRootTwoTo52 = 4503599627370496.0;
constexpr uint64_t kRootTwoTo52Bits = 0x4330000000000000; /* ... + integer: its bits are the sum */

/** Exponent and upper bits of the fraction as a number: 2^20 (1023 + log2 x), roughly. */
VX_INLINE double upper_half(double x)
{
    const uint64_t upper = __builtin_bit_cast(uint64_t, x) >> 32;
    return __builtin_bit_cast(double, kRootTwoTo52Bits | upper) - kRootTwoTo52;
}

/** log2(x), 0.044 off at most. */
VX_INLINE double rough_log2(double x)
{
    constexpr double kMiddle = 0.043;
    return upper_half(x) * 0x1p-20 - (1023 - kMiddle);
}

/** The root of a degree (3 or 5), of Bits bits. One of Halley's steps after a division of the
 *  exponent; 2^-13 off at most, before it is cut to its bits. */
template <int Degree, int Bits> VX_INLINE double few_bits_of_root(double x)
{
    static_assert(Degree == 3 || Degree == 5);
    constexpr double kLift = Degree == 3 ? 0.0336 : 0.0368; /* makes errors equal on both sides */
    constexpr double kZero = (1023.0 * (Degree - 1) / Degree - kLift) * 0x1p20;
    const double exponent = upper_half(x) * (1.0 / Degree) + (kZero + kRootTwoTo52);
    const double guess = __builtin_bit_cast(double, __builtin_bit_cast(uint64_t, exponent) << 32);
    const double square = guess * guess;
    const double power = Degree == 3 ? square * guess : square * square * guess;
    constexpr double kMore = Degree + 1, kLess = Degree - 1;
    const double root = guess * (kLess * power + kMore * x) / (kMore * power + kLess * x);
    constexpr uint64_t kHalf = UINT64_C(1) << (52 - Bits), kMask = ~(2 * kHalf - 1);
    return __builtin_bit_cast(double, (__builtin_bit_cast(uint64_t, root) + kHalf) & kMask);
}

/** (1 + e)^(1/3) - 1 for |e| < 2^-13. */
VX_INLINE double cube_root_series(double e)
{
    return e * (1.0 / 3 + e * (-1.0 / 9 + e * (5.0 / 81 - e * (10.0 / 243))));
}

VX_INLINE double cube_root(double x)
{
    const double root = few_bits_of_root<3, 17>(x);
    const double cube = root * root * root;
    return root + root * cube_root_series((x - cube) / cube);
}

/** pow(x, 1.0 / 3), in which 1.0 / 3 is a little less than a third. */
VX_INLINE double third_power(double x)
{
    constexpr double kMissing = 1.8503717077085941e-17 * 0.6931471805599453; /* in powers of 2 */
    const double root = few_bits_of_root<3, 17>(x);
    const double cube = root * root * root;
    return root + root * (cube_root_series((x - cube) / cube) - kMissing * rough_log2(x));
}

/** (1 + e)^0.4 - 1 for |e| < 2^-8. */
VX_INLINE double two_fifths_series(double e)
{
    double sum = -0.02296320;
    sum = sum * e + 0.0299520;
    sum = sum * e - 0.04160;
    sum = sum * e + 0.0640;
    sum = sum * e - 0.120;
    return e * (sum * e + 0.40);
}

/** pow(x, 2.4), in which 2.4 is a little less than 12/5: x^2 (x^(1/5))^2. x from 2^-100 to 2^100.
 */
VX_INLINE double power_2_4(double x)
{
    constexpr double kMissing = 8.8817841970012528e-17 * 0.6931471805599453; /* in powers of 2 */
    const double root = few_bits_of_root<5, 10>(x);
    const double square = root * root;
    const double fifth = square * square * root;
    const double more = two_fifths_series((x - fifth) / fifth) - kMissing * rough_log2(x);
    const double factor = x * root, factor_rest = product_error(x, root, factor);
    const double power = factor * factor;
    const double power_rest = product_error(factor, factor, power) + 2 * factor * factor_rest;
    return power + (power_rest + power * more);
}

/** c^7 of a float. */
VX_INLINE double seventh_power(float c)
{
    const double base = c;
    const double square = base * base; /* of 48 bits */
    const double third = square * base, third_rest = product_error(square, base, third);
    const double fourth = square * square, fourth_rest = product_error(square, square, fourth);
    const double power = third * fourth;
    const double rest = third * fourth_rest + third_rest * fourth;
    return power + (product_error(third, fourth, power) + rest);
}

} // namespace vx

#endif
