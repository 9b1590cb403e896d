/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Tables that the kernels of CAMBI read.
 */
#ifndef VMAFX_FEATURES_CAMBI_TABLES_H
#define VMAFX_FEATURES_CAMBI_TABLES_H

#include <cstdint>
#include <vector>

#include "features/cambi/cambi_setting.h"

namespace vmafx
{

/** Codes that can influence a contrast. */
struct CambiBins {
    int low, high;
};
CambiBins cambi_bins(const CambiMeasure &measure);

/** Per bin and step its weight, or 0 where the step does not count: [bins][steps]. */
std::vector<uint8_t> cambi_weights(const CambiMeasure &measure, const CambiBins &bins);

/** 1/k for k up to the samples of the largest window, of nine decimal digits; [0] is 0. */
std::vector<float> cambi_reciprocals();

/** Which of `from` samples stand for `to` of them. */
std::vector<int32_t> cambi_sample_places(uint32_t from, uint32_t to);

} // namespace vmafx

#endif
