/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Metrics that compute in floats: depths that mean the same picture, and sums that do not fit.
 */
#include <cmath>
#include <optional>

#include "core/failure.h"
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

static Scores score_of(DirectRunner &runner, const char *feature, const ClipPair &pair)
{
    return score_clips(runner, *find_feature(feature), {{}}, pair.reference, pair.distorted)[0];
}

static void assert_refused(DirectRunner &runner, const char *feature, const PictureFormat &format,
                           int32_t status, const char *subject, const OptionDict &options = {})
{
    const auto plan = find_feature(feature)->create();
    plan->add_instance(OptionSet(*find_feature(feature)->options, options, true));
    try {
        plan->prepare(runner, format);
    } catch (const Failure &failure) {
        ck_assert_int_eq(failure.status(), status);
        assert_text(failure.subject(), subject);
        return;
    }
    ck_abort_msg("%s takes %ux%u, %u bits", feature, format.width, format.height, format.bits);
}

/* Scores that do not look at the depth's peak. */
static const char *const kDepthless[][2] = {
    {"float_moment", "float_moment_ref1st"},
    {"float_moment", "float_moment_dis1st"},
    {"float_moment", "float_moment_ref2nd"},
    {"float_moment", "float_moment_dis2nd"},
    {"float_ansnr", "float_ansnr"},
    {"float_motion", "VMAF_feature_motion_score"},
    {"float_motion", "VMAF_feature_motion3_score"},
};

START_TEST(depths_of_one_picture_agree)
{
    const auto &[feature, name] = kDepthless[_i];
    const ClipPair pair = generated_clips(161, 67, 8, 3);
    on_every_image([&, feature = feature, name = name](DirectRunner &runner) {
        const Scores expected = score_of(runner, feature, pair);
        for (const uint32_t bits : {10u, 12u, 16u}) {
            const ClipPair deep = {deepened(pair.reference, bits), deepened(pair.distorted, bits)};
            const Scores scores = score_of(runner, feature, deep);
            for (const auto &[index, value] : expected.frames.at(name))
                ck_assert_msg(same_bits(scores.frames.at(name).at(index), value),
                              "%s[%zu] at %u bits", name, size_t{index}, bits);
        }
    });
}
END_TEST

START_TEST(other_depths_are_refused)
{
    const auto runner = DirectRunner::of_target("x86-64-v2");
    for (const char *feature : {"float_psnr", "float_moment", "float_ansnr", "float_motion"}) {
        for (const uint32_t bits : {9u, 11u, 13u, 14u, 15u})
            assert_refused(*runner, feature, {64, 64, bits, Chroma::k400}, VMAFX_E_NOTSUP, "bits");
    }
}
END_TEST

START_TEST(small_sizes_are_refused)
{
    const auto runner = DirectRunner::of_target("x86-64-v2");
    assert_refused(*runner, "float_ansnr", {2, 64, 8, Chroma::k400}, VMAFX_E_RANGE, "width");
    assert_refused(*runner, "float_ansnr", {64, 2, 8, Chroma::k400}, VMAFX_E_RANGE, "height");
    assert_refused(*runner, "float_motion", {2, 64, 8, Chroma::k400}, VMAFX_E_RANGE, "width");
    assert_refused(*runner, "float_motion", {6, 5, 8, Chroma::k420}, VMAFX_E_RANGE, "height",
                   {{"motion_add_uv", "true"}});
    assert_refused(*runner, "float_motion", {64, 64, 8, Chroma::k400}, VMAFX_E_NOTSUP,
                   "options.motion_add_uv", {{"motion_add_uv", "true"}});
    assert_refused(*runner, "float_motion", {15361, 64, 8, Chroma::k400}, VMAFX_E_RANGE, "width",
                   {{"motion_add_scale1", "true"}});
}
END_TEST

/* Borders meet each other, and parts of tiles are left over. */
START_TEST(small_and_odd_sizes_agree)
{
    constexpr uint32_t kSizes[][2] = {{3, 3}, {4, 7}, {5, 64}, {67, 3}, {129, 33}, {127, 15}};
    for (const auto &[width, height] : kSizes) {
        const ClipPair pair = generated_clips(width, height, 10, 2);
        for (const char *feature : {"float_psnr", "float_moment", "float_ansnr", "float_motion"}) {
            std::optional<Scores> first;
            on_every_image([&](DirectRunner &runner) {
                const Scores scores = score_of(runner, feature, pair);
                if (!first)
                    first = scores;
                ck_assert_msg(same_scores(*first, scores), "%s at %ux%u", feature, width, height);
            });
        }
    }
}
END_TEST

/* 2^53 is passed in the picture's large part. What is added there in units below the last place is
 * lost, and kept where it is added before. */
constexpr uint32_t kWidth = 2048, kLargeRows = 1060, kSmallRows = 40;
constexpr uint32_t kHeight = kLargeRows + kSmallRows;
constexpr double kLargeSquare = 4294836224; /* of 65535, rounded to a float */

