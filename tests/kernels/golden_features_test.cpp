/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Every metric that is registered, with every image this machine can run, on every golden clip:
 * each score that the golden set has must come out with the same bits.
 *
 * usage: golden_features_test [metric ...]
 */
#include <set>

#include "features/registry.h"
#include "kernels/golden.h"
#include "kernels/plan_scores.h"

#include "check_text.h"

using namespace vmafx;
using namespace vmafx_test;

static std::set<std::string> only;

static bool asked_for(const std::string &metric)
{
    return only.empty() || only.count(metric) != 0;
}

/** The options with which the golden scores of a metric were made. */
static OptionDict golden_options(const std::string &metric)
{
    if (metric == "psnr")
        return {{"enable_mse", "true"}, {"enable_apsnr", "true"}};
    return {{"debug", "true"}};
}

/** Compares what both sides have; returns how many values were compared. */
static size_t compare(const Scores &ours, const GoldenScores &golden, const std::string &where)
{
    size_t compared = 0;
    const auto check = [&](const std::string &name, size_t index, double value, double expected) {
        ck_assert_msg(same_bits(value, expected), "%s: %s of frame %zu is %.17g, not %.17g",
                      where.c_str(), name.c_str(), index, value, expected);
        ++compared;
    };
    for (const auto &[name, values] : ours.frames) {
        const auto found = golden.frames.find(alias_of(name));
        if (found == golden.frames.end())
            continue;
        ck_assert_msg(values.size() == found->second.size(), "%s: %s has %zu frames, not %zu",
                      where.c_str(), name.c_str(), values.size(), found->second.size());
        for (const auto &[index, value] : values)
            check(name, index, value, found->second[index]);
    }
    for (const auto &[name, value] : ours.aggregates) {
        if (const auto found = golden.aggregates.find(name); found != golden.aggregates.end())
            check(name, 0, value, found->second);
    }
    return compared;
}

static bool has_scores(const GoldenScores &golden, const FeatureDescription &feature)
{
    for (const char *name : feature.provided) {
        if (golden.frames.count(alias_of(name)))
            return true;
    }
    return false;
}

START_TEST(default_options_give_the_golden_scores)
{
    const GoldenClip clip = golden_clips()[static_cast<size_t>(_i)];
    const ClipPair pair = read_golden(clip);
    const GoldenScores golden = golden_scores(clip.name);
    for (const std::string &image : DirectRunner::names()) {
        const auto runner = DirectRunner::of_name(image);
        for (const FeatureDescription *feature : all_features()) {
            if (!asked_for(feature->name) || !has_scores(golden, *feature))
                continue;
            const std::string where = clip.name + ", " + image + ", " + feature->name;
            const Scores ours = score_clips(*runner, *feature, {golden_options(feature->name)},
                                            pair.reference, pair.distorted)[0];
            ck_assert_uint_ge(compare(ours, golden, where), pair.reference.pictures.size());
        }
    }
}
END_TEST

/** "name=value:name=value" */
static OptionDict parse_options(const std::string &text)
{
    OptionDict dict;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find(':', at), text.size());
        const size_t equals = text.find('=', at);
        dict[text.substr(at, equals - at)] =
            normalise_number(text.substr(equals + 1, end - equals - 1));
        at = end + 1;
    }
    return dict;
}

/* All runs of one metric share one plan, as in a context with several models. */
START_TEST(options_give_the_golden_scores)
{
    const GoldenClip clip = golden_clips()[static_cast<size_t>(_i)];
    const auto runs = golden_option_runs(clip.name);
    if (runs.empty())
        return;
    ClipPair pair = read_golden(clip);
    for (const std::string &image : DirectRunner::names()) {
        const auto runner = DirectRunner::of_name(image);
        for (const FeatureDescription *feature : all_features()) {
            if (!asked_for(feature->name))
                continue;
            std::vector<std::string> names;
            std::vector<OptionDict> dicts;
            const std::string prefix = std::string(feature->name) + "=";
            for (const auto &[run, scores] : runs) {
                if (!run.starts_with(prefix) || scores.frames.empty())
                    continue;
                names.push_back(run);
                dicts.push_back(parse_options(run.substr(prefix.size())));
                pair.reference.pictures.resize(scores.frames.begin()->second.size());
            }
            if (dicts.empty())
                continue;
            const auto ours = score_clips(*runner, *feature, dicts, pair.reference, pair.distorted);
            for (size_t k = 0; k < names.size(); ++k) {
                const std::string where = clip.name + ", " + image + ", " + names[k];
                ck_assert_uint_ge(compare(ours[k], runs.at(names[k]), where), 1);
            }
        }
    }
}
END_TEST

int main(int argc, char **argv)
{
    only.insert(argv + 1, argv + argc);
    if (golden_folder().empty())
        return 77; /* skipped */
    const int clips = static_cast<int>(golden_clips().size());
    TCase *tcase = tcase_create("golden features");
    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, default_options_give_the_golden_scores, 0, clips);
    tcase_add_loop_test(tcase, options_give_the_golden_scores, 0, clips);
    return run_tests(tcase, "golden features");
}
