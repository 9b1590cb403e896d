/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/gaussian.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

namespace vmafx
{

namespace
{

constexpr float kKernelScales[] = {
    1.0f,        0.5f,        1.5f,      2.0f,      2.0f / 3,  2.4f,      360.0f / 97,
    4.0f / 3.0f, 3.5f / 3.0f, 3.75f / 3, 4.25f / 3, 5.0f / 3,  3.0f,      1 / 2.25f,
    1.4746f,     1.54f,       1.6f,      1.06667f,  0.711111f, 0.740740f, 1.111111f,
};
constexpr float kTolerance = 1e-3f;

} // namespace

bool is_kernel_scale(double kernel_scale)
{
    return std::any_of(std::begin(kKernelScales), std::end(kKernelScales), [&](float known) {
        return std::fabs(static_cast<float>(kernel_scale) - known) < kTolerance;
    });
}

std::vector<float> gaussian_taps(int count, float deviation)
{
    const double wide = static_cast<double>(deviation);
    const float norm = static_cast<float>(1.0 / (wide * std::sqrt(2.0 * std::numbers::pi)));
    const int middle = count / 2;
    std::vector<float> taps;
    float sum = 0;
    for (int i = 0; i < count; ++i) {
        const double distance = i - middle;
        const float bell = static_cast<float>(std::exp(-0.5 * distance / wide * distance / wide));
        taps.push_back(bell / norm);
        sum += taps.back();
    }
    for (float &tap : taps)
        tap /= sum;
    return taps;
}

} // namespace vmafx
