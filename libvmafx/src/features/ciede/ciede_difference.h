/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The CIEDE2000 difference of two colours. Names of variables are those of the formula; what
 * libvmaf keeps in floats is a float here.
 */
#ifndef VMAFX_FEATURES_CIEDE_DIFFERENCE_H
#define VMAFX_FEATURES_CIEDE_DIFFERENCE_H

#include "features/ciede/ciede_colour.h"
#include "kernels/elementary.h"
#include "kernels/trigonometry.h"

namespace ciede_kernels
{

constexpr double kPi = 0x1.921fb54442d18p+1;

VX_INLINE float chroma_of(float a, float b)
{
    const double wide_a = a, wide_b = b;
    return static_cast<float>(__builtin_sqrt(wide_a * wide_a + wide_b * wide_b));
}

/** 0 to 2 pi; 0 for grey. */
VX_INLINE float hue_of(float a, float b)
{
    const float angle = static_cast<float>(vx::arc_tangent(b, a));
    const float turned = static_cast<float>(angle + 2 * kPi);
    const float hue = angle < 0 ? turned : angle;
    return a == 0 && b == 0 ? 0.0f : hue;
}

struct Hues {
    float difference, mean;
};

VX_INLINE Hues hues_of(float h1, float h2, bool grey)
{
    const float d = h2 - h1, s = h1 + h2;
    const float apart = d < 0 ? -d : d;
    const bool near = apart <= kPi;
    const double turn = h2 <= h1 ? 2 * kPi : -2 * kPi;
    const float around = static_cast<float>(d + turn);
    const float difference = near ? d : around;
    const double mean = (near ? s : s + 2 * kPi) / 2;
    return {grey ? 0.0f : difference, static_cast<float>(mean)};
}

/** Weights of hue. */
VX_INLINE float t_of(float mean_hue)
{
    const double h = mean_hue;
    return static_cast<float>(1 - 0.17 * vx::cosine(h - kPi / 6) + 0.24 * vx::cosine(2 * h) +
                              0.32 * vx::cosine(3 * h + kPi / 30) -
                              0.20 * vx::cosine(4 * h - 7 * kPi / 20));
}

/** The rotation of blue. */
VX_INLINE float rotation_of(float mean_hue, float mean_chroma)
{
    const float degrees = static_cast<float>(mean_hue * (180 / kPi));
    const float z = static_cast<float>((static_cast<double>(degrees) - 275) * (1.0 / 25));
    const float square = z * z;
    const float e = static_cast<float>(60 * vx::exponential(-static_cast<double>(square)));
    const float r = static_cast<float>(e * (kPi / 180));
    const float n = static_cast<float>(vx::seventh_power(mean_chroma));
    const float q = n / (n + 6103515648.0f); /* the float that is nearest to 25^7 */
    return static_cast<float>(-2 * __builtin_sqrt(static_cast<double>(q)) * vx::sine(r));
}

VX_INLINE float difference_of(const Lab &p, const Lab &q)
{
    const float c1 = chroma_of(p.a, p.b), c2 = chroma_of(q.a, q.b);
    const double c7 = vx::seventh_power((c1 + c2) / 2);
    const double k = 1 - __builtin_sqrt(c7 / (c7 + 6103515625.0));
    const float a1 = static_cast<float>(p.a + (p.a / 2) * k);
    const float a2 = static_cast<float>(q.a + (q.a / 2) * k);
    const float chroma1 = chroma_of(a1, p.b), chroma2 = chroma_of(a2, q.b);
    const float mean_chroma = (chroma1 + chroma2) / 2;
    const Hues hues = hues_of(hue_of(a1, p.b), hue_of(a2, q.b), c1 == 0 || c2 == 0);

    const float t = (p.l + q.l) / 2 - 50;
    const double square = static_cast<double>(t) * t;
    const float sl = static_cast<float>(1 + (0.015 * square) / __builtin_sqrt(20 + square));
    const float sc = static_cast<float>(1 + 0.045 * mean_chroma);
    const float sh = static_cast<float>(1 + 0.015 * mean_chroma * t_of(hues.mean));

    const double root = __builtin_sqrt(static_cast<double>(chroma1 * chroma2));
    const float dh = static_cast<float>(2 * root * vx::sine(hues.difference / 2.0));
    const float lightness = (q.l - p.l) / (0.65f * sl);
    const float chroma = (chroma2 - chroma1) / sc;
    const float hue = dh / (4.0f * sh);
    const float turned = rotation_of(hues.mean, mean_chroma) * chroma * hue;
    const double wide_l = lightness, wide_c = chroma, wide_h = hue;
    return static_cast<float>(
        __builtin_sqrt(wide_l * wide_l + wide_c * wide_c + wide_h * wide_h + turned));
}

} // namespace ciede_kernels

#endif
