/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Golden clips and the scores that libvmaf gave them.
 */
#ifndef VMAFX_TESTS_GOLDEN_H
#define VMAFX_TESTS_GOLDEN_H

#include <map>
#include <string>
#include <vector>

#include "kernels/clip.h"

namespace vmafx_test
{

/** The folder of golden clips and scores: VMAFX_GOLDEN_DIR; else shared/golden beside the source
 * tree; else the small set in the source tree; "" if there is none. */
std::string golden_folder();

struct GoldenClip {
    std::string name, reference, distorted; /* the latter two name y4m files in clips/ */
};
std::vector<GoldenClip> golden_clips();

/** The two clips of a pair, read from the folder. */
ClipPair read_golden(const GoldenClip &clip);

/** Scores of one run: name as reports show it -> one value per frame. */
struct GoldenScores {
    std::map<std::string, std::vector<double>> frames;
    std::map<std::string, double> aggregates;
};

/** Scores with default options; psnr with enable_mse and enable_apsnr, others with debug. */
GoldenScores golden_scores(const std::string &clip);

/** Scores of runs with options, "extractor=name=value:name=value" -> scores; empty for most clips.
 */
std::map<std::string, GoldenScores> golden_option_runs(const std::string &clip);

} // namespace vmafx_test

#endif