static Clip large_and_small(bool large_first)
{
    Clip clip{{kWidth, kHeight, 16, Chroma::k400}, {{}}};
    std::vector<uint8_t> &plane = clip.pictures[0].plane[0];
    for (uint32_t y = 0; y < kHeight; ++y) {
        const bool large = large_first ? y < kLargeRows : y >= kSmallRows;
        for (uint32_t x = 0; x < kWidth; ++x) {
            plane.push_back(large ? 0xff : 1);
            plane.push_back(large ? 0xff : 0);
        }
    }
    return clip;
}

static double mean_square(bool large_first)
{
    const double large = kLargeSquare * kLargeRows * kWidth;
    const double small = large_first ? 0 : kSmallRows * kWidth;
    return (large + small) / 65536 / (kWidth * kHeight);
}

START_TEST(large_sums_round_in_raster_order)
{
    const bool large_first = _i == 1;
    Clip black{{kWidth, kHeight, 16, Chroma::k400}, {{}}};
    black.pictures[0].plane[0].resize(size_t{kWidth} * kHeight * 2);
    const ClipPair pair = {large_and_small(large_first), black};
    const double expected = mean_square(large_first);
    ck_assert(!same_bits(mean_square(true), mean_square(false)));
    on_every_image([&](DirectRunner &runner) {
        const Scores moments = score_of(runner, "float_moment", pair);
        ck_assert(same_bits(moments.frames.at("float_moment_ref2nd").at(0), expected));
        ck_assert(same_bits(moments.frames.at("float_moment_dis2nd").at(0), 0));
        const double peak = 255.99609375;
        const Scores psnr = score_of(runner, "float_psnr", pair);
        ck_assert(
            same_bits(psnr.frames.at("float_psnr").at(0), 10 * std::log10(peak * peak / expected)));
    });
}
END_TEST

/* An error of 1.5 steps of 8 bits: 10 log10(255.99609375^2 / 2.25). */
START_TEST(sixteen_bit_errors)
{
    const PictureFormat format{96, 40, 16, Chroma::k400};
    Clip black{format, {{}}}, other{format, {{}}};
    black.pictures[0].plane[0].resize(size_t{96} * 40 * 2);
    for (size_t i = 0; i < size_t{96} * 40; ++i) {
        other.pictures[0].plane[0].push_back(0x80);
        other.pictures[0].plane[0].push_back(0x01);
    }
    on_every_image([&](DirectRunner &runner) {
        ck_assert(same_bits(
            score_of(runner, "float_psnr", {black, black}).frames.at("float_psnr").at(0), 108));
        const double psnr =
            score_of(runner, "float_psnr", {black, other}).frames.at("float_psnr").at(0);
        ck_assert_double_eq_tol(psnr, 44.642841588, 1e-8);
    });
}
END_TEST

/* Two sets of options that share what they measure, and frames whose neighbours are missing. */
START_TEST(motion_of_a_flash)
{
    const PictureFormat format{33, 19, 8, Chroma::k400};
    Clip clip{format, {}};
    for (const int level : {16, 16, 48, 24}) {
        Picture picture;
        picture.plane[0].assign(size_t{33} * 19, static_cast<uint8_t>(level));
        clip.pictures.push_back(picture);
    }
    const std::vector<OptionDict> sets = {
        {},
        {{"motion_filter_size", "1"}, {"motion_add_scale1", "true"}},
        {{"motion_filter_size", "1"},
         {"motion_max_val", "20"},
         {"motion_blend_factor", "0.5"},
         {"motion_blend_offset", "10"}},
    };
    on_every_image([&](DirectRunner &runner) {
        const auto scores = score_clips(runner, *find_feature("float_motion"), sets, clip, clip);
        const auto at = [&](size_t set, const char *name, uint64_t index) {
            return scores[set].frames.at(name).at(index);
        };
        ck_assert_double_eq(at(1, "motion_mdc_mfs_1", 1), 0);
        ck_assert_double_eq(at(1, "motion_mdc_mfs_1", 2), 64);
        ck_assert_double_eq(at(1, "motion2_mdc_mfs_1", 2), 48);
        ck_assert_double_eq(at(1, "motion2_mdc_mfs_1", 3), 48);
        /* 24 is blended to 17 before it is limited: 24 / 2 + 10 / 2. */
        ck_assert_double_eq(at(2, "motion_mbf_0.5_mbo_10_mfs_1_mmxv_20", 2), 20);
        ck_assert_double_eq(at(2, "motion2_mbf_0.5_mbo_10_mfs_1_mmxv_20", 3), 20);
        ck_assert_double_eq(at(2, "motion3_mbf_0.5_mbo_10_mfs_1_mmxv_20", 3), 17);
        ck_assert_double_eq_tol(at(0, "VMAF_feature_motion_score", 2), 32, 1e-4);
    });
}
END_TEST

int main()
{
    TCase *tcase = tcase_create("float features");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, depths_of_one_picture_agree, 0, int{std::size(kDepthless)});
    tcase_add_test(tcase, other_depths_are_refused);
    tcase_add_test(tcase, small_sizes_are_refused);
    tcase_add_test(tcase, small_and_odd_sizes_agree);
    tcase_add_loop_test(tcase, large_sums_round_in_raster_order, 0, 2);
    tcase_add_test(tcase, sixteen_bit_errors);
    tcase_add_test(tcase, motion_of_a_flash);
    return run_tests(tcase, "float features");
}
