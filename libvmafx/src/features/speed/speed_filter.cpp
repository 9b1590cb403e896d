/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/speed/speed_filter.h"

#include <algorithm>
#include <cmath>

#include "features/gaussian.h"

namespace vmafx
{

namespace
{

constexpr int kLowPassLevel = 1, kMeanLevel = 4;

/** Taps of a level's filter: odd, at least 3. */
int tap_count(int level, double kernel_scale)
{
    const float full = static_cast<float>(std::exp2(4 - level) + 1);
    const int taps = static_cast<int>(std::ceil(full * static_cast<float>(kernel_scale)));
    return std::max(taps + (taps % 2 == 0), 3);
}

} // namespace

std::vector<float> speed_low_pass(double kernel_scale)
{
    const int taps = tap_count(kLowPassLevel, kernel_scale);
    return gaussian_taps(taps, static_cast<float>(2 * taps / 5.0));
}

std::vector<float> speed_local_mean(double kernel_scale)
{
    const int taps = tap_count(kMeanLevel, kernel_scale);
    return gaussian_taps(taps, static_cast<float>(taps) / 5);
}

} // namespace vmafx
