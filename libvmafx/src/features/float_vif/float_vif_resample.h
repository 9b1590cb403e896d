/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Tables for pictures at another size before the first scale.
 */
#ifndef VMAFX_FEATURES_FLOAT_VIF_RESAMPLE_H
#define VMAFX_FEATURES_FLOAT_VIF_RESAMPLE_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "features/float_vif/float_vif_kernels.h"

namespace vmafx::float_vif
{

enum class Resampling { kNearest, kBilinear, kBicubic, kLanczos4 };

std::optional<Resampling> resampling_of(const std::string &name);

/** Samples of one direction that make an output. */
int taps_of(Resampling method);

/** A picture's width or height after vif_prescale. */
uint32_t scaled_size(uint32_t size, double prescale);

/** [to][taps]: where the samples of each output lie in a line of `from`, and their weights. */
std::vector<FloatVifTap> resample_table(Resampling method, uint32_t from, uint32_t to);

} // namespace vmafx::float_vif

#endif
