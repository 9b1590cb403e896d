/* SPDX-License-Identifier: BSD-2-Clause
 *
 * float_adm's arithmetic on one coefficient, as branch-free expressions that compilers vectorise.
 */
#ifndef VMAFX_FEATURES_FLOAT_ADM_ARITHMETIC_H
#define VMAFX_FEATURES_FLOAT_ADM_ARITHMETIC_H

#include "kernels/kernel.h"

namespace float_adm_kernels
{

/* Daubechies 2. */
constexpr float kLow[4] = {0.482962913144690f, 0.836516303737469f, 0.224143868041857f,
                           -0.129409522550921f};
constexpr float kHigh[4] = {-0.129409522550921f, -0.224143868041857f, 0.836516303737469f,
                            -0.482962913144690f};

/* Shares of a weighted coefficient in the threshold, doubles of nine digits. */
constexpr double kNeighbour = 0.0333333351;
constexpr double kCentre = 0.0666666701;

constexpr float kCos2 = 0x1.ffd814p-1f; /* cos(1 degree)^2 */

using vx::larger;
using vx::smaller;

VX_INLINE float dot(const float (&taps)[4], float a, float b, float c, float d)
{
    return taps[0] * a + taps[1] * b + taps[2] * c + taps[3] * d;
}

VX_INLINE float magnitude(float x)
{
    return __builtin_fabsf(x);
}

/** What Intel's RCPSS gives for a normal number: the reciprocal, in 12 bits, of the middle of an
 *  interval of 2^-11 times the power of two. libvmaf builds on it, so its bits matter. */
VX_INLINE float rough_reciprocal(float x)
{
    const uint32_t bits = __builtin_bit_cast(uint32_t, x);
    const uint32_t interval = bits & 0x007ff000u;
    const float middle = __builtin_bit_cast(float, 0x3f800800u | interval);
    /* Above 1024 a float's last bit is the 13th after the point. */
    const float rounded = (1.0f / middle + 1024.0f) - 1024.0f;
    /* The last interval's quotient is so near to a half bit that the division loses the side. */
    const float reciprocal = interval == 0x007ff000u ? 0x1.001p-1f : rounded;
    const uint32_t exponent = bits & 0x7f800000u;
    const uint32_t scaled = __builtin_bit_cast(uint32_t, reciprocal) + 0x3f800000u - exponent;
    return __builtin_bit_cast(float, scaled | (bits & 0x80000000u));
}

/** 1 / x by one step of Newton's method. */
VX_INLINE float reciprocal(float x)
{
    const float r = rough_reciprocal(x);
    return r + r * (1.0f - x * r);
}

/** true where (h, v) of both pictures point within one degree of each other. */
VX_INLINE bool same_direction(float oh, float ov, float th, float tv)
{
    const float product = oh * th + ov * tv;
    const float reference = oh * oh + ov * ov;
    const float distorted = th * th + tv * tv;
    return (product >= 0.0f) & (product * product >= kCos2 * reference * distorted);
}

/** The part of t that a change of contrast explains. */
VX_INLINE float restored(float o, float t, bool enhanced, double gain)
{
    const float k = t * reciprocal(o + 1e-30f);
    const float clamped = k < 0.0f ? 0.0f : k > 1.0f ? 1.0f : k;
    const float r = clamped * o;
    /* Compared after it is rounded: t is a float, so nothing changes. */
    const float gained = static_cast<float>(static_cast<double>(r) * gain);
    const float up = gained < t ? gained : t;
    const float down = gained > t ? gained : t;
    const float limited = r > 0.0f ? up : r < 0.0f ? down : r;
    return enhanced ? limited : r;
}

VX_INLINE float neighbour_share(float weighted)
{
    return static_cast<float>(kNeighbour * static_cast<double>(weighted));
}

VX_INLINE float add_centre(float sum, float weighted)
{
    return static_cast<float>(static_cast<double>(sum) + kCentre * static_cast<double>(weighted));
}

} // namespace float_adm_kernels

#endif
