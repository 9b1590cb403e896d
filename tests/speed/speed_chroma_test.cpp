/* SPDX-License-Identifier: BSD-2-Clause
 *
 * speed_chroma against constants of libvmaf on computed clips, between images, and at its limits.
 */
#include "core/failure.h"
#include "features/registry.h"
#include "kernels/plan_scores.h"
#include "speed_pictures.h"

#include "check_text.h"

using namespace vmafx;
using namespace vmafx_test;

static const OptionDict kModelOptions = {{"speed_kernelscale", "1.0"},
                                         {"speed_nn_floor", "0.1"},
                                         {"speed_sigma_nn", "0.19"},
                                         {"speed_weight_var_mode", "5"},
                                         {"speed_max_val", "45.0"}};
static const char *const kDefaultNames[] = {"Speed_chroma_feature_speed_chroma_u_score",
                                            "Speed_chroma_feature_speed_chroma_v_score",
                                            "Speed_chroma_feature_speed_chroma_uv_score"};
static const char *const kModelNames[] = {"speed_chroma_u_mxv_45_nnf_0.1_snn_0.19_wvm_5",
                                          "speed_chroma_v_mxv_45_nnf_0.1_snn_0.19_wvm_5",
                                          "speed_chroma_uv_mxv_45_nnf_0.1_snn_0.19_wvm_5"};

/** Values of libvmaf for speed_clips() of 640x480: u, v, uv of three frames. */
struct Expected {
    uint32_t bits;
    double plain[3][3], model[3][3];
};
static const Expected kExpected[] = {
    {8,
     {{4.882692813873291, 5.1157441139221191, 5.19635009765625},
      {2.2610969543457031, 4.2642111778259277, 6.6912064552307129},
      {3.5718948841094971, 4.6899776458740234, 5.9437780380249023}},
     {{1.8481611013412476, 1.9019941091537476, 1.9820657968521118},
      {0.85591381788253784, 1.58709716796875, 2.5178298950195312},
      {1.3520374298095703, 1.7445456981658936, 2.2499477863311768}}},
    {10,
     {{4.674041748046875, 5.2709250450134277, 4.8893089294433594},
      {2.3911983966827393, 4.01702880859375, 6.5178961753845215},
      {3.5326199531555176, 4.643977165222168, 5.7036027908325195}},
     {{1.7725931406021118, 1.9597486257553101, 1.8506126403808594},
      {0.916748046875, 1.4884427785873413, 2.4544970989227295},
      {1.3446705341339111, 1.7240957021713257, 2.152554988861084}}},
};

static void compare(const std::string &where, const Scores &scores, const char *const (&names)[3],
                    const double (&expected)[3][3])
{
    for (int n = 0; n < 3; ++n) {
        for (uint64_t t = 0; t < 3; ++t) {
            const double value = scores.frames.at(names[n]).at(t);
            ck_assert_msg(same_bits(value, expected[n][t]), "%s: %s[%d] is %.17g, not %.17g",
                          where.c_str(), names[n], int(t), value, expected[n][t]);
        }
    }
}

/* Samples of more bits are the same picture in finer steps. */
START_TEST(constants_of_libvmaf)
{
    for (const uint32_t bits : {8, 10, 12, 16}) {
        const Expected &expected = kExpected[bits > 8];
        const ClipPair clips = speed_clips({640, 480, bits, Chroma::k420}, 3);
        for (const std::string &image : DirectRunner::names()) {
            const auto scores = score_clips(*DirectRunner::of_name(image), *speed_chroma_feature(),
                                            {{}, kModelOptions}, clips.reference, clips.distorted);
            const std::string where = image + ", " + std::to_string(bits) + " bits";
            compare(where, scores[0], kDefaultNames, expected.plain);
            compare(where, scores[1], kModelNames, expected.model);
        }
    }
}
END_TEST

/* Filters of every length, resampling in both directions, rounded block counts. */
START_TEST(images_agree)
{
    const std::vector<OptionDict> sets = {
        {{"speed_kernelscale", "3.71134"}},
        {{"speed_kernelscale", "0.444444"}, {"speed_weight_var_mode", "6"}},
        {{"speed_prescale", "1.7"}, {"speed_prescale_method", "bicubic"}},
        {{"speed_prescale", "0.93"}, {"speed_prescale_method", "bilinear"}},
        {{"speed_prescale", "1.1"}, {"speed_prescale_method", "lanczos4"}},
        {{"speed_prescale", "1.3"}, {"speed_kernelscale", "3"}},
    };
    const ClipPair clips = speed_clips({411, 333, 10, Chroma::k444}, 1);
    std::vector<Scores> first;
    for (const std::string &image : DirectRunner::names()) {
        const auto scores = score_clips(*DirectRunner::of_name(image), *speed_chroma_feature(),
                                        sets, clips.reference, clips.distorted);
        if (first.empty())
            first = scores;
        for (size_t k = 0; k < sets.size(); ++k) {
            ck_assert_uint_eq(scores[k].frames.size(), 3);
            for (const auto &[name, values] : scores[k].frames) {
                ck_assert_double_gt(values.at(0), 0);
                ck_assert_msg(same_bits(values.at(0), first[k].frames.at(name).at(0)),
                              "%s: %s differs from the first image's", image.c_str(), name.c_str());
            }
        }
    }
}
END_TEST

