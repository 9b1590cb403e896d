/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Sine, cosine and arc tangent in double for kernels, without a branch and the same on every
 * target. Errors are below 0.8 of the last place, those of the arc tangent 0.54.
 */
#ifndef VMAFX_KERNELS_TRIGONOMETRY_H
#define VMAFX_KERNELS_TRIGONOMETRY_H

#include "kernels/two_doubles.h"

namespace vx
{

constexpr uint64_t kSignOfDouble = UINT64_C(1) << 63;

/** An angle: quarters * pi / 2 + high + low, |high + low| <= pi / 4. */
struct Quarters {
    double high, low;
    uint64_t quarters; /* modulo 4, upper bits are of no meaning */
};

/** |x| < 2^20. */
VX_INLINE Quarters quarters_of(double x)
{
    constexpr double kShift = 0x1.8p52, kPerQuarter = 0x1.45f306dc9c883p-1;
    /* pi / 2 in parts of 33 bits, which the number of quarters can be multiplied with. */
    constexpr double kPart1 = 0x1.921fb544p+0, kPart2 = 0x1.0b4611a6p-34,
                     kPart3 = 0x1.3198a2e037073p-69;
    const double shifted = x * kPerQuarter + kShift;
    const double n = shifted - kShift;
    const double first = x - n * kPart1;
    const double part = n * kPart2;
    const double second = first - part;
    const double low = ((first - second) - part) - n * kPart3;
    const double high = second + low;
    return {high, low - (high - second), __builtin_bit_cast(uint64_t, shifted)};
}

/** Both for an angle up to pi / 4, as series. */
struct SineAndCosine {
    double sine, cosine;
};

VX_INLINE SineAndCosine sine_and_cosine_of_part(double high, double low)
{
    const double square = high * high;
    double odd = 1.0 / 355687428096000.0; /* 1 / 17! */
    odd = odd * square - 1.0 / 1307674368000.0;
    odd = odd * square + 1.0 / 6227020800.0;
    odd = odd * square - 1.0 / 39916800.0;
    odd = odd * square + 1.0 / 362880.0;
    odd = odd * square - 1.0 / 5040.0;
    odd = odd * square + 1.0 / 120.0;
    odd = odd * square - 1.0 / 6.0;
    double even = -1.0 / 6402373705728000.0; /* 1 / 18! */
    even = even * square + 1.0 / 20922789888000.0;
    even = even * square - 1.0 / 87178291200.0;
    even = even * square + 1.0 / 479001600.0;
    even = even * square - 1.0 / 3628800.0;
    even = even * square + 1.0 / 40320.0;
    even = even * square - 1.0 / 720.0;
    even = even * square + 1.0 / 24.0;

    const double half = 0.5 * square;
    const double sine = high + (low * (1 - half) + high * square * odd);
    const double most = 1 - half;
    const double rest = ((1 - most) - half) - 0.5 * product_error(high, high, square);
    const double cosine = most + (rest + (square * square * even - high * low));
    return {sine, cosine};
}

VX_INLINE double with_sign(double x, uint64_t sign)
{
    return __builtin_bit_cast(double, __builtin_bit_cast(uint64_t, x) ^ sign);
}

/** |x| < 2^20. */
VX_INLINE double sine(double x)
{
    const Quarters angle = quarters_of(x);
    const SineAndCosine both = sine_and_cosine_of_part(angle.high, angle.low);
    const double value = (angle.quarters & 1) != 0 ? both.cosine : both.sine;
    return with_sign(value, angle.quarters >> 1 << 63);
}

/** |x| < 2^20. */
VX_INLINE double cosine(double x)
{
    const Quarters angle = quarters_of(x);
    const SineAndCosine both = sine_and_cosine_of_part(angle.high, angle.low);
    const double value = (angle.quarters & 1) != 0 ? both.sine : both.cosine;
    return with_sign(value, (angle.quarters + 1) >> 1 << 63);
}

/** arctan(q) / q - 1 for q^2 < 1/63. */
VX_INLINE double arc_tangent_series(double square)
{
    double sum = -1.0 / 19;
    sum = sum * square + 1.0 / 17;
    sum = sum * square - 1.0 / 15;
    sum = sum * square + 1.0 / 13;
    sum = sum * square - 1.0 / 11;
    sum = sum * square + 1.0 / 9;
    sum = sum * square - 1.0 / 7;
    sum = sum * square + 1.0 / 5;
    sum = sum * square - 1.0 / 3;
    return sum * square;
}

/** The angle of the point (x, y), as atan2() has it. Coordinates are zero or of 2^-400 to 2^400.
 *
 *  The smaller coordinate divided by the larger one is the tangent of an angle up to pi / 4; the
 *  nearest of five angles, whose tangents are quarters, is taken off it. */
VX_INLINE double arc_tangent(double y, double x)
{
    constexpr double kHalfPi = 0x1.921fb54442d18p+0, kHalfPiRest = 0x1.1a62633145c07p-54;
    const uint64_t sign_y = __builtin_bit_cast(uint64_t, y) & kSignOfDouble;
    const uint64_t sign_x = __builtin_bit_cast(uint64_t, x) & kSignOfDouble;
    const double abs_y = with_sign(y, sign_y), abs_x = with_sign(x, sign_x);
    const bool steep = abs_y > abs_x;
    const double larger = steep ? abs_y : abs_x, smaller = steep ? abs_x : abs_y;

    const bool past1 = smaller > larger * 0.125, past2 = smaller > larger * 0.375;
    const bool past3 = smaller > larger * 0.625, past4 = smaller > larger * 0.875;
    double tangent = past1 ? 0.25 : 0.0;
    tangent = past2 ? 0.5 : tangent;
    tangent = past3 ? 0.75 : tangent;
    tangent = past4 ? 1.0 : tangent;
    double near = past1 ? 0x1.f5b75f92c80ddp-3 : 0.0;
    near = past2 ? 0x1.dac670561bb4fp-2 : near;
    near = past3 ? 0x1.4978fa3269ee1p-1 : near;
    near = past4 ? 0x1.921fb54442d18p-1 : near;
    double near_rest = past1 ? 0x1.8ab6e3cf7afbdp-57 : 0.0;
    near_rest = past2 ? 0x1.a2b7f222f65e2p-56 : near_rest;
    near_rest = past3 ? 0x1.2419a87f2a458p-56 : near_rest;
    near_rest = past4 ? 0x1.1a62633145c07p-55 : near_rest;

    const double along = tangent * larger, across = tangent * smaller;
    const double up = smaller - along, up_rest = -product_error(tangent, larger, along);
    const double over = larger + across;
    const double over_rest = across - (over - larger);
    const double inverse = 1 / (over > 0 ? over : 1.0);
    const double q = up * inverse;
    const double product = q * over;
    const double left =
        ((up - product) - product_error(q, over, product)) + (up_rest - q * over_rest);
    const double q_rest = left * inverse + q * arc_tangent_series(q * q);

    /* From the nearer axis, clockwise or not; then the axis itself is added. */
    const bool back = (sign_x != 0) != steep;
    const uint64_t turn = back ? kSignOfDouble : 0;
    const double half_turn = sign_x != 0 ? 2 * kHalfPi : 0.0;
    const double half_turn_rest = sign_x != 0 ? 2 * kHalfPiRest : 0.0;
    const double axis = steep ? kHalfPi : half_turn;
    const double axis_rest = steep ? kHalfPiRest : half_turn_rest;
    const double signed_near = with_sign(near, turn);
    const double sum = axis + signed_near;
    const double sum_rest = (signed_near - (sum - axis)) + (axis_rest + with_sign(near_rest, turn));
    const double first = sum + with_sign(q, turn);
    const double first_rest = with_sign(q, turn) - (first - sum);
    return with_sign(first + (first_rest + (sum_rest + with_sign(q_rest, turn))), sign_y);
}

} // namespace vx

#endif
