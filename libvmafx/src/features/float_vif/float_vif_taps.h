/* SPDX-License-Identifier: BSD-2-Clause
 *
 * float_vif's filters.
 */
#ifndef VMAFX_FEATURES_FLOAT_VIF_TAPS_H
#define VMAFX_FEATURES_FLOAT_VIF_TAPS_H

#include "features/float_vif/float_vif_kernels.h"

namespace vmafx::float_vif
{

constexpr int kScales = 4;

/** The filter of a scale, a Gaussian. */
FloatVifTaps taps_of(int scale, double kernel_scale);

} // namespace vmafx::float_vif

#endif
