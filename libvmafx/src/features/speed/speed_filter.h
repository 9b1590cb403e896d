/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Filter taps and resampling tables of SpEED. They are made on the host once a session, with the
 * roundings to single precision that the scores depend on.
 */
#ifndef VMAFX_FEATURES_SPEED_FILTER_H
#define VMAFX_FEATURES_SPEED_FILTER_H

#include <cstdint>
#include <vector>

#include "features/speed/speed_options.h"

namespace vmafx
{

/** A Gaussian of an odd number of taps whose sum is 1. */
std::vector<float> speed_low_pass(double kernel_scale);
std::vector<float> speed_local_mean(double kernel_scale);

/** For each of `size` samples along a resampled side: the source's samples and their weights, tap
 *  by tap: element [tap * size + i]. */
struct SpeedAxisTable {
    uint32_t taps = 0;
    std::vector<int32_t> index;
    std::vector<float> weight;
};

/** Not for kNone. source, size > 0. */
SpeedAxisTable speed_axis(Resampling method, uint32_t source, uint32_t size);

} // namespace vmafx

#endif
