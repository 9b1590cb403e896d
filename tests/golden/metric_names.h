/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Names of golden metrics: which of them the library computes, and what options their suffixes
 * mean.
 */
#ifndef TESTS_GOLDEN_METRIC_NAMES_H
#define TESTS_GOLDEN_METRIC_NAMES_H

#include <set>
#include <string>

#include <nlohmann/json.hpp>

/** true: the name is one of vif, adm, motion, psnr or of the v0.6.1 family of models. */
bool is_known_metric(const std::string &name);

/** Option lists ("adm_csf_mode=2:adm_noise_weight=0.02") of the metrics that begin with `base` and
 *  carry options in their names. */
std::set<std::string> options_in_names(const nlohmann::json &metrics, const std::string &base);

#endif
