/* SPDX-License-Identifier: BSD-2-Clause
 *
 * float_vif and float_adm beyond what the golden scores show: filters, elementary functions,
 * depths, sizes, option sets that share a plan, refusals.
 */
#include <cmath>
#include <functional>

#include <libvmafx/status.h>

#include "core/failure.h"
#include "features/float_adm/float_adm_arithmetic.h"
#include "features/float_vif/float_vif_taps.h"
#include "features/gaussian.h"
#include "features/registry.h"
#include "kernels/elementary.h"
#include "kernels/plan_scores.h"

#include "check_text.h"

using namespace vmafx;
using namespace vmafx_test;

template <class Body> static void on_every_image(Body body)
{
    for (const std::string &name : DirectRunner::names())
        body(*DirectRunner::of_name(name), name);
}

static Scores score_of(DirectRunner &runner, const char *feature, const OptionDict &options,
                       const ClipPair &pair)
{
    return score_clips(runner, *find_feature(feature), {options}, pair.reference,
                       pair.distorted)[0];
}

static void assert_refused(const std::function<void()> &call, int32_t status, const char *subject,
                           const char *word)
{
    try {
        call();
    } catch (const Failure &failure) {
        ck_assert_int_eq(failure.status(), status);
        assert_text(failure.subject(), subject);
        ck_assert_msg(std::string(failure.what()).find(word) != std::string::npos, "\"%s\"",
                      failure.what());
        return;
    }
    ck_abort_msg("%s is not refused", subject);
}

/** Adds an instance, and prepares the plan for pictures of a size. */
static void prepare(const char *feature, const OptionDict &options, const PictureFormat &format)
{
    const auto runner = DirectRunner::of_target("x86-64-v2");
    const auto plan = find_feature(feature)->create();
    plan->add_instance(OptionSet(*find_feature(feature)->options, options, true));
    plan->prepare(*runner, format);
}

static PictureFormat grey(uint32_t width, uint32_t height, uint32_t bits = 8)
{
    return {width, height, bits, Chroma::k400};
}

/* ---- filters --------------------------------------------------------------------------------- */

/* From the outer end to the centre. */
static const std::vector<float> kTaps[] = {
    {0.00745626912f, 0.0142655009f, 0.0250313189f, 0.0402820669f, 0.059452612f, 0.0804750994f,
     0.0999041051f, 0.113746069f, 0.118773833f},
    {0.0189780816f, 0.0558981709f, 0.120920911f, 0.192116067f, 0.224173561f},
    {0.0544886813f, 0.244201332f, 0.402619928f},
    {0.166378513f, 0.667242944f},
};

START_TEST(taps)
{
    const FloatVifTaps taps = float_vif::taps_of(_i, 1.0);
    const std::vector<float> &half = kTaps[_i];
    const int radius = static_cast<int>(half.size()) - 1;
    ck_assert_int_eq(taps.radius, radius);
    for (int i = 0; i <= radius; ++i) {
        ck_assert(taps.tap[kFloatVifTapPad + i] == half[static_cast<size_t>(i)]);
        ck_assert(taps.tap[kFloatVifTapPad + 2 * radius - i] == half[static_cast<size_t>(i)]);
    }
    for (int i = 1; i <= kFloatVifTapPad; ++i) {
        ck_assert(taps.tap[kFloatVifTapPad - i] == 0);
        ck_assert(taps.tap[kFloatVifTapPad + 2 * radius + i] == 0);
    }
}
END_TEST

START_TEST(kernel_scales)
{
    const auto radii = [](double scale) {
        std::vector<int> list;
        for (int s = 0; s < float_vif::kScales; ++s)
            list.push_back(float_vif::taps_of(s, scale).radius);
        return list;
    };
    ck_assert(radii(0.5) == std::vector<int>({4, 2, 1, 1}));
    ck_assert(radii(2.4) == std::vector<int>({20, 11, 6, 4}));
    ck_assert(radii(3.71134) == std::vector<int>({32, 17, 9, 6}));
    for (const double known : {1.0, 0.666667, 3.71134, 1.16667, 0.4444, 0.74074, 1.0009})
        ck_assert_msg(is_kernel_scale(known), "%g", known);
    for (const double unknown : {0.1, 0.9, 1.2, 2.5, 4.0, 1.0011})
        ck_assert_msg(!is_kernel_scale(unknown), "%g", unknown);
}
END_TEST

/* ---- functions of kernels -------------------------------------------------------------------- */

/* The reciprocal of an interval's middle, (2^12 + 2 i + 1) / 2^12, in units of 2^-13, to the
 * nearest whole number. */
