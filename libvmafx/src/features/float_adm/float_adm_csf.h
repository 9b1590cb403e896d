/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Contrast sensitivity of float_adm. Its modes from 2 on are not those of the integer feature.
 */
#ifndef VMAFX_FEATURES_FLOAT_ADM_CSF_H
#define VMAFX_FEATURES_FLOAT_ADM_CSF_H

#include <array>

#include "features/options.h"

namespace vmafx::float_adm
{

constexpr int kScales = 4;

/** Per scale [0]: h and v, [1]: d. */
using Csf = std::array<std::array<float, 2>, kScales>;

Csf csf_of(const OptionSet &options);

} // namespace vmafx::float_adm

#endif
