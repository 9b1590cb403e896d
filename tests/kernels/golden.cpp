/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernels/golden.h"

namespace vmafx_test
{

namespace
{

void add_frames(GoldenScores &scores, const nlohmann::json &metrics)
{
    for (const auto &[name, values] : metrics.items()) {
        for (const auto &value : values)
            scores.frames[name].push_back(support::golden_value(value).value());
    }
}

void add_aggregates(GoldenScores &scores, const nlohmann::json &aggregates)
{
    for (const auto &[name, value] : aggregates.items())
        scores.aggregates[name] = support::golden_value(value).value();
}

} // namespace

ClipPair read_golden(support::GoldenSet &set, const support::GoldenPair &pair)
{
    return {read_clip(*set.clip(pair.reference)), read_clip(*set.clip(pair.distorted))};
}

GoldenScores golden_scores(const support::GoldenSet &set, const std::string &pair)
{
    const nlohmann::json file = set.scores(pair, "features");
    GoldenScores scores;
    if (file.is_null())
        return scores;
    add_frames(scores, file.value("metrics", nlohmann::json::object()));
    add_aggregates(scores, file.value("aggregate_metrics", nlohmann::json::object()));
    return scores;
}

std::map<std::string, GoldenScores> golden_option_runs(const support::GoldenSet &set,
                                                       const std::string &pair)
{
    std::map<std::string, GoldenScores> runs;
    const nlohmann::json file = set.scores(pair, "options");
    if (file.is_null())
        return runs;
    for (const auto &[run, metrics] : file.at("options").items())
        add_frames(runs[run], metrics);
    const nlohmann::json aggregates = file.value("aggregate_metrics", nlohmann::json::object());
    for (const auto &[run, values] : aggregates.items())
        add_aggregates(runs[run], values);
    return runs;
}

} // namespace vmafx_test