START_TEST(rough_reciprocals)
{
    constexpr int64_t kNumerator = int64_t{1} << 25;
    for (int64_t i = 0; i < 2048; ++i) {
        const int64_t middle = 4096 + 2 * i + 1;
        const int64_t units = (2 * kNumerator + middle) / (2 * middle);
        for (const int64_t part : {0, 0x5a5, 0xfff}) {
            for (const int exponent : {-100, -3, 0, 1, 17, 100}) {
                const double x =
                    std::ldexp(static_cast<double>((i << 12 | part) + (1 << 23)), exponent - 23);
                const double expected = std::ldexp(static_cast<double>(units), -13 - exponent);
                for (const double sign : {1.0, -1.0}) {
                    const float found =
                        float_adm_kernels::rough_reciprocal(static_cast<float>(sign * x));
                    ck_assert_msg(same_bits(static_cast<double>(found), sign * expected),
                                  "1 / %a is %a, not %a", sign * x, static_cast<double>(found),
                                  sign * expected);
                }
            }
        }
    }
}
END_TEST

START_TEST(powers)
{
    for (const float y : {1.0f, 1.5f, 2.0f, 2.7f, 4.0f, 20.0f}) {
        float x = 1e-6f;
        for (; x < 1e6f; x *= 1.0007f) {
            const float expected =
                static_cast<float>(std::pow(static_cast<double>(x), static_cast<double>(y)));
            const float found = vx::power(x, y);
            ck_assert_msg(found == expected, "%a to the %g is %a, not %a", static_cast<double>(x),
                          static_cast<double>(y), static_cast<double>(found),
                          static_cast<double>(expected));
        }
        ck_assert(vx::power(0.0f, y) == 0.0f);
        ck_assert(vx::power(1.0f, y) == 1.0f);
    }
    ck_assert(std::isinf(vx::power(1e30f, 20.0f)));
    ck_assert(vx::power(1e-30f, 20.0f) == 0.0f);
}
END_TEST

/* ---- pictures -------------------------------------------------------------------------------- */

struct Run {
    const char *feature;
    OptionDict options;
};
static const Run kRuns[] = {
    {"float_vif", {{"debug", "true"}}},
    {"float_vif", {{"vif_kernelscale", "3.71134"}, {"vif_sigma_nsq", "0.5"}}},
    {"float_vif", {{"vif_prescale", "1.3"}, {"vif_prescale_method", "lanczos4"}}},
    {"float_vif", {{"vif_prescale", "0.45"}, {"vif_prescale_method", "bilinear"}}},
    {"float_vif", {{"vif_skip_scale0", "true"}, {"vif_enhn_gain_limit", "1.2"}}},
    {"float_adm", {{"debug", "true"}}},
    {"float_adm", {{"adm_p_norm", "2.7"}, {"adm_enhn_gain_limit", "1.2"}}},
    {"float_adm", {{"adm_skip_scale0", "true"}, {"adm_bypass_cm", "1"}}},
};

START_TEST(depths_of_one_picture_agree)
{
    const Run &run = kRuns[_i];
    const ClipPair pair = generated_clips(145, 131, 8, 1);
    const auto runner = DirectRunner::of_target("x86-64-v2");
    const Scores expected = score_of(*runner, run.feature, run.options, pair);
    for (const uint32_t bits : {10u, 12u, 16u}) {
        const ClipPair deep = {deepened(pair.reference, bits), deepened(pair.distorted, bits)};
        ck_assert_msg(same_scores(expected, score_of(*runner, run.feature, run.options, deep)),
                      "%s at %u bits", run.feature, bits);
    }
}
END_TEST

/* Parts of tiles are left over, and borders meet each other. */
START_TEST(images_agree)
{
    const Run &run = kRuns[_i];
    constexpr uint32_t kSizes[][2] = {{97, 96}, {241, 99}, {500, 113}, {98, 257}};
    for (const auto &[width, height] : kSizes) {
        const ClipPair pair = generated_clips(width, height, 16, 1);
        const Scores first =
            score_of(*DirectRunner::of_target("x86-64-v2"), run.feature, run.options, pair);
        on_every_image(
            [&, width = width, height = height](DirectRunner &runner, const std::string &name) {
                ck_assert_msg(same_scores(first, score_of(runner, run.feature, run.options, pair)),
                              "%s of %ux%u, %s", run.feature, width, height, name.c_str());
            });
    }
}
END_TEST

START_TEST(small_pictures_agree)
{
    constexpr uint32_t kSizes[][2] = {{17, 17}, {18, 40}, {33, 19}};
    for (const auto &[width, height] : kSizes) {
        const ClipPair pair = generated_clips(width, height, 8, 1);
        for (const char *feature : {"float_vif", "float_adm"}) {
            const Scores first = score_of(*DirectRunner::of_target("x86-64-v2"), feature, {}, pair);
            on_every_image([&](DirectRunner &runner, const std::string &name) {
                ck_assert_msg(same_scores(first, score_of(runner, feature, {}, pair)), "%s, %s",
                              feature, name.c_str());
            });
        }
    }
}
END_TEST

