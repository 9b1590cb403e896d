/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The scores that libvmaf gave golden clips, of single features.
 */
#ifndef VMAFX_TESTS_GOLDEN_H
#define VMAFX_TESTS_GOLDEN_H

#include <map>
#include <string>
#include <vector>

#include "kernels/clip.h"
#include "support/golden_set.h"

namespace vmafx_test
{

ClipPair read_golden(support::GoldenSet &set, const support::GoldenPair &pair);

/** Scores of one run: name as reports show it -> one value per frame. */
struct GoldenScores {
    std::map<std::string, std::vector<double>> frames;
    std::map<std::string, double> aggregates;
};

/** Scores with default options; psnr with enable_mse and enable_apsnr, others with debug. */
GoldenScores golden_scores(const support::GoldenSet &set, const std::string &pair);

/** Scores of runs with options, "extractor=name=value:name=value" -> scores; empty for most pairs.
 */
std::map<std::string, GoldenScores> golden_option_runs(const support::GoldenSet &set,
                                                       const std::string &pair);

} // namespace vmafx_test

#endif
