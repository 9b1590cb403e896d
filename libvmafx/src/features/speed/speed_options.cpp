/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/speed/speed_options.h"

#include <cmath>

#include "core/failure.h"
#include "features/gaussian.h"

namespace vmafx
{

namespace
{

constexpr double kNoPrescale = 0.001; /* from 1 */

double known_scale(const OptionSet &options)
{
    const double scale = options.number("speed_kernelscale");
    if (!is_kernel_scale(scale))
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
    if (const auto method = resampling_of(name))
        return *method;
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
        filter.resampling = std::nullopt;
    }
    return filter;
}

SpeedWeighting speed_weighting(const OptionSet &options, int mode)
{
    return {static_cast<float>(options.number("speed_sigma_nn")),
            static_cast<float>(options.number("speed_nn_floor")), mode};
}

} // namespace vmafx
