/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ADM on computed pictures: odd sizes and all depths against scores of an independent program,
 * equal sums from every image, option sets that share a plan, sizes that are refused.
 */
#include <cmath>

#include <libvmafx/status.h>

#include "adm/adm_pictures.h"
#include "core/failure.h"

#include "check_text.h"

using namespace vmafx;
using namespace vmafx_test;

static const struct {
    uint32_t width, height, bits;
    ClipPair (*pair)(uint32_t, uint32_t, uint32_t);
    const char *gain;
    double adm2, aim, adm3, scale[4];
} kExpected[] = {
    {33,
     33,
     8,
     noisy_pair,
     "100",
     0.93187372751225295,
     0.0028463419264160511,
     0.96451369279291843,
     {0.94150703805576397, 0.93253870521255011, 0.94486016789160032, 0.92326346330664255}},
    {33,
     33,
     16,
     hard_pair,
     "1",
     0.53108430537950924,
     0.4643144884414715,
     0.53338490846901887,
     {0.61657082464047641, 0.53884768985557174, 0.54687407320520875, 0.41225908545862222}},
    {34,
     33,
     9,
     noisy_pair,
     "1",
     0.93017037374296374,
     0.0025279348241575763,
     0.96382121945940313,
     {0.93876046797777457, 0.92647362896159702, 0.94221130715188495, 0.9233773319000198}},
    {34,
     33,
     16,
     noisy_pair,
     "1.37",
     0.93117537319607646,
     0.0025584051367597469,
     0.9643084840296583,
     {0.93878538540138423, 0.92971534871814898, 0.94408693984296899, 0.92346974100997037}},
    {35,
     47,
     10,
     noisy_pair,
     "1.37",
     0.92399056408780256,
     0.0026413993042956226,
     0.96067458239175352,
     {0.93853092632681234, 0.92305126525256487, 0.92963860050968905, 0.91830492439938338}},
    {35,
     47,
     16,
     hard_pair,
     "100",
     0.5786389253055263,
     0.43495078331743681,
     0.57184407099404466,
     {0.63077680210359677, 0.56549695238482123, 0.57097906680025479, 0.5439492611241179}},
    {41,
     39,
     11,
     noisy_pair,
     "100",
     0.92491988558007487,
     0.0026646866384627014,
     0.96112759947080606,
     {0.9394040692263389, 0.92588358153654537, 0.93099829301708137, 0.91800436695032617}},
    {41,
     39,
     16,
     noisy_pair,
     "1",
     0.92393469097355396,
     0.0028364487855885101,
     0.96054912109398272,
     {0.93794389819471502, 0.92376783370685922, 0.93032643844488017, 0.91729542417125387}},
    {99,
     101,
     12,
     noisy_pair,
     "1",
     0.9290073550709177,
     0.0039987682068727826,
     0.96250429343202248,
     {0.93677312315794647, 0.92926269215808244, 0.928429964338363, 0.92775441657666946}},
    {99,
     101,
     16,
     hard_pair,
     "1.37",
     0.57049699400555975,
     0.4585355920809554,
     0.55598070096230212,
     {0.59960801705885125, 0.55282329547559106, 0.5959276080683934, 0.52406547351811739}},
    {131,
     70,
     13,
     noisy_pair,
     "1.37",
     0.92911237134747104,
     0.0039582892198865875,
     0.96257704106379216,
     {0.94112024121534932, 0.9286296849964486, 0.92983907339500582, 0.92650017288037911}},
    {131,
     70,
     16,
     noisy_pair,
     "100",
     0.92920498468993551,
     0.0039305960608376853,
     0.96263719431454886,
     {0.94127275245582331, 0.92876398057300347, 0.9298561312381548, 0.92661195424937515}},
    {250,
     34,
     14,
     noisy_pair,
     "100",
     0.93579731358676033,
     0.0038879790134608741,
     0.96595466728664969,
     {0.94247642107087559, 0.93311390746577816, 0.93351744172124584, 0.93694042987632253}},
    {250,
     34,
     16,
     hard_pair,
     "1",
     0.59872604971043797,
     0.41965354945664768,
     0.58953625012689514,
     {0.60126191639235116, 0.57276375481993724, 0.57538904288124015, 0.66150923365077274}},
    {257,
     129,
     15,
     noisy_pair,
     "1",
     0.93063156689549265,
     0.0050412116007421881,
     0.96279517764737521,
     {0.93997981542771447, 0.92187658189804744, 0.93053177804611209, 0.93168911170578939}},
    {257,
     129,
     16,
     noisy_pair,
     "1.37",
     0.93272788640841964,
     0.0050104344894129895,
     0.96385872595950328,
     {0.94219221687105759, 0.92586761647099358, 0.93294191533847881, 0.93281222941939845}},
    {99,
     101,
     8,
     hard_pair,
     "100",
     0.5775477293596214,
     0.45805974818646883,
     0.55974399058657631,
     {0.60542513387351427, 0.55484852410921726, 0.61374154859102503, 0.52414927341198869}},
    {130,
     70,
     16,
     hard_pair,
     "1",
     0.5728079052939884,
     0.44892281315516924,
     0.56194254606940963,
     {0.59847671712624373, 0.56198166267965077, 0.58936691985059098, 0.53750558878850485}},
};

