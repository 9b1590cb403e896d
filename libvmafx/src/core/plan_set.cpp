/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/plan_set.h"

#include <algorithm>

namespace vmafx
{

void PlanSet::add(const FeatureDescription &feature, const OptionSet &options)
{
    auto entry = std::find_if(entries_.begin(), entries_.end(),
                              [&](const Entry &e) { return e.feature == &feature; });
    if (entry == entries_.end()) {
        entries_.push_back({&feature, feature.create(), {}, 0});
        entry = entries_.end() - 1;
    }
    const std::string identity = options.identity(feature.name);
    if (std::find(entry->identities.begin(), entry->identities.end(), identity) !=
        entry->identities.end())
        return;
    const size_t instance = entry->plan->add_instance(options);
    entry->identities.push_back(identity);
    registered_.push_back({static_cast<size_t>(entry - entries_.begin()), instance});
}

uint32_t PlanSet::planes(bool skipped, bool reference) const
{
    uint32_t bits = 0;
    for (const Entry &entry : entries_)
        if (!skipped || entry.plan->every_frame())
            bits |= reference ? entry.plan->reference_planes() : entry.plan->distorted_planes();
    return bits;
}

uint32_t PlanSet::history() const
{
    uint32_t frames = 0;
    for (const Entry &entry : entries_)
        frames = std::max(frames, entry.plan->history());
    return frames;
}

void PlanSet::prepare(PlanDevice &device, const PictureFormat &format)
{
    for (Entry &entry : entries_) {
        entry.plan->prepare(device, format);
        entry.first_word = words_;
        words_ += entry.plan->result_words();
    }
}

void PlanSet::enqueue(FrameJob job, bool skipped)
{
    uint64_t *results = job.results;
    for (Entry &entry : entries_) {
        if (skipped && !entry.plan->every_frame())
            continue;
        job.results = results + entry.first_word;
        entry.plan->enqueue(job);
    }
}

void PlanSet::collect(const uint64_t *results, uint64_t index, bool skipped, ScoreSink &sink)
{
    for (const Registered &r : registered_) {
        Entry &entry = entries_[r.entry];
        if (!skipped || entry.plan->every_frame())
            entry.plan->collect(r.instance, results + entry.first_word, index, sink);
    }
}

void PlanSet::finish(ScoreSink &sink)
{
    for (const Registered &r : registered_)
        entries_[r.entry].plan->finish(r.instance, sink);
}

} // namespace vmafx
