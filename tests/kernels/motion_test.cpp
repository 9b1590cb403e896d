/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Motion against worked examples: pictures of one bright sample, generated clips of every depth,
 * and the rules that make motion2 and motion3 of a sequence.
 */
#include "core/failure.h"
#include "features/motion/motion_scores.h"
#include "features/registry.h"
#include "kernels/plan_scores.h"

#include "check_text.h"

using namespace vmafx;
using namespace vmafx_test;

template <class Body> static void on_every_image(Body body)
{
    for (const std::string &name : DirectRunner::names())
        body(*DirectRunner::of_name(name));
}

/** Two 8-bit pictures of 16x16 with one sample set; returns the sum of absolute differences. */
static double sad_of(DirectRunner &runner, uint8_t previous, size_t at_previous, uint8_t current,
                     size_t at_current)
{
    Clip clip{{16, 16, 8, Chroma::k400}, std::vector<Picture>(2)};
    for (Picture &picture : clip.pictures)
        picture.plane[0].assign(256, 0);
    clip.pictures[0].plane[0][at_previous] = previous;
    clip.pictures[1].plane[0][at_current] = current;
    const Scores scores = score_clips(runner, *motion_feature(), {{}}, clip, clip)[0];
    return scores.frames.at("VMAF_integer_feature_motion_sad_score").at(1) * 256 * 256;
}

START_TEST(single_samples)
{
    on_every_image([](DirectRunner &runner) {
        ck_assert_double_eq(sad_of(runner, 0, 0, 255, 0), 32107);
        ck_assert_double_eq(sad_of(runner, 0, 0, 1, 8 * 16 + 8), 253);
        ck_assert_double_eq(sad_of(runner, 1, 8 * 16 + 8, 0, 0), 253);
    });
}
END_TEST

struct Expected {
    double sad, motion2, motion3;
};
struct GeneratedCase {
    uint32_t bits, width, height;
    std::vector<Expected> frames;
};

START_TEST(generated_clips_of_every_depth)
{
    static const GeneratedCase cases[] = {
        {8,
         64,
         48,
         {{0, 0, 2.959019978841146},
          {2.959019978841146, 2.853673299153646, 2.853673299153646},
          {2.853673299153646, 2.853673299153646, 2.853673299153646},
          {2.9948768615722656, 2.9559046427408853, 2.9559046427408853},
          {2.9559046427408853, 2.9559046427408853, 2.9559046427408853}}},
        {10,
         67,
         49,
         {{0, 0, 2.7969392514468474},
          {2.7969392514468474, 2.7969392514468474, 2.7969392514468474},
          {2.8741778194486751, 2.7671491871002134, 2.7671491871002134},
          {2.7671491871002134, 2.7671491871002134, 2.7671491871002134}}},
        {12,
         66,
         50,
         {{0, 0, 2.842265625},
          {2.842265625, 2.842265625, 2.842265625},
          {2.8490838068181819, 2.8490838068181819, 2.8490838068181819}}},
        {16,
         66,
         50,
         {{0, 0, 2.8425130208333331},
          {2.8425130208333331, 2.8425130208333331, 2.8425130208333331},
          {2.8548638731060607, 2.8548638731060607, 2.8548638731060607}}},
    };
    const GeneratedCase &c = cases[_i];
    const Clip clip =
        generated_clips(c.width, c.height, c.bits, static_cast<int>(c.frames.size())).reference;
    on_every_image([&](DirectRunner &runner) {
        Scores scores = score_clips(runner, *motion_feature(), {{}}, clip, clip)[0];
        for (uint64_t i = 0; i < c.frames.size(); ++i) {
            const auto value = [&](const char *name) { return scores.frames[name][i]; };
            ck_assert(same_bits(value(kMotionNames.sad), c.frames[i].sad));
            ck_assert(same_bits(value(kMotionNames.motion2), c.frames[i].motion2));
            ck_assert(same_bits(value(kMotionNames.motion3), c.frames[i].motion3));
        }
    });
}
END_TEST

/* The largest differences there are: full scale, alternating, which fills 32 bits in the filters.
 */
