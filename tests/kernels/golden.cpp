/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernels/golden.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include <nlohmann/json.hpp>

namespace vmafx_test
{

namespace
{

/** Numbers stand as such, except for "inf", "-inf" and "nan". */
double number_of(const nlohmann::json &value)
{
    return value.is_string() ? std::strtod(value.get<std::string>().c_str(), nullptr)
                             : value.get<double>();
}

nlohmann::json load(const std::string &clip, const char *what)
{
    std::ifstream file(golden_folder() + "/scores/" + clip + "." + what + ".json");
    return file ? nlohmann::json::parse(file) : nlohmann::json::object();
}

void add_frames(GoldenScores &scores, const nlohmann::json &metrics)
{
    for (const auto &[name, values] : metrics.items()) {
        for (const auto &value : values)
            scores.frames[name].push_back(number_of(value));
    }
}

void add_aggregates(GoldenScores &scores, const nlohmann::json &aggregates)
{
    for (const auto &[name, value] : aggregates.items())
        scores.aggregates[name] = number_of(value);
}

} // namespace

std::string golden_folder()
{
    if (const char *named = std::getenv("VMAFX_GOLDEN_DIR"))
        return named;
    for (const char *folder : {VMAFX_SHARED_GOLDEN, VMAFX_SOURCE_GOLDEN}) {
        if (std::filesystem::exists(std::string(folder) + "/clips/clips.tsv"))
            return folder;
    }
    return "";
}

std::vector<GoldenClip> golden_clips()
{
    std::vector<GoldenClip> clips;
    std::ifstream table(golden_folder() + "/clips/clips.tsv");
    std::string line;
    std::getline(table, line); /* the heads of the columns */
    while (std::getline(table, line)) {
        std::istringstream words(line);
        GoldenClip clip;
        if (words >> clip.name >> clip.reference >> clip.distorted)
            clips.push_back(clip);
    }
    return clips;
}

ClipPair read_golden(const GoldenClip &clip)
{
    const std::string folder = golden_folder() + "/clips/";
    return {read_y4m(folder + clip.reference + ".y4m.xz"),
            read_y4m(folder + clip.distorted + ".y4m.xz")};
}

GoldenScores golden_scores(const std::string &clip)
{
    const nlohmann::json file = load(clip, "features");
    GoldenScores scores;
    add_frames(scores, file.value("metrics", nlohmann::json::object()));
    add_aggregates(scores, file.value("aggregate_metrics", nlohmann::json::object()));
    return scores;
}

std::map<std::string, GoldenScores> golden_option_runs(const std::string &clip)
{
    const nlohmann::json file = load(clip, "options");
    const nlohmann::json options = file.value("options", nlohmann::json::object());
    const nlohmann::json aggregates = file.value("aggregate_metrics", nlohmann::json::object());
    std::map<std::string, GoldenScores> runs;
    for (const auto &[run, metrics] : options.items())
        add_frames(runs[run], metrics);
    for (const auto &[run, values] : aggregates.items())
        add_aggregates(runs[run], values);
    return runs;
}

} // namespace vmafx_test
