/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/speed/speed_filter.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace vmafx
{

namespace
{

constexpr int kLowPassLevel = 1, kMeanLevel = 4;
constexpr double kPi = std::numbers::pi;

/** Taps of a level's filter: odd, at least 3. */
int tap_count(int level, double kernel_scale)
{
    const float full = static_cast<float>(std::exp2(4 - level) + 1);
    const int taps = static_cast<int>(std::ceil(full * static_cast<float>(kernel_scale)));
    return std::max(taps + (taps % 2 == 0), 3);
}

std::vector<float> gaussian(int taps, float sigma)
{
    const double spread = sigma;
    const float divisor = static_cast<float>(1 / (spread * std::sqrt(2 * kPi)));
    std::vector<float> tap;
    float sum = 0;
    for (int i = 0; i < taps; ++i) {
        const double t = i - (taps - 1) / 2;
        const float height = static_cast<float>(std::exp(-0.5 * t / spread * t / spread));
        tap.push_back(height / divisor);
        sum += tap.back();
    }
    for (float &value : tap)
        value /= sum;
    return tap;
}

/** Reflects once at either end. */
int32_t mirrored(int32_t i, int32_t last)
{
    return i < 0 ? -i : i > last ? 2 * last - i : i;
}

float cubic(float t)
{
    constexpr float a = -0.75f;
    t = std::fabs(t);
    if (t < 1)
        return ((a + 2) * t - (a + 3)) * t * t + 1;
    if (t < 2)
        return (((t - 5) * t + 8) * t - 4) * a;
    return 0;
}

float lanczos4(float single)
{
    const double t = single;
    if (t == 0)
        return 1;
    if (std::fabs(t) >= 4)
        return 0;
    return static_cast<float>(4 * std::sin(kPi * t) * std::sin(kPi * t / 4) / (kPi * kPi * t * t));
}

struct Tap {
    int32_t index;
    float weight;
};

/** A sample's taps, at `at` in the source. */
std::vector<Tap> kernel_taps(float (*kernel)(float), int before, int behind, float at, int32_t last)
{
    const float floor = std::floor(at);
    const float part = at - floor;
    std::vector<Tap> taps;
    for (int i = -before; i <= behind; ++i)
        taps.push_back({mirrored(static_cast<int32_t>(floor) + i, last),
                        kernel(static_cast<float>(i) - part)});
    return taps;
}

/* The distance is from the mirrored neighbour: beyond the edge it is negative, as in libvmaf. */
std::vector<Tap> bilinear_taps(float at, int32_t last)
{
    const int32_t before = mirrored(static_cast<int32_t>(std::floor(at)), last);
    const int32_t behind = mirrored(static_cast<int32_t>(std::ceil(at)), last);
    const float part = at - static_cast<float>(before);
    return {{before, 1 - part}, {behind, part}};
}

std::vector<Tap> taps_of(Resampling method, uint32_t i, float ratio, int32_t last)
{
    if (method == Resampling::kNearest)
        return {{static_cast<int32_t>(static_cast<float>(i) * ratio), 1}};
    const float at = static_cast<float>((i + 0.5) * static_cast<double>(ratio) - 0.5);
    if (method == Resampling::kBilinear)
        return bilinear_taps(at, last);
    if (method == Resampling::kBicubic)
        return kernel_taps(cubic, 1, 2, at, last);
    return kernel_taps(lanczos4, 4, 4, at, last);
}

} // namespace

std::vector<float> speed_low_pass(double kernel_scale)
{
    const int taps = tap_count(kLowPassLevel, kernel_scale);
    return gaussian(taps, static_cast<float>(2 * taps / 5.0));
}

std::vector<float> speed_local_mean(double kernel_scale)
{
    const int taps = tap_count(kMeanLevel, kernel_scale);
    return gaussian(taps, static_cast<float>(taps) / 5);
}

SpeedAxisTable speed_axis(Resampling method, uint32_t source, uint32_t size)
{
    const float ratio = static_cast<float>(source) / static_cast<float>(size);
    const auto last = static_cast<int32_t>(source) - 1;
    SpeedAxisTable table;
    for (uint32_t i = 0; i < size; ++i) {
        const std::vector<Tap> taps = taps_of(method, i, ratio, last);
        if (i == 0) {
            table.taps = static_cast<uint32_t>(taps.size());
            table.index.resize(taps.size() * size);
            table.weight.resize(taps.size() * size);
        }
        for (size_t t = 0; t < taps.size(); ++t) {
            table.index[t * size + i] = std::clamp(taps[t].index, 0, last);
            table.weight[t * size + i] = taps[t].weight;
        }
    }
    return table;
}

} // namespace vmafx
