/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Everything that can be computed of a pair of frames, at once.
 */
#ifndef TESTS_IMPORT_FEATURE_SESSIONS_H
#define TESTS_IMPORT_FEATURE_SESSIONS_H

#include <span>

#include "support/scores.h"

/** A feature with some of its options. */
struct FeatureRun {
    const char *feature;
    const char *options;
};

/** Runs that share a session: each value that leads to kernels of its own. */
std::span<const FeatureRun> full_runs();
/** Runs whose options leave kernels out, as long as no other run of the session needs them. */
std::span<const FeatureRun> lean_runs();

/** Two sessions over the same frames: the full one, with every built-in model, and the lean one. */
class FeatureSessions
{
  public:
    explicit FeatureSessions(const support::Device &device);
    void submit(const support::Frame &reference, const support::Frame &distorted);
    support::AllScores finish();

  private:
    support::Context full_, lean_;
    uint64_t frames_ = 0;
};

#endif
