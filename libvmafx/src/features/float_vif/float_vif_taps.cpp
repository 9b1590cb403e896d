/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/float_vif/float_vif_taps.h"

#include <algorithm>
#include <cmath>

#include "features/gaussian.h"

namespace vmafx::float_vif
{

namespace
{

/** Odd, and at least 3. */
int count_of(int scale, double kernel_scale)
{
    const int unscaled = (16 >> scale) + 1;
    const int count = static_cast<int>(std::ceil(static_cast<float>(unscaled * kernel_scale)));
    return std::max(count % 2 == 0 ? count + 1 : count, 3);
}

} // namespace

FloatVifTaps taps_of(int scale, double kernel_scale)
{
    const int count = count_of(scale, kernel_scale);
    FloatVifTaps taps = {};
    taps.radius = count / 2;
    const std::vector<float> tap = gaussian_taps(count, static_cast<float>(count) / 5.0f);
    std::copy(tap.begin(), tap.end(), taps.tap + kFloatVifTapPad);
    return taps;
}

} // namespace vmafx::float_vif
