/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Contrast sensitivity factors against published values, and option sets that have none.
 */
#include "features/adm/adm_csf.h"

#include <cstdio>

#include <libvmafx/status.h>

#include "core/failure.h"
#include "features/registry.h"

#include "check_text.h"

using namespace vmafx;

static adm::Csf csf(const OptionDict &dict)
{
    return adm::csf_of(OptionSet(*adm_feature()->options, dict, true));
}

static std::string digits(const adm::Csf &csf, int diagonal)
{
    std::string text;
    for (const adm::CsfFactors &scale : csf) {
        char number[32];
        snprintf(number, sizeof number, "%s%.9g", text.empty() ? "" : " ",
                 static_cast<double>(scale.real[static_cast<size_t>(diagonal)]));
        text += number;
    }
    return text;
}

static const struct {
    OptionDict options;
    const char *hv, *d;
} kWatson[] = {
    {{},
     "0.0173815377 0.0319848284 0.0433726609 0.0456734113",
     "0.005890687 0.0142990677 0.0243969075 0.0313127376"},
    {{{"adm_norm_view_dist", "1.5"}, {"adm_ref_display_height", "2160"}},
     "0.0173815377 0.0319848284 0.0433726609 0.0456734113",
     "0.005890687 0.0142990677 0.0243969075 0.0313127376"},
    {{{"adm_ref_display_height", "2160"}},
     "0.00477876095 0.0106813973 0.0175937079 0.0225040857",
     "0.00135816401 0.00400452316 0.00829917472 0.0129383225"},
    {{{"adm_norm_view_dist", "5"}},
     "0.00683917431 0.0145245008 0.0227308422 0.027625151",
     "0.00203585601 0.00570335798 0.0112305162 0.0166351926"},
    {{{"adm_norm_view_dist", "4.5"}},
     "0.00836198684 0.0172412694 0.0261966437 0.0309098586",
     "0.00255665369 0.00695373071 0.0132938055 0.019117875"},
    {{{"adm_norm_view_dist", "5"}, {"adm_ref_display_height", "2160"}},
     "0.00162925618 0.0042028469 0.00798940752 0.0117939925",
     "0.00040671631 0.00138398667 0.0033102273 0.0059558386"},
};

START_TEST(watson)
{
    const auto &row = kWatson[_i];
    assert_text(digits(csf(row.options), 0), row.hv);
    assert_text(digits(csf(row.options), 1), row.d);
}
END_TEST

START_TEST(barten)
{
    const char *usual = "1.21049654 5.0422225 14.6270647 26.9758816";
    assert_text(digits(csf({{"adm_csf_mode", "1"}}), 0), usual);
    assert_text(digits(csf({{"adm_csf_mode", "1"}}), 1), usual);
    const OptionDict far = {
        {"adm_csf_mode", "1"}, {"adm_norm_view_dist", "5"}, {"adm_ref_display_height", "2160"}};
    assert_text(digits(csf(far), 0), "0.031736929 0.33359158 1.81255984 6.96737146");
}
END_TEST

START_TEST(barten_weights_are_separate)
{
    const adm::Csf weighed = csf({{"adm_csf_mode", "1"}, {"adm_csf_scale", "0.5"}});
    const adm::Csf plain = csf({{"adm_csf_mode", "1"}});
    ck_assert(weighed[2].real[0] == plain[2].real[0] * 0.5f);
    ck_assert(weighed[2].real[1] == plain[2].real[1]);
}
END_TEST

static void check_fixed(const OptionDict &dict, const uint32_t (&expected)[4][2])
{
    const adm::Csf factors = csf(dict);
    for (size_t s = 0; s < 4; ++s) {
        ck_assert_uint_eq(factors[s].fixed[0], expected[s][0]);
        ck_assert_uint_eq(factors[s].fixed[1], expected[s][1]);
    }
}

START_TEST(fixed_point)
{
    check_fixed(
        {},
        {{36453, 49417}, {137373792, 61414028}, {186284160, 104783920}, {196165808, 134487184}});
    check_fixed(
        {{"adm_csf_mode", "2"}},
        {{24809, 36087}, {107485848, 50586124}, {184468848, 102727024}, {251775280, 154193616}});
}
END_TEST

static void check_refused(const OptionDict &dict, int32_t status, const char *subject,
                          const char *named)
{
    try {
        csf(dict);
        ck_abort_msg("accepted");
    } catch (const Failure &failure) {
        ck_assert_int_eq(failure.status(), status);
        assert_text(failure.subject(), subject);
        ck_assert_msg(std::string(failure.what()).find(named) != std::string::npos, "%s",
                      failure.what());
    }
}

START_TEST(too_near_is_refused)
{
    check_refused({{"adm_norm_view_dist", "2.9"}}, VMAFX_E_RANGE, "options.adm_norm_view_dist",
                  "3240");
    check_refused({{"adm_ref_display_height", "1079"}}, VMAFX_E_RANGE, "options.adm_norm_view_dist",
                  "3240");
}
END_TEST

START_TEST(distances_without_a_table_are_refused)
{
    for (const char *mode : {"2", "3"}) {
        check_refused({{"adm_csf_mode", mode}, {"adm_norm_view_dist", "4"}}, VMAFX_E_NOTSUP,
                      "options.adm_csf_mode", "adm_ref_display_height 1080");
        csf({{"adm_csf_mode", mode},
             {"adm_norm_view_dist", "5"},
             {"adm_ref_display_height", "720"}});
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("adm csf");
    tcase_add_loop_test(tcase, watson, 0, std::size(kWatson));
    tcase_add_test(tcase, barten);
    tcase_add_test(tcase, barten_weights_are_separate);
    tcase_add_test(tcase, fixed_point);
    tcase_add_test(tcase, too_near_is_refused);
    tcase_add_test(tcase, distances_without_a_table_are_refused);
    return run_tests(tcase, "adm csf");
}