START_TEST(full_scale_differences)
{
    Clip clip{{67, 21, 16, Chroma::k400}, std::vector<Picture>(2)};
    for (Picture &picture : clip.pictures)
        picture.plane[0].assign(size_t{67} * 21 * 2, 0);
    const auto sad = [&](DirectRunner &runner) {
        return score_clips(runner, *motion_feature(), {{}}, clip, clip)[0]
            .frames.at(kMotionNames.sad)
            .at(1);
    };
    on_every_image([&](DirectRunner &runner) {
        clip.pictures[0].plane[0].assign(clip.pictures[0].plane[0].size(), 0xff);
        clip.pictures[1].plane[0].assign(clip.pictures[1].plane[0].size(), 0);
        /* (65536 * 65535 + 32768) >> 16 is 65535, twice. */
        ck_assert_double_eq(sad(runner), 65535.0 / 256);
        std::swap(clip.pictures[0], clip.pictures[1]);
        ck_assert_double_eq(sad(runner), 65535.0 / 256);
    });
}
END_TEST

/** Keeps what a MotionScores writes. */
class Keep final : public ScoreSink
{
  public:
    std::map<std::string, std::vector<double>> values;
    void write(const std::string &name, uint64_t index, double value) override
    {
        values[name].resize(index + 1);
        values[name][index] = value;
    }
    void write_aggregate(const std::string &, double) override {}
};

static Keep run_rules(const OptionDict &dict, const std::vector<double> &sads)
{
    MotionScores scores(OptionSet(*motion_feature()->options, dict, true), kMotionNames);
    Keep keep;
    for (size_t i = 0; i < sads.size(); ++i)
        scores.add_frame(i, static_cast<uint64_t>(sads[i] * 256), 1, keep);
    scores.finish(keep);
    return keep;
}

static void assert_series(const std::vector<double> &actual, const std::vector<double> &expected)
{
    ck_assert_uint_eq(actual.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i)
        ck_assert_msg(same_bits(actual[i], expected[i]), "%zu is %.17g, not %.17g", i, actual[i],
                      expected[i]);
}

START_TEST(motion_of_neighbours)
{
    Keep keep = run_rules({}, {0, 37, 35, 34, 36});
    assert_series(keep.values["VMAF_integer_feature_motion2_score"], {0, 35, 34, 34, 36});
    assert_series(keep.values["VMAF_integer_feature_motion3_score"], {37, 35, 34, 34, 36});
    ck_assert_uint_eq(keep.values.count("VMAF_integer_feature_motion_score"), 0);

    keep = run_rules({{"motion_five_frame_window", "true"}}, {0, 0, 5, 4, 6, 3});
    assert_series(keep.values["integer_motion2_mffw"], {0, 0, 4, 5, 3, 3});
    assert_series(keep.values["integer_motion3_mffw"], {5, 5, 4, 5, 3, 3});

    keep = run_rules({{"motion_five_frame_window", "true"}, {"motion_moving_average", "true"}},
                     {0, 0, 5, 4, 6, 3});
    assert_series(keep.values["integer_motion3_mffw_mma"], {5, 5, 4.5, 4.5, 4, 3});
}
END_TEST

START_TEST(short_sequences)
{
    Keep keep = run_rules({}, {77});
    assert_series(keep.values["VMAF_integer_feature_motion2_score"], {0});
    assert_series(keep.values["VMAF_integer_feature_motion3_score"], {0});
    keep = run_rules({}, {0, 9});
    assert_series(keep.values["VMAF_integer_feature_motion2_score"], {0, 9});
    ck_assert(run_rules({}, {}).values.empty());
}
END_TEST

START_TEST(options_change_values_and_names)
{
    Keep keep = run_rules({{"debug", "true"}, {"motion_max_val", "18"}, {"motion_fps_weight", "2"}},
                          {0, 8, 10});
    assert_series(keep.values["VMAF_integer_feature_motion_sad_score_mfw_2_mmxv_18"], {0, 16, 18});
    assert_series(keep.values["integer_motion_mfw_2_mmxv_18"], {0, 16, 18});
    /* 30 * 0.5 + 0.5 * min(10, 30) */
    keep = run_rules({{"motion_blend_factor", "0.5"}, {"motion_blend_offset", "10"}}, {0, 30});
    assert_series(keep.values["integer_motion3_mbf_0.5_mbo_10"], {20, 20});
    assert_series(keep.values["integer_motion2_mbf_0.5_mbo_10"], {0, 30});
    keep = run_rules({{"motion_force_zero", "true"}}, {0, 30, 30});
    assert_series(keep.values["integer_motion3_force_0"], {0, 0, 0});
}
END_TEST

START_TEST(a_gap_ends_the_run)
{
    MotionScores scores(OptionSet(*motion_feature()->options, {}, true), kMotionNames);
    Keep keep;
    for (const uint64_t index : {0, 1, 3})
        scores.add_frame(index, 512, 1, keep);
    scores.finish(keep);
    assert_series(keep.values["VMAF_integer_feature_motion2_score"], {0, 2});
}
END_TEST

