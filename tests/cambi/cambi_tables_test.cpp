/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Thresholds and tables of CAMBI against published values, and what option sets come to.
 */
#include "features/cambi/cambi_tables.h"

#include <cmath>
#include <cstring>

#include <libvmafx/status.h>

#include "core/failure.h"
#include "features/registry.h"

#include "check_text.h"

using namespace vmafx;

static OptionSet options(const OptionDict &dict)
{
    return OptionSet(cambi_options(), dict, true);
}

static CambiSetting setting(const OptionDict &dict, uint32_t width, uint32_t height,
                            uint32_t bits = 8)
{
    return resolve_cambi(options(dict), {width, height, bits, Chroma::k420});
}

START_TEST(limits_of_visible_steps)
{
    const int bt1886[] = {178, 305, 432, 559, 686, 813, 1023, 1023};
    for (int step = 1; step <= 8; ++step)
        ck_assert_int_eq(cambi_visible_limit(CambiTransfer::kBt1886, step, 0.019),
                         bt1886[step - 1]);
    ck_assert_int_eq(cambi_visible_limit(CambiTransfer::kPq, 1, 0.019), 233);
    for (int step = 2; step <= 32; ++step)
        ck_assert_int_eq(cambi_visible_limit(CambiTransfer::kPq, step, 0.019), 1023);
}
END_TEST

START_TEST(limits_rise_with_the_step)
{
    for (const CambiTransfer transfer : {CambiTransfer::kBt1886, CambiTransfer::kPq})
        for (double threshold = 0.0001; threshold <= 1; threshold += 0.013)
            for (int step = 2; step <= 32; ++step)
                ck_assert_int_ge(cambi_visible_limit(transfer, step, threshold),
                                 cambi_visible_limit(transfer, step - 1, threshold));
}
END_TEST

START_TEST(darkest_codes)
{
    const struct {
        double luminance;
        int bt1886, pq;
    } cases[] = {{0, 0, 0},     {0.005, 0, 78}, {0.02, 69, 91},  {0.06, 78, 108}, {0.1, 84, 119},
                 {1, 135, 196}, {10, 268, 327}, {100, 614, 510}, {300, 940, 609}};
    for (const auto &c : cases) {
        ck_assert_int_eq(cambi_darkest_code(CambiTransfer::kBt1886, c.luminance), c.bt1886);
        ck_assert_int_eq(cambi_darkest_code(CambiTransfer::kPq, c.luminance), c.pq);
    }
}
END_TEST

/* Where nine digits are not enough for the nearest float. */
START_TEST(reciprocals_of_nine_digits)
{
    const int up[] = {82, 83, 244, 488, 564, 614, 664, 1419, 1699, 1906, 2443, 2740, 3812, 4130};
    const int down[] = {504,  510,  528,  749,  760,  892,  2040, 2071, 2112, 2223,
                        2555, 2927, 3285, 3515, 3525, 3705, 3795, 3797, 3837, 3885,
                        4033, 4080, 4091, 4095, 4142, 4203, 4218, 4224};
    const std::vector<float> table = cambi_reciprocals();
    ck_assert_uint_eq(table.size(), 4226);
    for (int k = 1; k < 4226; ++k) {
        float expected = static_cast<float>(1.0 / k);
        for (const int at : up)
            expected = at == k ? std::nextafterf(expected, 2) : expected;
        for (const int at : down)
            expected = at == k ? std::nextafterf(expected, 0) : expected;
        ck_assert_msg(table[static_cast<size_t>(k)] == expected, "1/%d", k);
    }
}
END_TEST

START_TEST(windows_of_sizes)
{
    ck_assert_uint_eq(setting({}, 320, 240).distorted_measure.window, 7);
    ck_assert_uint_eq(setting({}, 576, 324).distorted_measure.window, 9);
    ck_assert_uint_eq(setting({}, 1920, 1080).distorted_measure.window, 33);
    ck_assert_uint_eq(setting({}, 3840, 2160).distorted_measure.window, 65);
    const OptionDict half = {{"cambi_high_res_speedup", "1080"}};
    ck_assert_uint_eq(setting(half, 1920, 1080).distorted_measure.window, 17);
    ck_assert(setting(half, 1920, 1080).source_measure.half);
    ck_assert(!setting(half, 1918, 1080).distorted_measure.half);
    ck_assert(!setting({{"cambi_high_res_speedup", "2160"}}, 1920, 1080).distorted_measure.half);
    ck_assert_uint_eq(
        setting({{"cambi_high_res_speedup", "2160"}}, 7680, 4320).distorted_measure.window, 65);
    const CambiSetting smaller = setting({{"enc_width", "240"}, {"enc_height", "180"}}, 320, 240);
    ck_assert_uint_eq(smaller.distorted_measure.window, 5);
    ck_assert_uint_eq(smaller.distorted.width, 240);
    ck_assert_uint_eq(smaller.source.width, 320);
    /* One side alone says nothing, and nothing is scaled up. */
    ck_assert_uint_eq(setting({{"enc_width", "240"}}, 320, 240).distorted.width, 320);
    ck_assert_uint_eq(
        setting({{"enc_width", "240"}, {"enc_height", "280"}}, 320, 240).distorted.width, 320);
}
END_TEST