static Clip flat_planes(Clip clip, std::initializer_list<int> planes)
{
    for (Picture &picture : clip.pictures)
        for (const int plane : planes)
            picture.plane[plane].assign(picture.plane[plane].size(), 90);
    return clip;
}

/** u, v, uv of the first frame. */
static std::vector<double> first_scores(const Clip &reference, const Clip &distorted)
{
    const auto runner = DirectRunner::of_target("x86-64-v2");
    const Scores scores =
        score_clips(*runner, *speed_chroma_feature(), {{}}, reference, distorted)[0];
    std::vector<double> values;
    for (const char *name : kDefaultNames)
        values.push_back(scores.frames.at(name).at(0));
    return values;
}

/* A flat plane has no covariance to invert: it scores 0, and uv is the other plane's score. */
START_TEST(flat_planes_by_rule)
{
    const ClipPair clips = speed_clips({640, 480, 8, Chroma::k420}, 1);
    const Clip &r = clips.reference, &d = clips.distorted;
    const double u = kExpected[0].plain[0][0], v = kExpected[0].plain[1][0];
    ck_assert(first_scores(flat_planes(r, {1}), d) == (std::vector<double>{0, v, v}));
    ck_assert(first_scores(r, flat_planes(d, {1})) == (std::vector<double>{0, v, v}));
    ck_assert(first_scores(r, flat_planes(d, {2})) == (std::vector<double>{u, 0, u}));
    ck_assert(first_scores(flat_planes(r, {1}), flat_planes(d, {1, 2})) ==
              (std::vector<double>{0, 0, 0}));
    ck_assert(first_scores(r, r) == (std::vector<double>{0, 0, 0}));
}
END_TEST

/* libvmaf cuts odd pictures to whole pairs: the last column and row of chroma are not read. */
START_TEST(odd_chroma_is_cut)
{
    const ClipPair even = speed_clips({960, 640, 8, Chroma::k420}, 1);
    ClipPair odd = speed_clips({961, 641, 8, Chroma::k420}, 1);
    for (Picture &picture : odd.reference.pictures)
        for (size_t i = 480; i < picture.plane[1].size(); i += 481)
            picture.plane[1][i] = 0;
    ck_assert(first_scores(odd.reference, odd.distorted) ==
              first_scores(even.reference, even.distorted));
}
END_TEST

static void assert_refused(const PictureFormat &format, const OptionDict &options, int32_t status,
                           const char *subject, const char *words)
{
    const auto plan = speed_chroma_feature()->create();
    const auto runner = DirectRunner::of_target("x86-64-v2");
    try {
        plan->add_instance(OptionSet(*speed_chroma_feature()->options, options, true));
        plan->prepare(*runner, format);
        ck_abort_msg("not refused: %s", words);
    } catch (const Failure &failure) {
        ck_assert_int_eq(failure.status(), status);
        assert_text(failure.subject(), subject);
        ck_assert_msg(std::string(failure.what()).find(words) != std::string::npos, "\"%s\" in %s",
                      words, failure.what());
    }
}

START_TEST(refusals_name_the_limit)
{
    const PictureFormat good{640, 480, 8, Chroma::k420};
    assert_refused({640, 480, 8, Chroma::k400}, {}, VMAFX_E_NOTSUP, "format", "chroma");
    assert_refused({640, 480, 9, Chroma::k420}, {}, VMAFX_E_NOTSUP, "bits", "8, 10, 12 or 16");
    assert_refused({159, 480, 8, Chroma::k420}, {}, VMAFX_E_RANGE, "width", "80x80");
    assert_refused({640, 158, 8, Chroma::k420}, {}, VMAFX_E_RANGE, "height", "320x79");
    assert_refused(good, {{"speed_prescale", "0.25"}}, VMAFX_E_RANGE, "height", "80x60");
    assert_refused(good, {{"speed_kernelscale", "0.9"}}, VMAFX_E_RANGE, "options.speed_kernelscale",
                   "1.06667");
    assert_refused(good, {{"speed_prescale_method", "area"}}, VMAFX_E_INVALID,
                   "options.speed_prescale_method", "lanczos4");
    assert_refused(good, {{"speed_weight_var_mode", "7"}}, VMAFX_E_RANGE,
                   "options.speed_weight_var_mode", "0..6");
    assert_refused(good, {{"speed_prescale", "4.1"}}, VMAFX_E_RANGE, "options.speed_prescale",
                   "0.1..4");
}
END_TEST

int main()
{
    TCase *tcase = tcase_create("speed_chroma");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, constants_of_libvmaf);
    tcase_add_test(tcase, images_agree);
    tcase_add_test(tcase, flat_planes_by_rule);
    tcase_add_test(tcase, odd_chroma_is_cut);
    tcase_add_test(tcase, refusals_name_the_limit);
    return run_tests(tcase, "speed_chroma");
}
