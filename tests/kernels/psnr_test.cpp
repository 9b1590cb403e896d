/* SPDX-License-Identifier: BSD-2-Clause
 *
 * PSNR of pictures whose error is known beforehand.
 */
#include <cmath>

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

/** A clip whose planes all hold one value per picture. */
static Clip flat(const PictureFormat &format, const std::vector<unsigned> &values)
{
    Clip clip{format, {}};
    for (const unsigned value : values) {
        Picture picture;
        for (uint32_t p = 0; p < format.plane_count(); ++p) {
            const size_t samples = size_t{format.plane_width(p)} * format.plane_height(p);
            for (size_t i = 0; i < samples; ++i) {
                picture.plane[p].push_back(static_cast<uint8_t>(value));
                if (format.bits > 8)
                    picture.plane[p].push_back(static_cast<uint8_t>(value >> 8));
            }
        }
        clip.pictures.push_back(std::move(picture));
    }
    return clip;
}

static Scores psnr(DirectRunner &runner, const OptionDict &dict, const Clip &a, const Clip &b)
{
    return score_clips(runner, *psnr_feature(), {dict}, a, b)[0];
}

START_TEST(equal_pictures_get_the_ceiling)
{
    const double ceilings[] = {60, 66, 72, 78, 84, 90, 96, 102, 108};
    on_every_image([&](DirectRunner &runner) {
        for (uint32_t bits = 8; bits <= 16; ++bits) {
            const Clip clip = flat({37, 23, bits, Chroma::k444}, {200});
            const Scores scores = psnr(runner, {}, clip, clip);
            for (const char *name : {"psnr_y", "psnr_cb", "psnr_cr"})
                ck_assert_double_eq(scores.frames.at(name).at(0), ceilings[bits - 8]);
        }
    });
}
END_TEST

/* Also the largest sums: 700 columns of full-scale squares. */
START_TEST(full_scale_error_gives_zero)
{
    on_every_image([&](DirectRunner &runner) {
        for (uint32_t bits = 8; bits <= 16; ++bits) {
            const PictureFormat format{700, 41, bits, Chroma::k400};
            const unsigned peak = (1u << bits) - 1;
            const Clip black = flat(format, {0}), white = flat(format, {peak});
            Scores scores = psnr(runner, {{"enable_mse", "true"}}, black, white);
            ck_assert_double_eq(scores.frames.at("psnr_y").at(0), 0);
            ck_assert_double_eq(scores.frames.at("mse_y").at(0), double(peak) * peak);
            scores = psnr(runner, {{"enable_mse", "true"}}, white, black);
            ck_assert_double_eq(scores.frames.at("mse_y").at(0), double(peak) * peak);
        }
    });
}
END_TEST

START_TEST(known_errors)
{
    const PictureFormat format{64, 48, 8, Chroma::k420};
    const Clip a = flat(format, {100}), b = flat(format, {101}), c = flat(format, {84});
    on_every_image([&](DirectRunner &runner) {
        ck_assert(same_bits(psnr(runner, {}, a, b).frames.at("psnr_y").at(0), 48.130803608679102));
        ck_assert(same_bits(psnr(runner, {}, a, c).frames.at("psnr_cr").at(0), 24.048403955560609));
    });
}
END_TEST

START_TEST(reduced_peak)
{
    const PictureFormat format{32, 32, 10, Chroma::k400};
    const OptionDict reduced = {{"reduced_hbd_peak", "true"}};
    const auto runner = DirectRunner::of_target("x86-64-v2");
    const Scores scores = psnr(*runner, reduced, flat(format, {0}), flat(format, {1020}));
    ck_assert_double_eq(scores.frames.at("psnr_y").at(0), 0);
}
END_TEST

/* ceil(10 log10(65025 / (0.5 / 3072))) = 87; chroma has a quarter of the samples. */
START_TEST(least_error_sets_the_ceiling)
{
    const Clip clip = flat({64, 48, 8, Chroma::k420}, {9});
    const auto runner = DirectRunner::of_target("x86-64-v2");
    const Scores scores = psnr(*runner, {{"min_sse", "0.5"}}, clip, clip);
    ck_assert_double_eq(scores.frames.at("psnr_y").at(0), 87);
    ck_assert_double_eq(scores.frames.at("psnr_cb").at(0), 80);
}
END_TEST