static void check_score(const std::map<std::string, double> &scores, const std::string &name,
                        double expected, const std::string &image)
{
    const auto found = scores.find(name);
    ck_assert_msg(found != scores.end(), "no %s", name.c_str());
    ck_assert_msg(same_bits(found->second, expected), "%s: %s is %.17g, not %.17g", image.c_str(),
                  name.c_str(), found->second, expected);
}

START_TEST(computed_pictures)
{
    const auto &row = kExpected[_i];
    const ClipPair pair = row.pair(row.width, row.height, row.bits);
    const std::string gain = row.gain;
    const std::string suffix = gain == "100" ? "" : "_egl_" + gain;
    for (const std::string &image : DirectRunner::names()) {
        const auto runner = DirectRunner::of_name(image);
        const auto scores = adm_scores(*runner, {{{"adm_enhn_gain_limit", gain}}}, pair)[0];
        check_score(scores, "integer_adm2" + suffix, row.adm2, image);
        check_score(scores, "integer_aim" + suffix, row.aim, image);
        check_score(scores, "integer_adm3" + suffix, row.adm3, image);
        for (size_t s = 0; s < 4; ++s)
            check_score(scores, "integer_adm_scale" + std::to_string(s) + suffix, row.scale[s],
                        image);
    }
}
END_TEST

/* Factors that 32 bits do not hold, and weights that wrap. */
START_TEST(barten_contrast_sensitivity)
{
    for (const std::string &image : DirectRunner::names()) {
        const auto runner = DirectRunner::of_name(image);
        const auto usual =
            adm_scores(*runner, {{{"adm_csf_mode", "1"}}}, noisy_pair(99, 101, 8))[0];
        check_score(usual, "integer_adm2_csf_1", NAN, image);
        check_score(usual, "integer_aim_csf_1", 1.0961774686430672e-05, image);
        check_score(usual, "integer_adm3_csf_1", 0, image);
        check_score(usual, "integer_adm_scale0_csf_1", 0.020243233583174685, image);
        check_score(usual, "integer_adm_scale1_csf_1", 0.0086967966701510351, image);
        check_score(usual, "integer_adm_scale2_csf_1", 0.030607973846354816, image);
        const OptionDict small = {{"adm_csf_mode", "1"},
                                  {"adm_csf_scale", "0.001"},
                                  {"adm_csf_diag_scale", "0.001"},
                                  {"adm_enhn_gain_limit", "1"}};
        const auto scores = adm_scores(*runner, {small}, hard_pair(130, 97, 8))[0];
        const std::string suffix = "_scfd_0.001_csf_1_scf_0.001_egl_1";
        check_score(scores, "integer_adm2" + suffix, 0.6251208064510303, image);
        check_score(scores, "integer_aim" + suffix, 0.40330853930099392, image);
        check_score(scores, "integer_adm_scale0" + suffix, 0.82745593566801334, image);
    }
}
END_TEST

START_TEST(images_agree)
{
    static const uint32_t kSizes[][2] = {{33, 33},  {34, 34},   {35, 47},   {67, 33},   {33, 111},
                                         {260, 95}, {861, 131}, {1111, 77}, {1025, 140}};
    const std::vector<OptionDict> sets = {{},
                                          {{"adm_enhn_gain_limit", "1"}},
                                          {{"adm_enhn_gain_limit", "1.3"}},
                                          {{"adm_norm_view_dist", "5"}}};
    uint32_t bits = 8;
    for (const auto &size : kSizes) {
        for (auto *pair_of : {noisy_pair, hard_pair}) {
            const ClipPair pair = pair_of(size[0], size[1], bits);
            std::vector<uint64_t> first;
            for (const std::string &image : DirectRunner::names()) {
                const auto runner = DirectRunner::of_name(image);
                const auto sums = adm_sums(*runner, sets, pair);
                if (first.empty())
                    first = sums;
                ck_assert_msg(sums == first, "%s, %ux%u, %u bits", image.c_str(), size[0], size[1],
                              bits);
                if (runner->cpu_tiles())
                    continue;
                /* Tiles from the tallest to the lowest. */
                for (const uint32_t multiprocessors : {0u, 10u, 1000u}) {
                    runner->set_multiprocessors(multiprocessors);
                    ck_assert_msg(adm_sums(*runner, sets, pair) == first,
                                  "%s, %ux%u, %u multiprocessors", image.c_str(), size[0], size[1],
                                  multiprocessors);
                }
            }
        }
        bits = bits == 16 ? 8 : bits + 1;
    }
}
END_TEST