START_TEST(the_other_options)
{
    ck_assert_double_eq(setting({}, 320, 240).top_share, 0.6);
    ck_assert_double_eq(setting({{"cambi_topk", "0.2"}}, 320, 240).top_share, 0.2);
    ck_assert_double_eq(setting({{"cambi_topk", "0.2"}, {"topk", "0.1"}}, 320, 240).top_share, 0.1);
    ck_assert(setting({}, 320, 240, 9).distorted.smooth);
    ck_assert(!setting({}, 320, 240, 10).distorted.smooth);
    ck_assert(setting({{"enc_bitdepth", "8"}}, 320, 240, 10).source.smooth);
    const CambiMeasure pq = setting({{"eotf", "pq"}}, 320, 240).distorted_measure;
    ck_assert(pq == setting({{"cambi_eotf", "pq"}}, 320, 240).distorted_measure);
    ck_assert(pq != setting({}, 320, 240).distorted_measure);
}
END_TEST

static void assert_refused(const OptionDict &dict, uint32_t width, uint32_t height, int32_t status,
                           const char *subject)
{
    try {
        check_cambi_options(options(dict));
        setting(dict, width, height);
    } catch (const Failure &failure) {
        ck_assert_int_eq(failure.status(), status);
        assert_text(failure.subject(), subject);
        return;
    }
    ck_abort_msg("%ux%u is taken", width, height);
}

START_TEST(what_is_refused)
{
    assert_refused({}, 176, 144, VMAFX_E_RANGE, "format");
    assert_refused({}, 4096, 2160, VMAFX_E_RANGE, "format");
    assert_refused({}, 7680, 4320, VMAFX_E_RANGE, "format");
    assert_refused({{"window_size", "66"}}, 3840, 2160, VMAFX_E_RANGE, "format");
    assert_refused({{"src_width", "640"}, {"src_height", "200"}}, 576, 324, VMAFX_E_INVALID,
                   "options.src_width");
    assert_refused({{"src_width", "400"}, {"src_height", "400"}}, 576, 324, VMAFX_E_INVALID,
                   "options.src_width");
    assert_refused({{"eotf", "srgb"}}, 576, 324, VMAFX_E_INVALID, "options.eotf");
    assert_refused({{"cambi_eotf", ""}}, 576, 324, VMAFX_E_INVALID, "options.cambi_eotf");
    assert_refused({{"heatmaps_path", "maps"}}, 576, 324, VMAFX_E_NOTSUP, "options.heatmaps_path");
    setting({}, 216, 100);
    setting({}, 100, 700);
    setting({{"window_size", "127"}}, 1920, 1080);
}
END_TEST

START_TEST(names_of_scores)
{
    const std::string base = "Cambi_feature_cambi_score";
    assert_text(options({}).score_name(base), base);
    assert_text(options({{"cambi_high_res_speedup", "1080"},
                         {"cambi_max_val", "17"},
                         {"cambi_vis_lum_threshold", "0.06"}})
                    .score_name(base),
                "cambi_hrs_1080_cmxv_17_vlt_0.06");
    assert_text(options({{"topk", "0.1"}, {"eotf", "pq"}, {"full_ref", "true"}}).score_name(base),
                "cambi_eotf_pq_topk_0.1");
}
END_TEST

START_TEST(places_of_samples)
{
    ck_assert(cambi_sample_places(4, 2) == (std::vector<int32_t>{1, 3}));
    ck_assert(cambi_sample_places(3, 3) == (std::vector<int32_t>{0, 1, 2}));
    ck_assert(cambi_sample_places(2, 4) == (std::vector<int32_t>{0, 0, 1, 1}));
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("cambi tables");
    tcase_add_test(tcase, limits_of_visible_steps);
    tcase_add_test(tcase, limits_rise_with_the_step);
    tcase_add_test(tcase, darkest_codes);
    tcase_add_test(tcase, reciprocals_of_nine_digits);
    tcase_add_test(tcase, windows_of_sizes);
    tcase_add_test(tcase, the_other_options);
    tcase_add_test(tcase, what_is_refused);
    tcase_add_test(tcase, names_of_scores);
    tcase_add_test(tcase, places_of_samples);
    return run_tests(tcase, "cambi tables");
}
