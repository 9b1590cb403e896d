/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/float_vif/float_vif_taps.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace vmafx::float_vif
{

namespace
{

constexpr float kKernelScales[] = {
    1.0f,        0.5f,        1.5f,      2.0f,      2.0f / 3,  2.4f,      360.0f / 97,
    4.0f / 3.0f, 3.5f / 3.0f, 3.75f / 3, 4.25f / 3, 5.0f / 3,  3.0f,      1 / 2.25f,
    1.4746f,     1.54f,       1.6f,      1.06667f,  0.711111f, 0.740740f, 1.111111f,
};
constexpr float kTolerance = 1e-3f;

/** Odd, and at least 3. */
int count_of(int scale, double kernel_scale)
{
    const int unscaled = (16 >> scale) + 1;
    const int count = static_cast<int>(std::ceil(static_cast<float>(unscaled * kernel_scale)));
    return std::max(count % 2 == 0 ? count + 1 : count, 3);
}

} // namespace

bool is_kernel_scale(double kernel_scale)
{
    return std::any_of(std::begin(kKernelScales), std::end(kKernelScales), [&](float known) {
        return std::fabs(static_cast<float>(kernel_scale) - known) < kTolerance;
    });
}

FloatVifTaps taps_of(int scale, double kernel_scale)
{
    const int count = count_of(scale, kernel_scale);
    FloatVifTaps taps = {};
    taps.radius = count / 2;
    const float deviation = static_cast<float>(count) / 5.0f;
    const double wide = static_cast<double>(deviation);
    const float norm = static_cast<float>(1.0 / (wide * std::sqrt(2.0 * M_PI)));
    float *tap = taps.tap + kFloatVifTapPad;
    float sum = 0;
    for (int i = 0; i < count; ++i) {
        const double distance = i - taps.radius;
        const float bell = static_cast<float>(std::exp(-0.5 * distance / wide * distance / wide));
        tap[i] = bell / norm;
        sum += tap[i];
    }
    for (int i = 0; i < count; ++i)
        tap[i] /= sum;
    return taps;
}

} // namespace vmafx::float_vif
