/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Worked examples: sums and scores that were written down for small computed pictures.
 */
#include <algorithm>

#include "adm/adm_pictures.h"

#include "check_text.h"

using namespace vmafx;
using namespace vmafx_test;

static int example_reference(int x, int y)
{
    return 2 * x + 2 * y + 40 * ((x / 6 + y / 5) % 2) + ((31 * x) ^ (17 * y)) % 16;
}

static int example_distorted(int x, int y)
{
    return std::clamp(example_reference(x, y) + (13 * x + 29 * y) % 21 - 10, 0, 255);
}

static ClipPair example_a()
{
    return {clip_of(48, 48, 8, example_reference), clip_of(48, 48, 8, example_distorted)};
}

static ClipPair example_a10()
{
    const auto reference = [](int x, int y) {
        return 4 * example_reference(x, y) + (x + 3 * y) % 4;
    };
    const auto distorted = [](int x, int y) {
        return 4 * example_distorted(x, y) + (3 * x + y) % 4;
    };
    return {clip_of(48, 48, 10, reference), clip_of(48, 48, 10, distorted)};
}

static ClipPair example_ramp()
{
    const auto reference = [](int x, int y) { return 2 * x + 3 * y; };
    const auto distorted = [=](int x, int y) { return reference(x, y) - reference(x, y) % 8; };
    return {clip_of(48, 48, 8, reference), clip_of(48, 48, 8, distorted)};
}

static const OptionDict kModelV1 = {{"adm_csf_mode", "2"},
                                    {"adm_dlm_weight", "0.7"},
                                    {"adm_enhn_gain_limit", "1"},
                                    {"adm_min_val", "0.5"},
                                    {"adm_noise_weight", "0.02"},
                                    {"adm_norm_view_dist", "3"},
                                    {"adm_ref_display_height", "1080"}};

static const std::vector<uint64_t> kDenominatorsOfA = {
    685720788813,   746614023260,   76508490486,    142118363842282, 50873833602348, 12745124320207,
    40092107673574, 30597163724099, 38835037390836, 1844756748607,   1383865255075,  32998960916};

/* Per example: options, sums (denominators; numerators, AIM's of scales 0..3), adm2, aim, adm3. */
static const struct {
    ClipPair (*pair)();
    OptionDict options;
    const char *suffix;
    std::vector<uint64_t> denominators; /* as many as are known */
    std::vector<uint64_t> numerators;
    double adm2, aim, adm3;
} kExamples[] = {
    {example_a,
     {},
     "",
     kDenominatorsOfA,
     {741483101178817, 781901525177019, 52243650774765, 7485705002, 10277206823, 27385128104,
      33623203660586,  12128944566430,  225779212633,   0,          0,           0,
      14263490292189,  10633498589747,  2140311504027,  0,          0,           0,
      1505853397168,   1042267476058,   6487647360,     0,          0,           0},
     0.98874911345081207,
     0.0016474054115048892,
     0.9935508540196536},
    {example_a,
     {{"adm_enhn_gain_limit", "1"}},
     "_egl_1",
     kDenominatorsOfA,
     {685398447675086, 736811109169684, 13466326584935, 10146750248, 10751528369, 42823334521,
      32706584614561,  11341502368546,  187979149560,   452335,      0,           0,
      12566786004216,  9673666152201,   1870669281750,  0,           0,           0,
      1368425672668,   991556526561,    6074713687,     0,           0,           0},
     0.96442435788741487,
     0.0019715392438114901,
     0.98122640932180172},
    {example_a,
     kModelV1,
     "_csf_2_dlmw_0.7_egl_1_min_0.5_nw_0.02",
     kDenominatorsOfA,
     {214463239521884, 230554725820562, 5493573858555, 3134067378, 3339289708, 25969284111,
      15642679078348,  5422219171733,   105995544385,  189927,     0,          0,
      12204954629414,  9394861144549,   1761803176858, 0,          0,          0,
      2895765816031,   2099503407238,   8980263367,    0,          0,          0},
     0.96669807271018693,
     0.0014796872662605359,
     0.97624474471725264},
    {example_a10,
     {},
     "",
     {683230089018, 745460609225, 76075561593},
     {739300027957469, 789621107248638, 42665726101303, 16942985649, 5075354172, 36629158303},
     0.9888129404834054,
     0.0017335505937474945,
     0.99353969494482897},
    {example_ramp,
     {},
     "",
     {0, 0, 0, 159522282551, 47256558880, 2217, 671703449206, 199055104739, 1083, 5458897069786,
      1617311105596, 1386},
     {0,
      0,
      0,
      4789545663355,
      1818215053533,
      2928152593834,
      31426779154,
      9251765411,
      0,
      13452556,
      4003179713,
      0,
      224731402600,
      66493520234,
      0,
      0,
      0,
      0,
      4261437623136,
      1263033748783,
      0,
      0,
      0,
      0},
     0.99712458602367515,
     0.029759653099590836,
     0.98368246646204216},
};

START_TEST(examples)
{
    const auto &example = kExamples[_i];
    const ClipPair pair = example.pair();
    for (const std::string &image : DirectRunner::names()) {
        const auto runner = DirectRunner::of_name(image);
        const auto sums = adm_sums(*runner, {example.options}, pair);
        ck_assert_uint_eq(sums.size(), 12 + 24);
        for (size_t i = 0; i < example.denominators.size(); ++i)
            ck_assert_uint_eq(sums[i], example.denominators[i]);
        for (size_t i = 0; i < example.numerators.size(); ++i)
            ck_assert_uint_eq(sums[12 + i], example.numerators[i]);
        const auto scores = adm_scores(*runner, {example.options}, pair)[0];
        ck_assert(same_bits(scores.at("integer_adm2" + std::string(example.suffix)), example.adm2));
        ck_assert(same_bits(scores.at("integer_aim" + std::string(example.suffix)), example.aim));
        ck_assert(same_bits(scores.at("integer_adm3" + std::string(example.suffix)), example.adm3));
    }
}
END_TEST

START_TEST(scales_of_example_a)
{
    const auto runner = DirectRunner::of_name(DirectRunner::names()[0]);
    const auto scores = adm_scores(*runner, {{{"debug", "true"}}}, example_a())[0];
    ck_assert(same_bits(scores.at("integer_adm_num"), 77.434965133666992));
    ck_assert(same_bits(scores.at("integer_adm_den"), 78.31609058380127));
    ck_assert(same_bits(scores.at("integer_adm_scale0"), 0.96319095115179632));
    ck_assert(same_bits(scores.at("integer_adm_scale1"), 0.96737200533485512));
    ck_assert(same_bits(scores.at("integer_adm_scale2"), 1.0069688189209336));
    ck_assert(same_bits(scores.at("integer_adm_scale3"), 0.99585641181476192));
    ck_assert_float_eq(static_cast<float>(scores.at("integer_adm_num_scale0")), 12.20228f);
    ck_assert_float_eq(static_cast<float>(scores.at("integer_adm_den_scale3")), 16.4700089f);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("adm examples");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, examples, 0, std::size(kExamples));
    tcase_add_test(tcase, scales_of_example_a);
    return run_tests(tcase, "adm examples");
}
