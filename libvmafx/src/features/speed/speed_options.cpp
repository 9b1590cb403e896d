/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/speed/speed_options.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>

#include "core/failure.h"

namespace vmafx
{

namespace
{

constexpr double kScales[] = {1,       1.0 / 2, 3.0 / 2,  2,        2.0 / 3,  2.4,      360.0 / 97,
                              4.0 / 3, 3.5 / 3, 3.75 / 3, 4.25 / 3, 5.0 / 3,  3,        1.0 / 2.25,
                              1.4746,  1.54,    1.6,      1.06667,  0.711111, 0.740740, 1.111111};
constexpr float kSameScale = 0.001f;
constexpr double kNoPrescale = 0.001; /* from 1 */

struct Method {
    const char *name;
    Resampling resampling;
};
constexpr Method kMethods[] = {
    {"nearest", Resampling::kNearest},
    {"bilinear", Resampling::kBilinear},
    {"bicubic", Resampling::kBicubic},
    {"lanczos4", Resampling::kLanczos4},
};

double known_scale(const OptionSet &options)
{
    const double scale = options.number("speed_kernelscale");
    const bool known = std::any_of(std::begin(kScales), std::end(kScales), [&](double candidate) {
        return std::fabs(static_cast<float>(scale) - static_cast<float>(candidate)) < kSameScale;
    });
    if (!known)
        fail(
            VMAFX_E_RANGE, "options.speed_kernelscale",
            "there are no filters for speed_kernelscale %g; known scales: 0.444444, 0.5, 0.666667, "
            "0.711111, 0.74074, 1, 1.06667, 1.11111, 1.16667, 1.25, 1.33333, 1.41667, 1.4746, 1.5, "
            "1.54, 1.6, 1.66667, 2, 2.4, 3, 3.71134",
            scale);
    return scale;
}

Resampling method_of(const OptionSet &options)
{
    const std::string &name = options.text("speed_prescale_method");
    for (const Method &method : kMethods)
        if (name == method.name)
            return method.resampling;
    fail(VMAFX_E_INVALID, "options.speed_prescale_method",
         "there is no speed_prescale_method \"%.100s\"; known methods: nearest, bilinear, bicubic, "
         "lanczos4",
         name.c_str());
}

} // namespace

OptionTable speed_options()
{
    return {
        {"speed_kernelscale", "ks", OptionType::kDouble, 1, 0.1, 4, true},
        {"speed_prescale", "ps", OptionType::kDouble, 1, 0.1, 4, true},
        {"speed_prescale_method", "psm", OptionType::kString, 0, 0, 0, true, "nearest"},
        {"speed_sigma_nn", "snn", OptionType::kDouble, 0.29, 0.1, 2, true},
        {"speed_nn_floor", "nnf", OptionType::kDouble, 0, 0, 1, true},
        {"speed_max_val", "mxv", OptionType::kDouble, 1000, 0, 1000, true},
    };
}

SpeedFilter speed_filter(const OptionSet &options)
{
    SpeedFilter filter = {known_scale(options), options.number("speed_prescale"),
                          method_of(options)};
    if (std::fabs(filter.prescale - 1) < kNoPrescale) {
        filter.prescale = 1;
        filter.resampling = Resampling::kNone;
    }
    return filter;
}

SpeedWeighting speed_weighting(const OptionSet &options, int mode)
{
    return {static_cast<float>(options.number("speed_sigma_nn")),
            static_cast<float>(options.number("speed_nn_floor")), mode};
}

} // namespace vmafx
