/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Options that both SpEED features have.
 */
#ifndef VMAFX_FEATURES_SPEED_OPTIONS_H
#define VMAFX_FEATURES_SPEED_OPTIONS_H

#include <optional>

#include "features/options.h"
#include "features/resampling.h"

namespace vmafx
{

/** What decides the analysed plane and the variances of its blocks. */
struct SpeedFilter {
    double kernel_scale;
    double prescale; /* 1 without resampling */
    std::optional<Resampling> resampling;

    bool operator==(const SpeedFilter &) const = default;
};

/** What decides the score of them. */
struct SpeedWeighting {
    float sigma;
    float floor;
    int mode;

    bool operator==(const SpeedWeighting &) const = default;
};

/** The common options of a table. */
OptionTable speed_options();

/** Throws E_RANGE or E_INVALID "options.NAME" for a kernel scale or a method that there is not. */
SpeedFilter speed_filter(const OptionSet &options);
SpeedWeighting speed_weighting(const OptionSet &options, int mode);

} // namespace vmafx

#endif
