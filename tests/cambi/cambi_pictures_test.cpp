/* SPDX-License-Identifier: BSD-2-Clause
 *
 * CAMBI of computed pictures with every image of kernels: against published scores, at all depths,
 * at sizes that tiles do not divide, and with samples that the depth does not have.
 */
#include <cstring>
#include <functional>

#include <libvmafx/status.h>

#include "core/failure.h"
#include "features/registry.h"
#include "kernels/plan_scores.h"

#include "check_text.h"

using namespace vmafx;
using namespace vmafx_test;

namespace
{

using Luma = std::function<int(int x, int y)>;

Clip picture(uint32_t width, uint32_t height, uint32_t bits, const Luma &luma)
{
    const PictureFormat format = {width, height, bits, Chroma::k400};
    Picture filled;
    std::vector<uint8_t> &plane = filled.plane[0];
    plane.resize(size_t{width} * height * format.sample_bytes());
    for (size_t at = 0; at < size_t{width} * height; ++at) {
        const auto value =
            static_cast<uint16_t>(luma(static_cast<int>(at % width), static_cast<int>(at / width)));
        std::memcpy(plane.data() + at * format.sample_bytes(), &value, format.sample_bytes());
    }
    return {format, {filled}};
}

int stripes(int x, int y)
{
    return 40 + (3 * x + y) / 40 + (y >= 200 ? (7 * x + 13 * y) % 5 : 0);
}
int fine_stripes(int x, int y)
{
    return 200 + 2 * ((x + 2 * y) / 16) + (x >= 480 ? (x * x + 5 * y) % 7 : 0);
}
int wide_stripes(int x, int y)
{
    return 30 + (x + y) / 24;
}

double score(DirectRunner &runner, const Clip &clip, const OptionDict &options)
{
    const Scores scores = score_clips(runner, *cambi_feature(), {options}, clip, clip)[0];
    ck_assert_uint_eq(scores.frames.size(), 1);
    return scores.frames.begin()->second.at(0);
}

void each_image(const std::function<void(DirectRunner &, const char *)> &body)
{
    for (const std::string &name : DirectRunner::names())
        body(*DirectRunner::of_name(name), name.c_str());
}

struct Published {
    OptionDict options;
    double score;
};

void compare(const Clip &clip, const std::vector<Published> &cases)
{
    each_image([&](DirectRunner &runner, const char *image) {
        for (size_t i = 0; i < cases.size(); ++i) {
            const double value = score(runner, clip, cases[i].options);
            ck_assert_msg(same_bits(value, cases[i].score), "%s: case %zu is %.17g, not %.17g",
                          image, i, value, cases[i].score);
        }
    });
}

} // namespace

START_TEST(small_picture_of_8_bits)
{
    compare(picture(320, 240, 8, stripes),
            {{{}, 18.966566764711992},
             {{{"topk", "0.1"}}, 28.454244467676901},
             {{{"cambi_vis_lum_threshold", "3"}}, 18.263842838860693},
             {{{"enc_width", "240"}, {"enc_height", "180"}}, 18.616613380439038},
             {{{"eotf", "pq"}, {"max_log_contrast", "4"}}, 19.41182471132899}});
}
END_TEST

START_TEST(picture_of_10_bits)
{
    compare(picture(576, 324, 10, fine_stripes),
            {{{}, 11.699288630505283},
             {{{"eotf", "pq"}, {"max_log_contrast", "4"}}, 12.214577870229895}});
}
END_TEST

START_TEST(large_picture)
{
    compare(picture(1920, 1080, 8, wide_stripes),
            {{{}, 20.338892529557643},
             {{{"cambi_high_res_speedup", "1080"}}, 19.758097428594564},
             {{{"cambi_high_res_speedup", "1080"},
               {"cambi_max_val", "17"},
               {"cambi_vis_lum_threshold", "0.06"}},
              17},
             {{{"eotf", "pq"}, {"max_log_contrast", "4"}}, 21.439283002788731}});
}
END_TEST

/* The same codes out of samples of any depth, with the filter that 8 bits have. */
START_TEST(depths_give_one_score)
{
    each_image([](DirectRunner &runner, const char *image) {
        const OptionDict filtered = {{"enc_bitdepth", "8"}};
        const double expected = score(runner, picture(321, 243, 8, stripes), filtered);
        ck_assert_double_gt(expected, 1);
        for (uint32_t bits = 9; bits <= 16; ++bits) {
            const Clip clip = picture(321, 243, bits,
                                      [bits](int x, int y) { return stripes(x, y) << (bits - 8); });
            const double value = score(runner, clip, filtered);
            ck_assert_msg(value == expected, "%s, %u bits: %.17g, not %.17g", image, bits, value,
                          expected);
        }
    });
}
END_TEST

