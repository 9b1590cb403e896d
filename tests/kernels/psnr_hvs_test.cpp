/* SPDX-License-Identifier: BSD-2-Clause
 *
 * psnr_hvs: layouts and sizes, and its sum of floats, which is no plain loop.
 */
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <random>

#include "core/failure.h"
#include "features/psnr_hvs/psnr_hvs_kernels.h"
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

static Scores psnr_hvs(DirectRunner &runner, const ClipPair &pair)
{
    return score_clips(runner, *psnr_hvs_feature(), {{}}, pair.reference, pair.distorted)[0];
}

/** The generator's luma, with itself as chroma where the layout has chroma. */
static ClipPair clips(uint32_t width, uint32_t height, uint32_t bits, Chroma chroma)
{
    ClipPair pair = generated_clips(width, height, bits, 1);
    for (Clip *clip : {&pair.reference, &pair.distorted}) {
        clip->format.chroma = chroma;
        std::vector<uint8_t> *plane = clip->pictures[0].plane;
        for (uint32_t p = 1; p < clip->format.plane_count(); ++p)
            plane[p].assign(plane[0].begin(),
                            plane[0].begin() + std::ptrdiff_t{clip->format.plane_width(p)} *
                                                   clip->format.plane_height(p) *
                                                   clip->format.sample_bytes());
    }
    return pair;
}

START_TEST(luma_alone_is_scored)
{
    on_every_image([&](DirectRunner &runner) {
        const Scores grey = psnr_hvs(runner, clips(100, 60, 8, Chroma::k400));
        const Scores colour = psnr_hvs(runner, clips(100, 60, 8, Chroma::k420));
        const double luma = colour.frames.at("psnr_hvs_y").at(0);
        ck_assert(std::isfinite(luma));
        ck_assert(same_bits(grey.frames.at("psnr_hvs_y").at(0), luma));
        ck_assert(same_bits(grey.frames.at("psnr_hvs").at(0), luma));
        ck_assert_uint_eq(grey.frames.size(), 2);
        ck_assert_uint_eq(colour.frames.size(), 4);
    });
}
END_TEST

START_TEST(images_agree)
{
    constexpr uint32_t kSizes[][2] = {{16, 16}, {17, 23}, {450, 17}, {233, 30}, {463, 16}};
    for (const auto &[width, height] : kSizes) {
        for (uint32_t bits = 8; bits <= 12; ++bits) {
            const ClipPair pair = clips(width, height, bits, Chroma::k420);
            std::optional<Scores> first;
            on_every_image([&](DirectRunner &runner) {
                const Scores scores = psnr_hvs(runner, pair);
                if (!first)
                    first = scores;
                for (const auto &[name, values] : first->frames)
                    ck_assert_msg(same_bits(values.at(0), scores.frames.at(name).at(0)),
                                  "%s at %ux%u, %u bits", name.c_str(), width, height, bits);
            });
        }
    }
}
END_TEST

START_TEST(equal_pictures_have_no_limit)
{
    ClipPair pair = clips(64, 64, 8, Chroma::k444);
    pair.distorted = pair.reference;
    const auto runner = DirectRunner::of_target("x86-64-v2");
    for (const auto &[name, values] : psnr_hvs(*runner, pair).frames)
        ck_assert_double_eq(values.at(0), std::numeric_limits<double>::infinity());
}
END_TEST

static void assert_refused(const PictureFormat &format, int32_t status, const char *subject)
{
    const auto runner = DirectRunner::of_target("x86-64-v2");
    const auto plan = psnr_hvs_feature()->create();
    try {
        plan->prepare(*runner, format);
    } catch (const Failure &failure) {
        ck_assert_int_eq(failure.status(), status);
        assert_text(failure.subject(), subject);
        return;
    }
    ck_abort_msg("%ux%u, %u bits are taken", format.width, format.height, format.bits);
}

START_TEST(what_has_no_block_is_refused)
{
    assert_refused({15, 16, 8, Chroma::k420}, VMAFX_E_RANGE, "width");
    assert_refused({16, 15, 8, Chroma::k420}, VMAFX_E_RANGE, "height");
    assert_refused({15, 8, 8, Chroma::k422}, VMAFX_E_RANGE, "width");
    assert_refused({8, 7, 8, Chroma::k444}, VMAFX_E_RANGE, "height");
    assert_refused({7, 8, 8, Chroma::k400}, VMAFX_E_RANGE, "width");
    assert_refused({64, 64, 13, Chroma::k420}, VMAFX_E_NOTSUP, "bits");
    assert_refused({64, 64, 16, Chroma::k420}, VMAFX_E_NOTSUP, "bits");
    const auto runner = DirectRunner::of_target("x86-64-v2");
    psnr_hvs_feature()->create()->prepare(*runner, {8, 8, 8, Chroma::k400});
    psnr_hvs_feature()->create()->prepare(*runner, {16, 8, 12, Chroma::k422});
}
END_TEST

