/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/failure.h"
#include "features/options.h"

#include "check_text.h"

using namespace vmafx;

static const OptionTable adm = {
    {"adm_csf_mode", "csf", OptionType::kInt, 0, 0, 3, true},
    {"adm_dlm_weight", "dlmw", OptionType::kDouble, 0.5, 0, 1, true},
    {"adm_enhn_gain_limit", "egl", OptionType::kDouble, 100, 1, 100, true},
    {"adm_min_val", "min", OptionType::kDouble, 0, 0, 1, true},
    {"adm_noise_weight", "nw", OptionType::kDouble, 0.03125, 0, 1500, true},
    {"debug", nullptr, OptionType::kBool, 0, 0, 1, false},
};

/* Deliberately not in the order of the names. */
static const OptionTable mixed = {
    {"zeta", nullptr, OptionType::kBool, 1, 0, 1, true},
    {"method", "psm", OptionType::kString, 0, 0, 0, true, "nearest"},
    {"alpha", "z", OptionType::kInt, 0, -1000000, 2000000, true},
    {"width", "w", OptionType::kInt, 0, 180, 7680, true},
};

static int32_t status_of(const OptionTable &table, const OptionDict &values)
{
    try {
        OptionSet set(table, values, true);
    } catch (const Failure &failure) {
        ck_assert_msg(failure.subject().rfind("options.", 0) == 0, "subject %s",
                      failure.subject().c_str());
        return failure.status();
    }
    return VMAFX_OK;
}

START_TEST(numbers_are_normalised_as_floats)
{
    const char *const cases[][2] = {
        {"1.0", "1"},
        {"1.23456789", "1.23457"},
        {"18.0", "18"},
        {"0.70", "0.7"},
        {"1000000", "1e+06"},
        {"999999", "999999"},
        {"0.0001", "0.0001"},
        {"0.00001", "1e-05"},
        {"+5", "5"},
        {" 7 ", "7"},
        {"-0", "-0"},
        {"1e-60", "0"},
        {"abc", "abc"},
        {"5x", "5x"},
        {"", ""},
        {"+-5", "+-5"},
        {"bilinear", "bilinear"},
    };
    for (const auto &c : cases)
        assert_text(normalise_number(c[0]), c[1]);
}
END_TEST

START_TEST(names_carry_changed_options)
{
    const OptionSet plain(adm, {{"debug", "true"}, {"adm_dlm_weight", "0.5"}}, true);
    assert_text(plain.score_name("VMAF_integer_feature_adm3_score"),
                "VMAF_integer_feature_adm3_score");
    assert_text(plain.identity("adm"), "adm");

    const OptionSet tuned(adm,
                          {{"adm_noise_weight", "0.02"},
                           {"adm_csf_mode", "2"},
                           {"adm_dlm_weight", "0.7"},
                           {"adm_enhn_gain_limit", "1"},
                           {"adm_min_val", "0.5"}},
                          true);
    assert_text(tuned.score_name("VMAF_integer_feature_adm3_score"),
                "integer_adm3_csf_2_dlmw_0.7_egl_1_min_0.5_nw_0.02");
    assert_text(tuned.score_name("integer_adm_scale0"),
                "integer_adm_scale0_csf_2_dlmw_0.7_egl_1_min_0.5_nw_0.02");
    assert_text(tuned.identity("adm"), "adm_csf_2_dlmw_0.7_egl_1_min_0.5_nw_0.02");
}
END_TEST

START_TEST(suffix_sorts_by_full_name_and_formats_each_type)
{
    const OptionSet set(mixed, {{"zeta", "false"}, {"method", "bilinear"}, {"alpha", "-3"}}, true);
    assert_text(set.score_name("x"), "x_z_-3_psm_bilinear_zeta");
    const std::string cut = set.score_name(std::string(300, 'a'));
    ck_assert_uint_eq(cut.size(), 255);
}
END_TEST

START_TEST(values_are_read)
{
    const OptionSet set(mixed, {{"zeta", "false"}, {"alpha", "1000001"}}, true);
    ck_assert(!set.flag("zeta"));
    ck_assert_int_eq(set.integer("alpha"), 1000001);
    assert_text(set.text("method"), "nearest");
    ck_assert_int_eq(set.integer("width"), 0); /* a default may lie outside the range */
    ck_assert(OptionSet(adm, {{"adm_min_val", "0.25"}}, true).number("adm_min_val") == 0.25);
    ck_assert(OptionSet(adm, {}, true).number("adm_noise_weight") == 0.03125);
}
END_TEST