/* Sizes on both sides of tile edges, and planes smaller than a window in the coarse scales. */
START_TEST(images_agree_on_odd_sizes)
{
    const uint32_t sizes[][2] = {{216, 1},   {1, 216},  {216, 8},   {217, 100}, {127, 385},
                                 {129, 513}, {511, 33}, {1025, 17}, {2500, 97}};
    for (const auto &size : sizes) {
        const Clip clip = picture(size[0], size[1], 8, [](int x, int y) {
            return 30 + (x / 3 + y / 2) / 5 + ((x ^ y) & 64 ? (x * y) % 3 : 0);
        });
        for (const OptionDict &options :
             {OptionDict{}, OptionDict{{"max_log_contrast", "5"}, {"window_size", "127"}}}) {
            double first = -1;
            each_image([&](DirectRunner &runner, const char *image) {
                const double value = score(runner, clip, options);
                ck_assert_msg(first < 0 || same_bits(value, first), "%s, %ux%u: %.17g, not %.17g",
                              image, size[0], size[1], value, first);
                first = value;
            });
        }
    }
}
END_TEST

/* Rounding makes one code more than there are 10-bit values. */
START_TEST(the_largest_samples)
{
    each_image([](DirectRunner &runner, const char *) {
        const Clip clip = picture(300, 220, 16, [](int x, int) { return 0xffff - (x / 10) * 64; });
        const OptionDict pq = {{"eotf", "pq"}, {"max_log_contrast", "5"}};
        ck_assert_double_gt(score(runner, clip, pq), 1);
    });
}
END_TEST

START_TEST(a_flat_picture_has_no_bands)
{
    each_image([](DirectRunner &runner, const char *) {
        ck_assert_double_eq(score(runner, picture(320, 240, 8, [](int, int) { return 90; }), {}),
                            0);
    });
}
END_TEST

static void assert_excess(const Clip &reference, const Clip &distorted, const char *subject)
{
    each_image([&](DirectRunner &runner, const char *) {
        try {
            score_clips(runner, *cambi_feature(), {{{"full_ref", "true"}}}, reference, distorted);
        } catch (const Failure &failure) {
            ck_assert_int_eq(failure.status(), VMAFX_E_INVALID);
            assert_text(failure.subject(), subject);
            return;
        }
        ck_abort_msg("samples larger than the depth's largest are scored");
    });
}

START_TEST(samples_beyond_the_depth_are_refused)
{
    const Clip good = picture(320, 240, 10, [](int, int) { return 1023; });
    const Clip bad =
        picture(320, 240, 10, [](int x, int y) { return x == 319 && y == 239 ? 1024 : 1023; });
    assert_excess(good, bad, "distorted");
    assert_excess(bad, good, "reference");
}
END_TEST

START_TEST(one_option_set_has_full_reference_scores)
{
    const auto plan = cambi_feature()->create();
    const OptionTable &table = *cambi_feature()->options;
    plan->add_instance(OptionSet(table, {{"full_ref", "true"}}, true));
    try {
        plan->add_instance(OptionSet(table, {{"full_ref", "true"}, {"topk", "0.1"}}, true));
        ck_abort_msg("two have them");
    } catch (const Failure &failure) {
        ck_assert_int_eq(failure.status(), VMAFX_E_INVALID);
        assert_text(failure.subject(), "options.full_ref");
    }
}
END_TEST

START_TEST(the_reference_is_read_when_it_is_scored)
{
    const auto plan = cambi_feature()->create();
    const OptionTable &table = *cambi_feature()->options;
    plan->add_instance(OptionSet(table, {}, true));
    ck_assert_uint_eq(plan->reference_planes(), 0);
    plan->add_instance(OptionSet(table, {{"topk", "0.1"}, {"full_ref", "true"}}, true));
    ck_assert_uint_eq(plan->reference_planes(), 1);
    ck_assert_uint_eq(plan->distorted_planes(), 1);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("cambi pictures");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, small_picture_of_8_bits);
    tcase_add_test(tcase, picture_of_10_bits);
    tcase_add_test(tcase, large_picture);
    tcase_add_test(tcase, depths_give_one_score);
    tcase_add_test(tcase, images_agree_on_odd_sizes);
    tcase_add_test(tcase, the_largest_samples);
    tcase_add_test(tcase, a_flat_picture_has_no_bands);
    tcase_add_test(tcase, samples_beyond_the_depth_are_refused);
    tcase_add_test(tcase, one_option_set_has_full_reference_scores);
    tcase_add_test(tcase, the_reference_is_read_when_it_is_scored);
    return run_tests(tcase, "cambi pictures");
}
