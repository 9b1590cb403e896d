/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One metric, with every image this machine can run, on every golden clip:
 * each score that the golden set has must come out with the same bits.
 *
 *     golden_features_test METRIC FOLDER...   the clips of the first FOLDER there is
 *
 * VMAFX_GOLDEN_DIR names another folder.
 */
#include "features/registry.h"
#include "kernels/golden.h"
#include "kernels/plan_scores.h"

#include "check_text.h"

using namespace vmafx;
using namespace vmafx_test;

static std::vector<std::filesystem::path> folders;
static const FeatureDescription *feature;

static support::GoldenSet golden_set()
{
    return support::GoldenSet(support::find_golden_folder(folders));
}

/** The options with which the golden scores of a metric were made: all of its outputs. */
static OptionDict golden_options()
{
    OptionDict dict;
    for (const OptionSpec &spec : *feature->options) {
        for (const char *more : {"debug", "enable_mse", "enable_apsnr", "enable_lcs", "full_ref"}) {
            if (std::string(spec.name) == more)
                dict[more] = "true";
        }
    }
    return dict;
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

static bool has_scores(const GoldenScores &golden)
{
    for (const char *name : feature->provided) {
        const std::string start = alias_of(name);
        for (const auto &[golden_name, values] : golden.frames) {
            if (golden_name.starts_with(start))
                return true;
        }
    }
    return false;
}

/** On smaller clips libvmaf reads beside its planes, so that there is no score to compare with. */
static bool is_large_enough(const ClipPair &pair)
{
    const uint32_t least = std::string(feature->name) == "float_adm" ? 17 : 1;
    const PictureFormat &format = pair.reference.format;
    return format.width >= least && format.height >= least;
}

START_TEST(default_options_give_the_golden_scores)
{
    support::GoldenSet set = golden_set();
    const support::GoldenPair &clip = set.pairs()[static_cast<size_t>(_i)];
    const GoldenScores golden = golden_scores(set, clip.name);
    if (!has_scores(golden) || misplaces_chroma(clip, feature->name))
        return;
    const ClipPair pair = read_golden(set, clip);
    if (!is_large_enough(pair))
        return;
    for (const std::string &image : DirectRunner::names()) {
        const auto runner = DirectRunner::of_name(image);
        const Scores ours =
            score_clips(*runner, *feature, {golden_options()}, pair.reference, pair.distorted)[0];
        ck_assert_uint_ge(compare(ours, golden, clip.name + ", " + image),
                          pair.reference.pictures.size());
    }
}
END_TEST

/* All runs of the metric share one plan, as in a context with several models. */
START_TEST(options_give_the_golden_scores)
{
    support::GoldenSet set = golden_set();
    const support::GoldenPair &clip = set.pairs()[static_cast<size_t>(_i)];
    const std::string prefix = std::string(feature->name) + "=";
    std::vector<GoldenScores> golden;
    std::vector<std::string> names;
    std::vector<OptionDict> dicts;
    for (const auto &[run, scores] : golden_option_runs(set, clip.name)) {
        if (!run.starts_with(prefix) || scores.frames.empty())
            continue;
        golden.push_back(scores);
        names.push_back(run);
        dicts.push_back(parse_option_list(run.substr(prefix.size())));
    }
    if (dicts.empty())
        return;
    ClipPair pair = read_golden(set, clip);
    pair.reference.pictures.resize(golden[0].frames.begin()->second.size());
    for (const std::string &image : DirectRunner::names()) {
        const auto runner = DirectRunner::of_name(image);
        const auto ours = score_clips(*runner, *feature, dicts, pair.reference, pair.distorted);
        for (size_t k = 0; k < names.size(); ++k)
            ck_assert_uint_ge(
                compare(ours[k], golden[k], clip.name + ", " + image + ", " + names[k]), 1);
    }
}
END_TEST

int main(int argc, char **argv)
{
    feature = argc > 2 ? find_feature(argv[1]) : nullptr;
    if (!feature)
        return 2;
    folders.assign(argv + 2, argv + argc);
    const int clips = static_cast<int>(golden_set().pairs().size());
    TCase *tcase = tcase_create("golden features");
    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, default_options_give_the_golden_scores, 0, clips);
    tcase_add_loop_test(tcase, options_give_the_golden_scores, 0, clips);
    return run_tests(tcase, "golden features");
}
