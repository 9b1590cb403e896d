/* SPDX-License-Identifier: BSD-2-Clause
 *
 * From the means and norms of the error maps to the score.
 */
#ifndef VMAFX_FEATURES_SSIMULACRA2_SCORE_H
#define VMAFX_FEATURES_SSIMULACRA2_SCORE_H

#include <cstddef>
#include <vector>

#include "features/ssimulacra2/ssimulacra2_kernels.h"

namespace vmafx
{

/** One error map of one plane of one scale. */
struct ErrorMap {
    size_t plane, scale, map;
};

/** The maps of so many scales that have a weight, in the order in which weights are taken: all of
 *  them, unless there are six scales. */
std::vector<ErrorMap> weighted_maps(size_t scales);

/** Mean and 4-norm of a map. */
struct MapNorms {
    double norm[kSsimulacra2Norms];
};

/** norms: those of weighted_maps(scales). */
double ssimulacra2_score(size_t scales, const std::vector<MapNorms> &norms);

} // namespace vmafx

#endif
