/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A pixel's numerator and denominator out of its local moments, as libvmaf computes them: what is
 * a float and what is a double matters.
 */
#ifndef VMAFX_FEATURES_FLOAT_VIF_PIXEL_H
#define VMAFX_FEATURES_FLOAT_VIF_PIXEL_H

#include "kernels/kernel.h"

namespace float_vif_kernels
{

constexpr float kEpsilon = 1e-10f;

/** Filtered means of r and d, of their squares and of their product. */
struct Moments {
    float mean_r, mean_d, square_rr, square_dd, square_rd;
};

/** A polynomial in place of log2(x), for x >= 1. */
VX_INLINE float approximate_log2(float x)
{
    constexpr float kCoefficients[] = {
        -0.012671635276421f, 0.064841182402670f,  -0.157048836463065f,
        0.257167726303123f,  -0.353800560300520f, 0.480131410397451f,
        -0.721314327952201f, 1.442694803896991f,  0.0f,
    };
    const uint32_t bits = __builtin_bit_cast(uint32_t, x);
    const int32_t exponent = static_cast<int32_t>((bits & 0x7f800000u) >> 23) - 127;
    const float mantissa = __builtin_bit_cast(float, (bits & 0x007fffffu) | 0x3f800000u);
    const float t = mantissa - 1.0f;
    float sum = 0.0f;
    VX_UNROLL
    for (int i = 0; i < 9; ++i)
        sum = sum * t + kCoefficients[i];
    return static_cast<float>(exponent) + sum;
}

/** What does not depend on the gain limit. */
struct Pixel {
    float gain;       /* of the distortion channel, before its limit */
    float variance_r; /* of the reference */
    float rest;       /* of the distorted variance: additive noise */
    float flat;       /* numerator where the reference is flat */
    bool is_flat, opposite;
};

VX_INLINE Pixel pixel_of(const Moments &m, double noise, float weight)
{
    const float raw_r = m.square_rr - m.mean_r * m.mean_r;
    const float raw_d = m.square_dd - m.mean_d * m.mean_d;
    const float covariance = m.square_rd - m.mean_r * m.mean_d;
    const float a = raw_r > 0.0f ? raw_r : 0.0f;
    const float b = raw_d > 0.0f ? raw_d : 0.0f;
    const float gain = covariance / (a + kEpsilon);
    const float rest = b - gain * covariance;

    const bool no_r = a < kEpsilon;
    const bool no_d = b < kEpsilon;
    const float gain1 = no_r || no_d ? 0.0f : gain;
    const float rest1 = no_d ? 0.0f : no_r ? b : rest;
    const bool negative = gain1 < 0.0f;
    const float rest2 = negative ? b : rest1;

    Pixel p;
    p.gain = negative ? 0.0f : gain1;
    p.variance_r = no_r ? 0.0f : a;
    p.rest = rest2 > kEpsilon ? rest2 : kEpsilon;
    p.flat = 1.0f - b * weight;
    p.is_flat = static_cast<double>(p.variance_r) < noise;
    p.opposite = covariance < 0.0f;
    return p;
}

VX_INLINE float denominator_of(const Pixel &p, double noise)
{
    const float ratio = static_cast<float>(1.0 + static_cast<double>(p.variance_r) / noise);
    return p.is_flat ? 1.0f : approximate_log2(ratio);
}

VX_INLINE float numerator_of(const Pixel &p, double noise, float gain_limit)
{
    const float g = p.gain < gain_limit ? p.gain : gain_limit;
    const float signal = g * g * p.variance_r;
    const float ratio = static_cast<float>(1.0 + static_cast<double>(signal) /
                                                     (static_cast<double>(p.rest) + noise));
    return p.is_flat ? p.flat : p.opposite ? 0.0f : approximate_log2(ratio);
}

} // namespace float_vif_kernels

#endif