START_TEST(odd_chroma_is_cut)
{
    const PictureFormat format{5, 5, 8, Chroma::k420};
    const Clip a = flat(format, {50});
    Clip b = a;
    b.pictures[0].plane[1][2] = 0;     /* last column */
    b.pictures[0].plane[1][2 * 3] = 0; /* last row */
    on_every_image([&](DirectRunner &runner) {
        ck_assert_double_eq(psnr(runner, {}, a, b).frames.at("psnr_cb").at(0), 60);
        Clip c = b;
        c.pictures[0].plane[1][3] = 0; /* inside */
        ck_assert_double_lt(psnr(runner, {}, a, c).frames.at("psnr_cb").at(0), 60);
    });
}
END_TEST

START_TEST(chroma_without_samples)
{
    const PictureFormat format{1, 1, 8, Chroma::k420};
    on_every_image([&](DirectRunner &runner) {
        const Scores scores =
            psnr(runner, {{"enable_mse", "true"}}, flat(format, {0}), flat(format, {255}));
        ck_assert_double_eq(scores.frames.at("psnr_y").at(0), 0);
        ck_assert_double_eq(scores.frames.at("psnr_cb").at(0), 60);
        ck_assert(std::isnan(scores.frames.at("mse_cb").at(0)));
    });
}
END_TEST

/* Sums of two pictures of 256 samples: 256 * 1 + 256 * 4. */
START_TEST(aggregate_of_a_sequence)
{
    const PictureFormat format{16, 16, 8, Chroma::k420};
    const Clip a = flat(format, {10, 10}), b = flat(format, {11, 12});
    const auto runner = DirectRunner::of_target("x86-64-v2");
    Scores scores = psnr(*runner, {{"enable_apsnr", "true"}}, a, b);
    ck_assert(same_bits(scores.aggregates.at("apsnr_y"), 44.15140352195871));
    scores = psnr(*runner, {{"enable_apsnr", "true"}}, a, a);
    ck_assert_double_eq(scores.aggregates.at("apsnr_y"), 79);
    ck_assert_double_eq(scores.aggregates.at("apsnr_cr"), 73);
    scores = psnr(*runner, {{"enable_apsnr", "true"}, {"enable_chroma", "false"}}, a, b);
    ck_assert_double_eq(scores.aggregates.at("apsnr_cb"), -INFINITY);
    ck_assert(psnr(*runner, {}, a, b).aggregates.empty());
}
END_TEST

START_TEST(what_is_measured_follows_from_options_and_format)
{
    const auto runner = DirectRunner::of_target("x86-64-v2");
    const Clip colour = flat({16, 16, 8, Chroma::k422}, {1});
    ck_assert_uint_eq(psnr(*runner, {}, colour, colour).frames.size(), 3);
    ck_assert_uint_eq(psnr(*runner, {{"enable_mse", "true"}}, colour, colour).frames.size(), 6);
    ck_assert_uint_eq(psnr(*runner, {{"enable_chroma", "false"}}, colour, colour).frames.size(), 1);
    const Clip grey = flat({16, 16, 8, Chroma::k400}, {1});
    ck_assert_uint_eq(psnr(*runner, {}, grey, grey).frames.size(), 1);

    const auto plan = psnr_feature()->create();
    plan->add_instance(OptionSet(*psnr_feature()->options, {{"enable_chroma", "false"}}, true));
    ck_assert_uint_eq(plan->reference_planes(), 1);
    plan->add_instance(OptionSet(*psnr_feature()->options, {}, true));
    ck_assert_uint_eq(plan->reference_planes(), 7);
    ck_assert_uint_eq(plan->distorted_planes(), 7);
}
END_TEST

int main()
{
    TCase *tcase = tcase_create("psnr");
    tcase_add_test(tcase, equal_pictures_get_the_ceiling);
    tcase_add_test(tcase, full_scale_error_gives_zero);
    tcase_add_test(tcase, known_errors);
    tcase_add_test(tcase, reduced_peak);
    tcase_add_test(tcase, least_error_sets_the_ceiling);
    tcase_add_test(tcase, odd_chroma_is_cut);
    tcase_add_test(tcase, chroma_without_samples);
    tcase_add_test(tcase, aggregate_of_a_sequence);
    tcase_add_test(tcase, what_is_measured_follows_from_options_and_format);
    return run_tests(tcase, "psnr");
}
