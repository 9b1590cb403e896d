/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Pictures at another size, as the options *_prescale and *_prescale_method of several metrics make
 * them. Tables are made on the host once a session, with the roundings that scores depend on.
 */
#ifndef VMAFX_FEATURES_RESAMPLING_H
#define VMAFX_FEATURES_RESAMPLING_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/resample_tap.h"

namespace vmafx
{

enum class Resampling { kNearest, kBilinear, kBicubic, kLanczos4 };

std::optional<Resampling> resampling_of(const std::string &name);

/** Samples of one direction that make an output. */
int resampling_taps(Resampling method);

/** A picture's width or height behind it. */
uint32_t resampled_size(uint32_t size, double prescale);

/** [to][taps]: where the samples of each output lie in a line of `from`, and their weights. */
std::vector<ResampleTap> resample_table(Resampling method, uint32_t from, uint32_t to);

} // namespace vmafx

#endif