/** Pixel (x, y) of the result is (x * step / 2, y * step / 2) of the clip. */
static Clip picked(const Clip &clip, uint32_t step)
{
    Clip out = clip;
    out.format.width = clip.format.width * 2 / step;
    out.format.height = clip.format.height * 2 / step;
    for (size_t i = 0; i < clip.pictures.size(); ++i) {
        std::vector<uint8_t> &plane = out.pictures[i].plane[0];
        plane.clear();
        for (uint32_t y = 0; y < out.format.height; ++y)
            for (uint32_t x = 0; x < out.format.width; ++x)
                plane.push_back(clip.pictures[i].plane[0][size_t{y * step / 2} * clip.format.width +
                                                          x * step / 2]);
    }
    return out;
}

START_TEST(nearest_samples)
{
    const ClipPair pair = generated_clips(128, 96, 8, 1);
    struct {
        const char *prescale;
        uint32_t step;
    } cases[] = {{"0.5", 4}, {"2", 1}};
    const auto runner = DirectRunner::of_target("x86-64-v2");
    for (const auto &[prescale, step] : cases) {
        const Scores scaled = score_of(*runner, "float_vif", {{"vif_prescale", prescale}}, pair);
        const Scores plain = score_of(*runner, "float_vif", {},
                                      {picked(pair.reference, step), picked(pair.distorted, step)});
        for (const char *scale : {"0", "1", "2", "3"}) {
            const std::string name = std::string("vif_scale") + scale + "_ps_" + prescale;
            const std::string base = std::string("VMAF_feature_vif_scale") + scale + "_score";
            ck_assert(same_bits(scaled.frames.at(name).at(0), plain.frames.at(base).at(0)));
        }
    }
}
END_TEST

/* Sets that share everything but the gain limit, more of them than one launch serves; and sets that
 * share nothing. */
START_TEST(shared_plans)
{
    const ClipPair pair = generated_clips(200, 100, 10, 2);
    for (const char *feature : {"float_vif", "float_adm"}) {
        const bool vif = feature == std::string("float_vif");
        const char *gain = vif ? "vif_enhn_gain_limit" : "adm_enhn_gain_limit";
        std::vector<OptionDict> sets = {
            {}, {{gain, "1"}}, {{gain, "1.5"}}, {{gain, "3"}}, {{gain, "1"}, {"debug", "true"}}};
        if (vif)
            sets.insert(sets.end(), {{{"vif_sigma_nsq", "1"}},
                                     {{"vif_kernelscale", "2"}},
                                     {{"vif_prescale", "0.8"}},
                                     {{"vif_skip_scale0", "true"}, {"vif_prescale", "0.8"}}});
        else
            sets.insert(sets.end(), {{{"adm_p_norm", "2"}},
                                     {{"adm_csf_mode", "1"}},
                                     {{"adm_skip_scale0", "true"}, {"adm_csf_mode", "1"}},
                                     {{"adm_noise_weight", "1"}},
                                     {{"adm_bypass_cm", "1"}}});
        const auto runner = DirectRunner::of_target("x86-64-v2");
        const std::vector<Scores> shared =
            score_clips(*runner, *find_feature(feature), sets, pair.reference, pair.distorted);
        for (size_t i = 0; i < sets.size(); ++i)
            ck_assert_msg(same_scores(shared[i], score_of(*runner, feature, sets[i], pair)),
                          "%s, set %zu", feature, i);
    }
}
END_TEST

/* Without noise weight a flat picture has neither numerator nor denominator. */
START_TEST(flat_pictures)
{
    Clip flat{grey(64, 48), {{}}};
    flat.pictures[0].plane[0].assign(size_t{64} * 48, 77);
    on_every_image([&](DirectRunner &runner, const std::string &) {
        const Scores adm = score_of(runner, "float_adm", {{"adm_noise_weight", "0"}}, {flat, flat});
        ck_assert(same_bits(adm.frames.at("adm2_nw_0").at(0), 1));
        ck_assert(same_bits(adm.frames.at("aim_nw_0").at(0), 0));
        ck_assert(same_bits(adm.frames.at("adm3_nw_0").at(0), 1));
    });
}
END_TEST

/* ---- names and refusals ---------------------------------------------------------------------- */

