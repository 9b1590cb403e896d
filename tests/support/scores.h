/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Whole sessions: what is registered, what is submitted, every value that comes out.
 */
#ifndef TESTS_SUPPORT_SCORES_H
#define TESTS_SUPPORT_SCORES_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "support/handles.h"

namespace support
{

/** Bits of every score of every frame, and of every aggregate. */
using AllScores = std::map<std::string, std::vector<std::optional<uint64_t>>>;

/** All values of a flushed context with frames 0..frames-1. */
AllScores all_scores(const Context &context, size_t frames);

/** The first difference in words, "" if there is none. */
std::string difference(const AllScores &expected, const AllScores &actual);

/** vif, adm, motion, psnr with all their outputs, and the default model. */
void use_everything(const Context &context);

void submit(const Context &context, const Frame &reference, const Frame &distorted, uint64_t index);

} // namespace support

#endif
