/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/cambi/cambi_tables.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "core/failure.h"
#include "features/cambi/cambi_kernels.h"

namespace vmafx
{

namespace
{

/** Of steps 1, 2, 3, … */
constexpr uint8_t kWeights[kCambiMaxSteps] = {1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7, 8,
                                              8, 8, 8, 8, 8, 8, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9};

/** The value as a decimal number of nine digits, read as a float. */
float of_nine_digits(double value)
{
    std::array<char, 64> text;
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 9);
    float rounded = 0;
    std::from_chars(text.data(), end.ptr, rounded);
    return rounded;
}

} // namespace

CambiBins cambi_bins(const CambiMeasure &measure)
{
    const int steps = measure.steps;
    const int highest = *std::max_element(measure.limits.begin(), measure.limits.end()) + steps;
    const int high = std::min(highest, kCambiMaxCode);
    const int low = std::max(measure.darkest - 3 * steps + 1, 0);
    return {std::min(low, high), high};
}

std::vector<uint8_t> cambi_weights(const CambiMeasure &measure, const CambiBins &bins)
{
    const int steps = measure.steps;
    std::vector<uint8_t> weights(
        static_cast<size_t>((bins.high - bins.low + 1 + 2 * steps) * steps));
    for (int code = bins.low; code <= bins.high; ++code) {
        uint8_t *const row =
            weights.data() + static_cast<ptrdiff_t>(code - bins.low + steps) * steps;
        for (int d = 1; d <= steps; ++d) {
            const bool counts = code <= measure.limits[static_cast<size_t>(d - 1)] &&
                                code + steps + d > measure.darkest;
            row[d - 1] = counts ? kWeights[d - 1] : 0;
        }
    }
    return weights;
}

std::vector<float> cambi_reciprocals()
{
    std::vector<float> table(kCambiWindowSamples + 1);
    for (int k = 1; k <= kCambiWindowSamples; ++k)
        table[static_cast<size_t>(k)] = of_nine_digits(1.0 / k);
    return table;
}

/* The place is kept in single precision, by repeated addition. */
std::vector<int32_t> cambi_sample_places(uint32_t from, uint32_t to)
{
    const float ratio = static_cast<float>(from) / static_cast<float>(to);
    float place = static_cast<float>(static_cast<double>(ratio / 2) - 0.5);
    std::vector<int32_t> places(to);
    for (int32_t &at : places) {
        at = std::clamp(static_cast<int32_t>(std::floor(static_cast<double>(place) + 0.5)), 0,
                        static_cast<int32_t>(from) - 1);
        place += ratio;
    }
    return places;
}

} // namespace vmafx
