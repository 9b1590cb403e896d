/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernels/plan_scores.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace vmafx_test
{

namespace
{

class Keep final : public vmafx::ScoreSink
{
  public:
    explicit Keep(Scores &scores) : scores_(scores) {}
    void write(const std::string &name, uint64_t index, double value) override
    {
        scores_.frames[name][index] = value;
    }
    void write_aggregate(const std::string &name, double value) override
    {
        scores_.aggregates[name] = value;
    }

  private:
    Scores &scores_;
};

} // namespace

std::vector<Scores> score_clips(DirectRunner &runner, const vmafx::FeatureDescription &feature,
                                const std::vector<vmafx::OptionDict> &option_sets,
                                const Clip &reference, const Clip &distorted)
{
    const auto plan = feature.create();
    for (const vmafx::OptionDict &dict : option_sets)
        plan->add_instance(vmafx::OptionSet(*feature.options, dict, true));
    plan->prepare(runner, reference.format);

    std::vector<Scores> scores(option_sets.size());
    std::vector<uint64_t> results(plan->result_words());
    for (uint64_t i = 0; i < reference.pictures.size(); ++i) {
        vmafx::FrameJob job;
        job.stream = &runner;
        job.index = i;
        job.reference = reference.pictures[i].view(reference.format);
        job.distorted = distorted.pictures[i].view(distorted.format);
        job.reference.colour = reference.colour;
        job.distorted.colour = distorted.colour;
        for (uint64_t lag = 1; lag <= 2 && lag <= i && lag <= plan->history(); ++lag)
            job.previous[lag - 1] = reference.pictures[i - lag].view(reference.format);
        for (uint64_t lag = 1; lag <= 2 && lag <= i && lag <= plan->distorted_history(); ++lag)
            job.previous_distorted[lag - 1] = distorted.pictures[i - lag].view(distorted.format);
        results.assign(results.size(), 0);
        job.results = results.data();
        plan->enqueue(job);
        for (size_t k = 0; k < scores.size(); ++k) {
            Keep keep(scores[k]);
            plan->collect(k, results.data(), i, keep);
        }
    }
    for (size_t k = 0; k < scores.size(); ++k) {
        Keep keep(scores[k]);
        plan->finish(k, keep);
    }
    return scores;
}

bool same_scores(const Scores &a, const Scores &b)
{
    const auto same_value = [](const auto &v, const auto &w) {
        return v.first == w.first && same_bits(v.second, w.second);
    };
    const auto same_list = [&](const auto &x, const auto &y) {
        return x.first == y.first && std::equal(x.second.begin(), x.second.end(), y.second.begin(),
                                                y.second.end(), same_value);
    };
    return std::equal(a.frames.begin(), a.frames.end(), b.frames.begin(), b.frames.end(),
                      same_list) &&
           std::equal(a.aggregates.begin(), a.aggregates.end(), b.aggregates.begin(),
                      b.aggregates.end(), same_value);
}

bool same_bits(double a, double b)
{
    if (std::isnan(a) && std::isnan(b))
        return true;
    return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b);
}

} // namespace vmafx_test
