/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/resampling.h"

#include <algorithm>
#include <cmath>

namespace vmafx
{

namespace
{

struct Method {
    const char *name;
    Resampling method;
    int taps;
};
constexpr Method kMethods[] = {
    {"nearest", Resampling::kNearest, 1},
    {"bilinear", Resampling::kBilinear, 2},
    {"bicubic", Resampling::kBicubic, 4},
    {"lanczos4", Resampling::kLanczos4, 9},
};

int mirrored(int i, int n)
{
    const int inside = i < 0 ? -i : i > n - 1 ? 2 * (n - 1) - i : i;
    return std::clamp(inside, 0, n - 1);
}

float cubic(float x)
{
    constexpr float a = -0.75f;
    const float t = std::fabs(x);
    if (t < 1)
        return ((a + 2) * t - (a + 3)) * t * t + 1;
    return t < 2 ? (((t - 5) * t + 8) * t - 4) * a : 0;
}

float lanczos(float t)
{
    constexpr double lobes = 4;
    if (t == 0)
        return 1;
    if (!(t > -4 && t < 4))
        return 0;
    const double wide = static_cast<double>(t);
    return static_cast<float>(lobes * std::sin(M_PI * wide) * std::sin(M_PI * wide / lobes) /
                              (M_PI * M_PI * wide * wide));
}

/** The output's place among the samples. */
float place_of(uint32_t i, float ratio)
{
    return static_cast<float>((i + 0.5) * static_cast<double>(ratio) - 0.5);
}

void add_bilinear(std::vector<ResampleTap> &table, float place, int n)
{
    const int below = mirrored(static_cast<int>(std::floor(place)), n);
    const int above = mirrored(static_cast<int>(std::ceil(place)), n);
    /* From the mirrored sample: before the first one the line is continued, not bent. */
    const float part = place - static_cast<float>(below);
    table.push_back({below, 1 - part});
    table.push_back({above, part});
}

template <class Weight>
void add_window(std::vector<ResampleTap> &table, float place, int n, int first, int last,
                Weight weight)
{
    const int base = static_cast<int>(std::floor(place));
    const float part = place - static_cast<float>(base);
    for (int i = first; i <= last; ++i)
        table.push_back({mirrored(base + i, n), weight(static_cast<float>(i) - part)});
}

} // namespace

std::optional<Resampling> resampling_of(const std::string &name)
{
    for (const Method &method : kMethods)
        if (name == method.name)
            return method.method;
    return std::nullopt;
}

int resampling_taps(Resampling method)
{
    return kMethods[static_cast<int>(method)].taps;
}

uint32_t resampled_size(uint32_t size, double prescale)
{
    return static_cast<uint32_t>(std::floor(size * prescale + 0.5));
}

std::vector<ResampleTap> resample_table(Resampling method, uint32_t from, uint32_t to)
{
    const float ratio = static_cast<float>(from) / static_cast<float>(to);
    const int n = static_cast<int>(from);
    std::vector<ResampleTap> table;
    table.reserve(static_cast<size_t>(to) * static_cast<size_t>(resampling_taps(method)));
    for (uint32_t i = 0; i < to; ++i) {
        const float place = place_of(i, ratio);
        switch (method) {
        case Resampling::kNearest:
            table.push_back({std::min(static_cast<int>(static_cast<float>(i) * ratio), n - 1), 1});
            break;
        case Resampling::kBilinear:
            add_bilinear(table, place, n);
            break;
        case Resampling::kBicubic:
            add_window(table, place, n, -1, 2, cubic);
            break;
        case Resampling::kLanczos4:
            add_window(table, place, n, -4, 4, lanczos);
            break;
        }
    }
    return table;
}

} // namespace vmafx