/* Terms of the sum: the i-th of all. */
using Term = std::function<float(std::mt19937 &, size_t)>;

static float random_float(std::mt19937 &random, int bits, int least_exponent, int most_exponent)
{
    const auto mantissa = static_cast<float>(random() >> (32 - bits));
    const int span = most_exponent - least_exponent + 1;
    const int exponent = least_exponent + static_cast<int>(random() % static_cast<uint32_t>(span));
    return std::ldexp(mantissa, exponent - bits);
}

static const Term kTerms[] = {
    [](std::mt19937 &, size_t) { return 0.0f; },
    /* Halves of the last place: each is a tie. */
    [](std::mt19937 &, size_t i) { return i == 0 ? 8388608.0f : 0.5f; },
    [](std::mt19937 &, size_t i) { return i == 0 ? 8388609.0f : 0.5f; },
    /* Few bits: ties are frequent. */
    [](std::mt19937 &random, size_t) { return random_float(random, 3, -4, 4); },
    [](std::mt19937 &random, size_t) { return random_float(random, 6, -12, 3); },
    /* As in a picture: many zeros, few large ones. */
    [](std::mt19937 &random, size_t) {
        return random() % 4 != 0 ? 0.0f : random_float(random, 24, -20, 10);
    },
    [](std::mt19937 &random, size_t) { return random_float(random, 24, -2, 0); },
    /* Powers of two are passed in every run. */
    [](std::mt19937 &random, size_t i) {
        return i % 3000 == 7 ? std::ldexp(1.0f, static_cast<int>(i / 3000))
                             : random_float(random, 24, -3, 0);
    },
    /* Too small to be counted, too large to be anything else. */
    [](std::mt19937 &random, size_t) { return random_float(random, 24, -148, -110); },
    [](std::mt19937 &random, size_t i) {
        return i == 5000 ? 1e38f : random_float(random, 24, -9, 9);
    },
    [](std::mt19937 &random, size_t i) {
        return i == 5000 ? std::numeric_limits<float>::infinity() : random_float(random, 24, 0, 9);
    },
};

START_TEST(sum_is_that_of_a_plain_loop)
{
    constexpr int kColumns = 150, kRows = 9;
    on_every_image([&](DirectRunner &runner) {
        const int blocks = runner.cpu_tiles() ? kPsnrHvsCpuBlocks : kPsnrHvsGpuBlocks;
        const int tiles = (kColumns + blocks - 1) / blocks;
        std::vector<float> errors(static_cast<size_t>(tiles * kRows * kPsnrHvsValues * blocks));
        std::mt19937 random(7);
        float expected = 0;
        size_t i = 0;
        for (int row = 0; row < kRows; ++row) {
            for (int column = 0; column < kColumns; ++column) {
                const int tile = row * tiles + column / blocks;
                float *const at = errors.data() + tile * kPsnrHvsValues * blocks + column % blocks;
                for (int k = 0; k < kPsnrHvsValues; ++k) {
                    at[k * blocks] = kTerms[_i](random, i++);
                    expected += at[k * blocks];
                }
            }
        }
        uint64_t sum = 0;
        PsnrHvsArgs args = {};
        args.plane[0].errors = errors.data();
        args.plane[0].columns = kColumns;
        args.plane[0].rows = kRows;
        args.plane[0].sum = &sum;
        runner.run("psnr_hvs_sum", Grid{1, 1, 1, kPsnrHvsSumThreads}, args);
        ck_assert_double_eq(std::bit_cast<double>(sum), static_cast<double>(expected));
    });
}
END_TEST

int main()
{
    TCase *tcase = tcase_create("psnr_hvs");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, luma_alone_is_scored);
    tcase_add_test(tcase, images_agree);
    tcase_add_test(tcase, equal_pictures_have_no_limit);
    tcase_add_test(tcase, what_has_no_block_is_refused);
    tcase_add_loop_test(tcase, sum_is_that_of_a_plain_loop, 0, int{std::size(kTerms)});
    return run_tests(tcase, "psnr_hvs");
}
