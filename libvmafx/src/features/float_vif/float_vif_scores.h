/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The names of float_vif's scores.
 */
#ifndef VMAFX_FEATURES_FLOAT_VIF_SCORES_H
#define VMAFX_FEATURES_FLOAT_VIF_SCORES_H

#include <string>
#include <vector>

namespace vmafx::float_vif
{

/** Base names in the order in which the scores are written. */
std::vector<std::string> float_vif_score_names(bool debug);

} // namespace vmafx::float_vif

#endif
