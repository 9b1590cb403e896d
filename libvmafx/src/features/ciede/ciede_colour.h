/* SPDX-License-Identifier: BSD-2-Clause
 *
 * From samples to CIELAB, in double, with the roundings to floats that libvmaf has.
 */
#ifndef VMAFX_FEATURES_CIEDE_COLOUR_H
#define VMAFX_FEATURES_CIEDE_COLOUR_H

#include "kernels/roots.h"

namespace ciede_kernels
{

constexpr int kChannels = 3;

/** A channel is (y + from_u * u) + from_v * v, with y of 0 for black and 1 for white, and u and v
 * of -0.5 to 0.5. */
struct ChannelWeights {
    double from_u, from_v;
};
VX_TABLE ChannelWeights kOfChannel[kChannels] = {
    {0, 1.28033},         /* red */
    {-0.21482, -0.38059}, /* green */
    {2.12798, 0},         /* blue */
};

/** A coordinate of CIE XYZ is (red + green) + blue, divided by that of white. */
struct LightWeights {
    double red, green, blue, of_white;
};
VX_TABLE LightWeights kOfLight[kChannels] = {
    {0.4124564390896921, 0.357576077643909, 0.18043748326639894, 1 / 0.95047},
    {0.21267285140562248, 0.715152155287818, 0.07217499330655958, 1},
    {0.019333895582329317, 0.119192025881303, 0.9503040785363677, 1 / 1.08883},
};

/** A channel of 0 to 1, or a little outside, to light. */
VX_INLINE double light_of(double c)
{
    constexpr double kInverse = 1 / 1.055, kSlope = 1 / 12.92;
    const bool curved = c > 10 / 255.0;
    const double power = vx::power_2_4(curved ? (c + 0.055) * kInverse : 1.0);
    return curved ? power : c * kSlope;
}

/** Light to lightness. */
VX_INLINE float lightness_of(double light)
{
    constexpr double kSlope = 24389.0 / 27, kScale = 1.0 / 116;
    const bool curved = light > 216.0 / 24389;
    const double root = vx::third_power(curved ? light : 1.0);
    return static_cast<float>(curved ? root : (kSlope * light + 16) * kScale);
}

struct Lab {
    float l, a, b;
};

/** Of the lightness of X, Y and Z. */
VX_INLINE Lab lab_of(float x, float y, float z)
{
    const double fx = x, fy = y, fz = z;
    return {static_cast<float>(116 * fy - 16), static_cast<float>(500 * (fx - fy)),
            static_cast<float>(200 * (fy - fz))};
}

} // namespace ciede_kernels

#endif
