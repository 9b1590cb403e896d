/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Filter taps of SpEED.
 */
#ifndef VMAFX_FEATURES_SPEED_FILTER_H
#define VMAFX_FEATURES_SPEED_FILTER_H

#include <vector>

namespace vmafx
{

/** An odd number of taps whose sum is 1. */
std::vector<float> speed_low_pass(double kernel_scale);
std::vector<float> speed_local_mean(double kernel_scale);

} // namespace vmafx

#endif