START_TEST(shared_plans_change_nothing)
{
    const std::vector<OptionDict> sets = {
        {},
        {{"adm_enhn_gain_limit", "1"}},
        {{"adm_enhn_gain_limit", "1.2"}},
        {{"adm_enhn_gain_limit", "7"}},
        {{"adm_norm_view_dist", "5"}},
        {{"adm_norm_view_dist", "5"}, {"adm_enhn_gain_limit", "1"}},
        {{"adm_noise_weight", "0.02"}},
        {{"adm_skip_scale0", "true"}},
        {{"adm_csf_mode", "2"}, {"adm_skip_aim", "true"}},
    };
    const ClipPair pair = noisy_pair(201, 133, 10);
    const auto runner = DirectRunner::of_name(DirectRunner::names()[0]);
    const auto together = adm_scores(*runner, sets, pair);
    for (size_t i = 0; i < sets.size(); ++i) {
        const auto alone = adm_scores(*runner, {sets[i]}, pair)[0];
        ck_assert_uint_eq(alone.size(), 7);
        ck_assert_msg(alone == together[i], "set %zu", i);
    }
}
END_TEST

START_TEST(flat_pictures)
{
    const auto flat = [](uint32_t level) {
        return clip_of(64, 48, 8, [=](int, int) { return level; });
    };
    const auto runner = DirectRunner::of_name(DirectRunner::names()[0]);
    const OptionDict silent = {{"adm_noise_weight", "0"}, {"debug", "true"}};
    const auto scores = adm_scores(*runner, {{{"debug", "true"}}, silent}, {flat(77), flat(200)});
    for (const char *name : {"integer_adm2", "integer_adm3", "integer_adm_scale0",
                             "integer_adm_scale1", "integer_adm_scale2", "integer_adm_scale3"})
        check_score(scores[0], name, 1, "");
    check_score(scores[0], "integer_aim", 0, "");
    check_score(scores[0], "integer_adm_num", 18.851720333099365, "");
    check_score(scores[0], "integer_adm_den", 18.851720333099365, "");
    check_score(scores[0], "integer_adm_den_scale0", 8.0401630401611328, "");
    /* Nothing to divide by. */
    check_score(scores[1], "integer_adm_den_nw_0", 0, "");
    check_score(scores[1], "integer_adm2_nw_0", 1, "");
    check_score(scores[1], "integer_aim_nw_0", 0, "");
    check_score(scores[1], "integer_adm3_nw_0", 1, "");
    check_score(scores[1], "integer_adm_scale2_nw_0", NAN, "");
}
END_TEST

START_TEST(small_pictures_are_refused)
{
    const auto runner = DirectRunner::of_name(DirectRunner::names()[0]);
    const uint32_t sizes[][2] = {{32, 100}, {100, 32}, {16, 16}};
    for (const auto &size : sizes) {
        try {
            adm_sums(*runner, {{}}, noisy_pair(size[0], size[1], 8));
            ck_abort_msg("%ux%u is accepted", size[0], size[1]);
        } catch (const Failure &failure) {
            ck_assert_int_eq(failure.status(), VMAFX_E_RANGE);
            assert_text(failure.subject(), size[0] < 33 ? "width" : "height");
            ck_assert_msg(std::string(failure.what()).find("33x33") != std::string::npos, "%s",
                          failure.what());
        }
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("adm plan");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, computed_pictures, 0, std::size(kExpected));
    tcase_add_test(tcase, barten_contrast_sensitivity);
    tcase_add_test(tcase, images_agree);
    tcase_add_test(tcase, shared_plans_change_nothing);
    tcase_add_test(tcase, flat_pictures);
    tcase_add_test(tcase, small_pictures_are_refused);
    return run_tests(tcase, "adm plan");
}
