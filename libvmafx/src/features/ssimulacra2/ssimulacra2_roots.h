/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Roots of floats for kernels, in floats, without a branch and without a division.
 *
 * The reciprocal root is guessed from the exponent and made better by Newton's method for x^-n = u;
 * the root that follows from it is corrected once by what its power is off.
 */
#ifndef VMAFX_FEATURES_SSIMULACRA2_ROOTS_H
#define VMAFX_FEATURES_SSIMULACRA2_ROOTS_H

#include "kernels/kernel.h"

namespace ssimulacra2_roots
{

template <int n> VX_INLINE float whole_power(float x)
{
    const float x2 = x * x;
    if constexpr (n == 2)
        return x2;
    else if constexpr (n == 3)
        return x2 * x;
    else if constexpr (n == 4)
        return x2 * x2;
    else if constexpr (n == 5)
        return x2 * x2 * x;
    else if constexpr (n == 8)
        return (x2 * x2) * (x2 * x2);
    else
        return (x2 * x2) * (x2 * x2) * x;
}

/** u^(-1/n), good to 2^-16 for n = 3 and to 2^-22 else. 2^-90 < u < 2^90. */
template <int n> VX_INLINE float reciprocal_root(float u)
{
    /* The bits of 1 at the exponent's place, times 1 + 1/n, less what makes the largest error of
     * the guess, 3 %, least. */
    constexpr int32_t kGuess = n == 3 ? 0x54a22c81 : n == 5 ? 0x4c2ba70a : 0x468767ba;
    constexpr int kSteps = n == 3 ? 2 : 3;
    constexpr float kPart = 1.0f / n, kWhole = (n + 1.0f) / n;
    const float bits = static_cast<float>(__builtin_bit_cast(int32_t, u));
    float r = __builtin_bit_cast(float, kGuess - static_cast<int32_t>(bits * kPart));
    VX_UNROLL
    for (int k = 0; k < kSteps; ++k)
        r = r * (kWhole - u * kPart * whole_power<n>(r));
    return r;
}

/** A root as the sum of a float and of what it lacks, which is below 2^-14 of it. */
struct Root {
    float value, rest;
};

template <int n> VX_INLINE Root root(float u)
{
    const float r = reciprocal_root<n>(u);
    const float power = whole_power<n - 1>(r);
    const float value = u * power;
    constexpr float kPart = 1.0f / n;
    return {value, (u - whole_power<n>(value)) * (power * kPart)};
}

/** Good to 0.9 of a last place. */
template <int n> VX_INLINE float rounded_root(float u)
{
    const Root found = root<n>(u);
    return found.value + found.rest;
}

} // namespace ssimulacra2_roots

#endif
