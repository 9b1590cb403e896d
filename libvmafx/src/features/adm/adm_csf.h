/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Contrast sensitivity of ADM: one factor per scale for the h and v bands, one for d.
 */
#ifndef VMAFX_FEATURES_ADM_CSF_H
#define VMAFX_FEATURES_ADM_CSF_H

#include <array>
#include <cstdint>

#include "features/options.h"

namespace vmafx::adm
{

constexpr int kScales = 4;

/** [0]: h and v, [1]: d. */
struct CsfFactors {
    std::array<float, 2> real{};
    std::array<uint32_t, 2> fixed{};
    friend bool operator==(const CsfFactors &, const CsfFactors &) = default;
};
using Csf = std::array<CsfFactors, kScales>;

/** Throws E_RANGE or E_NOTSUP naming the option, where an option set has no usable factors. */
Csf csf_of(const OptionSet &options);

} // namespace vmafx::adm

#endif
