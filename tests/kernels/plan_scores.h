/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Runs a metric's plan over a pair of clips and keeps its scores.
 */
#ifndef VMAFX_TESTS_PLAN_SCORES_H
#define VMAFX_TESTS_PLAN_SCORES_H

#include <map>
#include <string>
#include <vector>

#include "kernels/clip.h"
#include "kernels/direct_runner.h"

namespace vmafx_test
{

struct Scores {
    std::map<std::string, std::map<uint64_t, double>> frames; /* name -> index -> value */
    std::map<std::string, double> aggregates;
};

/** One Scores per option set. All sets share one plan. */
std::vector<Scores> score_clips(DirectRunner &runner, const vmafx::FeatureDescription &feature,
                                const std::vector<vmafx::OptionDict> &option_sets,
                                const Clip &reference, const Clip &distorted);

/** The same names, frames and values, bit for bit. */
bool same_scores(const Scores &a, const Scores &b);

/** Two doubles are the same number, bit for bit; any NaN equals any NaN. */
bool same_bits(double a, double b);

} // namespace vmafx_test

#endif