START_TEST(names)
{
    const auto names = [](const char *feature, const OptionDict &options) {
        const auto runner = DirectRunner::of_target("x86-64-v2");
        const auto plan = find_feature(feature)->create();
        plan->add_instance(OptionSet(*find_feature(feature)->options, options, true));
        plan->prepare(*runner, grey(64, 64));
        return plan->score_names(0).prompt;
    };
    const auto vif = names("float_vif", {{"debug", "true"}, {"vif_kernelscale", "0.5"}});
    ck_assert_uint_eq(vif.size(), 15);
    assert_text(vif[0], "vif_scale0_ks_0.5");
    assert_text(vif[4], "vif_ks_0.5");
    assert_text(vif[14], "vif_den_scale3_ks_0.5");
    assert_text(names("float_vif", {})[3], "VMAF_feature_vif_scale3_score");
    const auto adm = names("float_adm", {{"debug", "true"}, {"adm_ref_display_height", "720"}});
    ck_assert_uint_eq(adm.size(), 18);
    assert_text(adm[0], "adm2_rdf_720");
    assert_text(adm[7], "adm"); /* as libvmaf has it */
    assert_text(adm[17], "adm_den_scale3_rdf_720");
    assert_text(names("float_adm", {})[2], "VMAF_feature_adm3_score");
}
END_TEST

START_TEST(refusals)
{
    for (const char *feature : {"float_vif", "float_adm"}) {
        for (const uint32_t bits : {9u, 11u, 13u, 14u, 15u})
            assert_refused([&] { prepare(feature, {}, grey(64, 64, bits)); }, VMAFX_E_NOTSUP,
                           "bits", feature);
    }
    const auto size = [](const char *feature, const OptionDict &options, uint32_t width,
                         uint32_t height, const char *subject, const char *least) {
        assert_refused([&] { prepare(feature, options, grey(width, height)); }, VMAFX_E_RANGE,
                       subject, least);
    };
    size("float_adm", {}, 16, 64, "width", "17x17");
    size("float_adm", {}, 64, 16, "height", "17x17");
    size("float_vif", {}, 15, 64, "width", "16x16");
    size("float_vif", {}, 64, 15, "height", "16x16");
    size("float_vif", {{"vif_kernelscale", "3.71134"}}, 64, 55, "height", "56x56");
    size("float_vif", {{"vif_prescale", "0.25"}}, 200, 61, "height", "50x15 after vif_prescale");
    size("float_vif", {{"vif_prescale", "0.1"}}, 4, 4, "width", "nothing");
    prepare("float_adm", {}, grey(17, 17));
    prepare("float_vif", {}, grey(16, 16));
    prepare("float_vif", {{"vif_kernelscale", "3.71134"}}, grey(56, 56));

    const auto option = [](const char *feature, const OptionDict &options, int32_t status,
                           const char *subject, const char *word) {
        assert_refused([&] { prepare(feature, options, grey(4000, 64)); }, status, subject, word);
    };
    option("float_vif", {{"vif_prescale_method", "spline"}}, VMAFX_E_INVALID,
           "options.vif_prescale_method", "lanczos4");
    option("float_vif", {{"vif_kernelscale", "1.2"}}, VMAFX_E_INVALID, "options.vif_kernelscale",
           "1.4746");
    option("float_vif", {{"vif_prescale", "2"}, {"vif_prescale_method", "bilinear"}}, VMAFX_E_RANGE,
           "options.vif_prescale", "7680");
    option("float_vif", {{"vif_sigma_nsq", "5.1"}}, VMAFX_E_RANGE, "options.vif_sigma_nsq", "5");
    option("float_adm", {{"adm_skip_aim_scale", "-1"}}, VMAFX_E_RANGE, "options.adm_skip_aim_scale",
           "0..3");
    option("float_adm", {{"adm_csf_mode", "10"}}, VMAFX_E_RANGE, "options.adm_csf_mode", "0..9");
    option("float_adm", {{"adm_ref_display_heigth", "1"}}, VMAFX_E_NOTFOUND,
           "options.adm_ref_display_heigth", "adm_ref_display_height");
}
END_TEST

int main()
{
    TCase *tcase = tcase_create("float VMAF features");
    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, taps, 0, float_vif::kScales);
    tcase_add_test(tcase, kernel_scales);
    tcase_add_test(tcase, rough_reciprocals);
    tcase_add_test(tcase, powers);
    tcase_add_loop_test(tcase, depths_of_one_picture_agree, 0, int{std::size(kRuns)});
    tcase_add_loop_test(tcase, images_agree, 0, int{std::size(kRuns)});
    tcase_add_test(tcase, small_pictures_agree);
    tcase_add_test(tcase, nearest_samples);
    tcase_add_test(tcase, shared_plans);
    tcase_add_test(tcase, flat_pictures);
    tcase_add_test(tcase, names);
    tcase_add_test(tcase, refusals);
    return run_tests(tcase, "float VMAF features");
}
