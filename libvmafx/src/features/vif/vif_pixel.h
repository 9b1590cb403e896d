/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The rule by which a pixel's local moments enter the sums of VIF.
 */
#ifndef VMAFX_FEATURES_VIF_PIXEL_H
#define VMAFX_FEATURES_VIF_PIXEL_H

#include "features/vif/vif_kernels.h"
#include "kernels/lanes.h"

namespace vif_kernels
{

constexpr int32_t kNoise = 131072;         /* variance 2.0 of the model's noise, times 65536 */
constexpr double kEpsilon = 65536 * 1e-10; /* keeps the gain finite */
constexpr int32_t kLogBias = 2048 * 127;   /* of raw_log() */
constexpr int32_t kLogOfNoise = 2048 * 17;

/** Local moments: weighted means with 24 fraction bits, weighted squares with 16. */
struct Moments {
    vx::U32 mean_r, mean_d;
    vx::U32 square_rr, square_dd, square_rd;
};

struct PixelSums {
    vx::U32 log_count; /* counts down: masks are added */
    vx::I32 log_den;
    vx::I32 log_num[kVifGains];
    vx::WideSum plain_num;
};

VX_INLINE void clear(PixelSums &sums)
{
    sums.log_count = vx::splat(0);
    sums.log_den = (vx::I32)vx::splat(0);
    for (int k = 0; k < kVifGains; ++k)
        sums.log_num[k] = (vx::I32)vx::splat(0);
    vx::clear(sums.plain_num);
}

/** 2048 * log2(n) as tabled, plus kLogBias. n > 0; bits below the 16 highest are dropped. */
VX_INLINE vx::I32 raw_log(const uint32_t *lines, vx::I32 n)
{
    const vx::U32 bits = vx::f32_bits_down(n);
    /* Exponent and the first 11 bits of the fraction: the logarithm between powers of two as if it
     * were linear. The next four bits are the place on the line. */
    const vx::U32 linear = bits >> 12;
    const vx::U32 line = vx::gather32(lines, linear & (kVifLogLines - 1u));
    const vx::U32 place = ((bits << 8) & (kVifLogRun - 1u) << 16) | kVifLogUnit;
    return (vx::I32)linear + (vx::dot2(line, place) >> kVifLogShift);
}

/** What the numerators of all gain limits share. */
struct NumeratorTerms {
    vx::I32 covariance; /* 0: no share */
    vx::I32 v1, var_d;
};

/**
 * Adds a pixel in each lane to the sums that know no gain. Pixels that are outside of the picture
 * come with all moments zero.
 *
 * There is no branch between pixels: where a pixel has no share in a sum, its operands are set so
 * that the share comes out as zero.
 */
VX_INLINE NumeratorTerms add_moments(const VifArgs &args, const Moments &m, PixelSums &sums)
{
    using vx::I32;
    using vx::U32;
    const I32 var_r = (I32)(m.square_rr - vx::multiply_rounded_high(m.mean_r, m.mean_r));
    const I32 var_d =
        vx::positive((I32)(m.square_dd - vx::multiply_rounded_high(m.mean_d, m.mean_d)));
    const I32 cov = (I32)(m.square_rd - vx::multiply_rounded_high(m.mean_r, m.mean_d));

    const U32 in_log = vx::at_least(var_r, kNoise);
    sums.log_count += in_log;
    vx::add(sums.plain_num, (U32)var_d & ~in_log);

    const I32 v1 = (I32)((U32)var_r & in_log);
    sums.log_den += raw_log(args.log_lines, v1 + kNoise) - (kLogBias + kLogOfNoise);

    const U32 in_num = in_log & vx::at_least(var_d, 1);
    return {vx::positive((I32)((U32)cov & in_num)), v1, var_d};
}

/** A pixel's gain, and the logarithm of what it leaves of the distorted variance. */
struct Gain {
    vx::F64 gain, v1;
    vx::I32 rest, log_rest;
};

VX_INLINE Gain gain_of(const VifArgs &args, const NumeratorTerms &t)
{
    Gain g;
    const vx::F64 c = vx::to_f64(t.covariance);
    g.v1 = vx::to_f64(t.v1);
    g.gain = vx::divide(c, g.v1 + kEpsilon);
    g.rest = vx::positive(vx::truncate(vx::to_f64(t.var_d) - g.gain * c)) + kNoise;
    g.log_rest = raw_log(args.log_lines, g.rest);
    return g;
}

/** The values stay below 2^31 for all pictures: c^2 / v1 exceeds v2 by rounding errors only. */
VX_INLINE vx::I32 log_numerator(const VifArgs &args, const Gain &g, double limit)
{
    const vx::F64 limited = vx::smaller(g.gain, limit);
    const vx::I32 signal = vx::truncate((limited * limited) * g.v1) + g.rest;
    return raw_log(args.log_lines, signal) - g.log_rest;
}

/** Adds a pixel in each lane to all sums. */
VX_INLINE void add_pixels(const VifArgs &args, const Moments &m, PixelSums &sums)
{
    const NumeratorTerms terms = add_moments(args, m, sums);
    if (!vx::any((vx::U32)terms.covariance))
        return; /* common in flat parts of a picture */
    const Gain gain = gain_of(args, terms);
    VX_UNROLL
    for (int k = 0; k < kVifGains; ++k) {
        if (k < args.gains)
            sums.log_num[k] += log_numerator(args, gain, args.gain_limit[k]);
    }
}

} // namespace vif_kernels

#endif
