/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/plan_set.h"

#include <algorithm>

namespace vmafx
{

namespace
{

class CountingStream final : public PlanStream
{
  public:
    void launch(const Kernel *, const Grid &, const void *, size_t) override { ++count_; }
    void clear(void *, size_t) override { ++count_; }
    size_t count() const { return count_; }

  private:
    size_t count_ = 0;
};

} // namespace

PlanSet::Added PlanSet::add(const FeatureDescription &feature, const OptionSet &options)
{
    const std::string identity = options.identity(feature.name);
    for (const Registered &known : registered_)
        if (known.feature == &feature && known.options.identity(feature.name) == identity)
            return known.options == options ? Added::kKnown : Added::kOtherOptions;
    const auto found = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const Entry &e) { return e.create == feature.create; });
    const auto entry = static_cast<size_t>(found - entries_.begin());
    size_t instance = 0;
    if (found != entries_.end()) {
        instance = found->plan->add_instance(options);
    } else {
        Entry fresh{feature.create, feature.create(), 0};
        instance = fresh.plan->add_instance(options);
        entries_.push_back(std::move(fresh));
    }
    registered_.push_back({&feature, options, entry, instance});
    return Added::kNew;
}

PlanSet PlanSet::again() const
{
    PlanSet fresh;
    for (const Registered &r : registered_)
        fresh.add(*r.feature, r.options);
    return fresh;
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

uint32_t PlanSet::distorted_history() const
{
    uint32_t frames = 0;
    for (const Entry &entry : entries_)
        frames = std::max(frames, entry.plan->distorted_history());
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

std::vector<PlanSet::Name> PlanSet::score_names() const
{
    std::vector<Name> prompt, late;
    for (size_t i = 0; i < registered_.size(); ++i) {
        const Registered &r = registered_[i];
        const ScoreNames names = entries_[r.entry].plan->score_names(r.instance);
        for (const std::string &name : names.prompt)
            prompt.push_back({name, i});
        for (const std::string &name : names.late)
            late.push_back({name, i});
    }
    prompt.insert(prompt.end(), late.begin(), late.end());
    return prompt;
}

bool PlanSet::may_come(size_t source, uint64_t index, bool skipped, bool collected) const
{
    const Registered &r = registered_[source];
    const FeaturePlan &plan = *entries_[r.entry].plan;
    if (collected)
        return plan.may_come(r.instance, index);
    return !skipped || plan.every_frame();
}

void PlanSet::check_frame(uint64_t index, uint64_t sequence, bool skipped) const
{
    for (const Entry &entry : entries_)
        if (!skipped || entry.plan->every_frame())
            entry.plan->check_frame(index, sequence);
}

void PlanSet::check_colours(const PictureFormat &format, const ColourTags &reference,
                            const ColourTags &distorted, bool skipped) const
{
    for (const Entry &entry : entries_)
        if (!skipped || entry.plan->every_frame())
            entry.plan->check_colours(format, reference, distorted);
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

/* Plans look at their job and at nothing else, so that one without pictures will do. */
size_t PlanSet::count_commands()
{
    CountingStream stream;
    std::vector<uint64_t> results(words_); /* nobody writes, but addresses in it are formed */
    FrameJob job;
    job.stream = &stream;
    job.results = results.data();
    job.index = UINT64_MAX; /* late enough to have all predecessors */
    enqueue(job, false);
    return stream.count();
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