static std::unique_ptr<FeaturePlan> plan_with(const OptionDict &dict)
{
    auto plan = motion_feature()->create();
    plan->add_instance(OptionSet(*motion_feature()->options, dict, true));
    return plan;
}

START_TEST(small_pictures_are_refused)
{
    const auto runner = DirectRunner::of_target("x86-64-v2");
    for (const PictureFormat &format :
         {PictureFormat{2, 64, 8, Chroma::k420}, PictureFormat{64, 2, 8, Chroma::k420}}) {
        int32_t status = VMAFX_OK;
        try {
            plan_with({})->prepare(*runner, format);
        } catch (const Failure &failure) {
            status = failure.status();
            ck_assert(std::string(failure.what()).find("at least 3x3") != std::string::npos);
        }
        ck_assert_int_eq(status, VMAFX_E_RANGE);
    }
    plan_with({})->prepare(*runner, {3, 3, 8, Chroma::k420});
}
END_TEST

START_TEST(a_missing_predecessor_is_refused)
{
    const auto plan = plan_with({});
    plan->check_frame(0, 0);
    plan->check_frame(5, 1);
    int32_t status = VMAFX_OK;
    try {
        plan->check_frame(5, 0);
    } catch (const Failure &failure) {
        status = failure.status();
        assert_text(failure.subject(), "index");
    }
    ck_assert_int_eq(status, VMAFX_E_INVALID);
}
END_TEST

START_TEST(planes_and_history_follow_from_options)
{
    ck_assert_uint_eq(plan_with({})->history(), 1);
    ck_assert_uint_eq(plan_with({})->reference_planes(), 1);
    ck_assert_uint_eq(plan_with({})->distorted_planes(), 0);
    ck_assert_uint_eq(plan_with({{"motion_five_frame_window", "true"}})->history(), 2);
    ck_assert_uint_eq(plan_with({{"motion_force_zero", "true"}})->history(), 0);
    ck_assert_uint_eq(plan_with({{"motion_force_zero", "true"}})->reference_planes(), 0);
}
END_TEST

/* The scores of motion under other names. */
START_TEST(motion_v2_is_motion)
{
    const std::vector<OptionDict> sets = {
        {},
        {{"motion_five_frame_window", "true"}, {"motion_moving_average", "true"}},
        {{"motion_fps_weight", "2"}, {"motion_max_val", "5"}, {"motion_blend_factor", "0.5"}},
    };
    const char *const names[][2] = {
        {kMotionNames.sad, kMotionV2Names.sad},
        {kMotionNames.motion2, kMotionV2Names.motion2},
        {kMotionNames.motion3, kMotionV2Names.motion3},
    };
    const ClipPair pair = generated_clips(64, 48, 10, 5);
    const auto runner = DirectRunner::of_target("x86-64-v2");
    const auto score = [&](const FeatureDescription &feature) {
        return score_clips(*runner, feature, sets, pair.reference, pair.distorted);
    };
    const auto first = score(*motion_feature()), second = score(*motion_v2_feature());
    for (size_t k = 0; k < sets.size(); ++k) {
        const OptionSet options(*motion_v2_feature()->options, sets[k], true);
        for (const auto &[name, name_v2] : names) {
            const auto &expected = first[k].frames.at(options.score_name(name));
            const auto &actual = second[k].frames.at(options.score_name(name_v2));
            ck_assert_uint_eq(expected.size(), pair.reference.pictures.size());
            ck_assert(expected == actual);
        }
        ck_assert_uint_eq(second[k].frames.size(), std::size(names));
    }
    ck_assert_double_gt(second[0].frames.at(kMotionV2Names.motion2).at(1), 0);
}
END_TEST

int main()
{
    TCase *tcase = tcase_create("motion");
    tcase_add_test(tcase, single_samples);
    tcase_add_loop_test(tcase, generated_clips_of_every_depth, 0, 4);
    tcase_add_test(tcase, full_scale_differences);
    tcase_add_test(tcase, motion_v2_is_motion);
    tcase_add_test(tcase, motion_of_neighbours);
    tcase_add_test(tcase, short_sequences);
    tcase_add_test(tcase, options_change_values_and_names);
    tcase_add_test(tcase, a_gap_ends_the_run);
    tcase_add_test(tcase, small_pictures_are_refused);
    tcase_add_test(tcase, a_missing_predecessor_is_refused);
    tcase_add_test(tcase, planes_and_history_follow_from_options);
    return run_tests(tcase, "motion");
}
