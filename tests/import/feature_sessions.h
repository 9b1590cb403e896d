/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Everything that can be computed of a pair of frames, at once.
 */
#ifndef TESTS_IMPORT_FEATURE_SESSIONS_H
#define TESTS_IMPORT_FEATURE_SESSIONS_H

#include <span>

#include "support/picture.h"
#include "support/scores.h"

/** A feature with some of its options. */
struct FeatureRun {
    const char *feature;
    const char *options;
    uint32_t most_bits = 16;
    bool needs_chroma = false;
};

/** Runs that share a session. */
struct RunSet {
    /** Each value that leads to kernels of its own. */
    std::span<const FeatureRun> full;
    /** Options that leave kernels out, as long as no other run of the session needs them. */
    std::span<const FeatureRun> lean;
    /** Which built-in models join the full ones. */
    bool (*with_model)(const char *version);
};

/** What takes pictures of any size. */
const RunSet &runs_for_small_pictures();
/** What needs up to 320 samples a side, and chroma. */
const RunSet &runs_for_large_pictures();

/** Two sessions over the same frames, with the runs that take pictures like these. */
class FeatureSessions
{
  public:
    FeatureSessions(const support::Device &device, const RunSet &runs,
                    const support::Picture &like);
    void submit(const support::Frame &reference, const support::Frame &distorted);
    support::AllScores finish();

  private:
    support::Context full_, lean_;
    uint64_t frames_ = 0;
};

#endif
