/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Scores of ssimulacra2 for tests, from every image of its kernels that can be run here.
 */
#ifndef TESTS_SSIMULACRA2_IMAGE_SCORES_H
#define TESTS_SSIMULACRA2_IMAGE_SCORES_H

#include <string>
#include <vector>

#include "features/registry.h"
#include "kernels/plan_scores.h"

namespace vmafx_test
{

vmafx::OptionSet option_set(const vmafx::OptionDict &dict);

std::string name_with(const vmafx::OptionDict &dict);

/** Scores of all frames. Fails the test unless they are those of every image. */
std::vector<double> scores_of(const ClipPair &clips, const vmafx::OptionDict &dict);

void assert_near(const std::string &what, double value, double expected, double bound);

} // namespace vmafx_test

#endif
