/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The feature plans of a context: one for all features that have it in common, with the option sets
 * that models and callers asked for, each once.
 */
#ifndef VMAFX_CORE_PLAN_SET_H
#define VMAFX_CORE_PLAN_SET_H

#include <memory>
#include <string>
#include <vector>

#include "features/feature.h"

namespace vmafx
{

class PlanSet
{
  public:
    enum class Added { kNew, kKnown, kOtherOptions };

    /** Adds an option set. One that forms the same names as an earlier one is dropped: kKnown, or
     *  kOtherOptions if it differs from that one in an option that forms no name. Nothing is
     *  added when it throws. */
    Added add(const FeatureDescription &feature, const OptionSet &options);
    /** A set of fresh plans with the same option sets. */
    PlanSet again() const;

    bool empty() const { return registered_.empty(); }
    uint32_t reference_planes(bool skipped) const { return planes(skipped, true); }
    uint32_t distorted_planes(bool skipped) const { return planes(skipped, false); }
    /** Earlier pictures that are read, at most 2. */
    uint32_t history() const;
    uint32_t distorted_history() const;

    void prepare(PlanDevice &device, const PictureFormat &format);
    /** 64-bit words of results of one frame. Valid after prepare(). */
    size_t result_words() const { return words_; }

    /** A score's stored name and the option set it comes from. */
    struct Name {
        std::string text;
        size_t source;
    };
    /** In the order of first write. Valid after prepare(). */
    std::vector<Name> score_names() const;
    /** true: the frame was submitted, and the source may still write a score of it. */
    bool may_come(size_t source, uint64_t index, bool skipped, bool collected) const;

    /** Throws E_INVALID "index" if a plan cannot take the frame. */
    void check_frame(uint64_t index, uint64_t sequence, bool skipped) const;

    /** Throws E_INVALID or E_NOTSUP if a plan cannot convert the colours of a picture. */
    void check_colours(const PictureFormat &format, const ColourTags &reference,
                       const ColourTags &distorted, bool skipped) const;

    /** Enqueues the plans; skipped: only those that see every frame. job.results is the frame's. */
    void enqueue(FrameJob job, bool skipped);
    /** Launches and clears of a frame at most. Valid after prepare(). */
    size_t count_commands();
    void collect(const uint64_t *results, uint64_t index, bool skipped, ScoreSink &sink);
    void finish(ScoreSink &sink);

  private:
    struct Entry {
        PlanMaker create; /* what made the plan */
        std::unique_ptr<FeaturePlan> plan;
        size_t first_word = 0; /* of its block of results */
    };
    struct Registered {
        const FeatureDescription *feature;
        OptionSet options;
        size_t entry, instance;
    };

    uint32_t planes(bool skipped, bool reference) const;

    std::vector<Entry> entries_;
    std::vector<Registered> registered_; /* in the order of registration */
    size_t words_ = 0;
};

} // namespace vmafx

#endif