START_TEST(bad_values_are_refused)
{
    struct Case {
        const OptionTable *table;
        const char *name, *value;
        int32_t status;
    };
    const Case cases[] = {
        {&adm, "debug", "yes", VMAFX_E_INVALID},
        {&adm, "debug", "1", VMAFX_E_INVALID},
        {&adm, "adm_csf_mode", "2x", VMAFX_E_INVALID},
        {&adm, "adm_csf_mode", "1.5", VMAFX_E_INVALID},
        {&adm, "adm_csf_mode", "1e+06", VMAFX_E_INVALID},
        {&adm, "adm_csf_mode", "", VMAFX_E_INVALID},
        {&adm, "adm_csf_mode", "4", VMAFX_E_RANGE},
        {&adm, "adm_csf_mode", "99999999999", VMAFX_E_RANGE},
        {&adm, "adm_min_val", "0.5.5", VMAFX_E_INVALID},
        {&adm, "adm_min_val", "abc", VMAFX_E_INVALID},
        {&adm, "adm_min_val", "1.001", VMAFX_E_RANGE},
        {&adm, "adm_min_val", "-0.1", VMAFX_E_RANGE},
        {&adm, "adm_min_val", "nan", VMAFX_E_RANGE},
        {&adm, "adm_min_val", "inf", VMAFX_E_RANGE},
        {&adm, "adm_min_val", "1e999", VMAFX_E_RANGE},
        {&mixed, "width", "0", VMAFX_E_RANGE},
        {&adm, "nothing", "1", VMAFX_E_NOTFOUND},
    };
    for (const Case &c : cases)
        ck_assert_msg(status_of(*c.table, {{c.name, c.value}}) == c.status, "%s=%s", c.name,
                      c.value);
}
END_TEST

START_TEST(unknown_option_lists_the_known)
{
    OptionSet ignored(adm, {{"nothing", "1"}}, false);
    try {
        OptionSet set(mixed, {{"nothing", "1"}}, true);
        ck_abort();
    } catch (const Failure &failure) {
        assert_text(failure.subject(), "options.nothing");
        assert_text(failure.what(),
                    "there is no option \"nothing\"; known options: zeta, method, alpha, width");
    }
}
END_TEST

START_TEST(option_lists_are_split)
{
    const OptionDict dict = parse_option_list("a=1.0:b=true:c=x=y:d=");
    ck_assert_uint_eq(dict.size(), 4);
    assert_text(dict.at("a"), "1");
    assert_text(dict.at("c"), "x=y");
    assert_text(dict.at("d"), "");
    ck_assert(parse_option_list("").empty());
    for (const char *bad : {"a", "=1", "a=1:b", "a=1:a=1", "::"}) {
        try {
            parse_option_list(bad);
            ck_abort_msg("accepted %s", bad);
        } catch (const Failure &failure) {
            ck_assert_int_eq(failure.status(), VMAFX_E_INVALID);
        }
    }
}
END_TEST

START_TEST(aliases)
{
    const char *const cases[][2] = {
        {"VMAF_feature_adm_scale3_score", "adm_scale3"},
        {"VMAF_feature_motion2_score", "motion2"},
        {"VMAF_integer_feature_adm2_score", "integer_adm2"},
        {"VMAF_integer_feature_aim_score", "integer_aim"},
        {"VMAF_integer_feature_vif_scale3_score", "integer_vif_scale3"},
        {"VMAF_integer_feature_motion3_score", "integer_motion3"},
        {"VMAF_integer_feature_adm_scale0_score", "VMAF_integer_feature_adm_scale0_score"},
        {"VMAF_integer_feature_motion_sad_score", "VMAF_integer_feature_motion_sad_score"},
        {"VMAF_integer_feature_score", "VMAF_integer_feature_score"},
        {"Cambi_feature_cambi_score", "cambi"},
        {"Speed_chroma_feature_speed_chroma_uv_score", "speed_chroma_uv"},
        {"Speed_chroma_feature_speed_chroma_y_score", "Speed_chroma_feature_speed_chroma_y_score"},
        {"Speed_temporal_feature_speed_temporal_score", "speed_temporal"},
        {"psnr_y", "psnr_y"},
        {"", ""},
    };
    for (const auto &c : cases)
        assert_text(alias_of(c[0]), c[1]);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("options");
    tcase_add_test(tcase, numbers_are_normalised_as_floats);
    tcase_add_test(tcase, names_carry_changed_options);
    tcase_add_test(tcase, suffix_sorts_by_full_name_and_formats_each_type);
    tcase_add_test(tcase, values_are_read);
    tcase_add_test(tcase, bad_values_are_refused);
    tcase_add_test(tcase, unknown_option_lists_the_known);
    tcase_add_test(tcase, option_lists_are_split);
    tcase_add_test(tcase, aliases);
    return run_tests(tcase, "options");
}
