/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ciede: listed scores, depths, layouts, refusals; every image gives the same bits.
 */
#include <cstring>
#include <limits>
#include <random>

#include "core/failure.h"
#include "features/registry.h"
#include "kernels/plan_scores.h"
#include "kernels/vector_clips.h"

#include "check_text.h"

using namespace vmafx;
using namespace vmafx_test;

static double ciede(DirectRunner &runner, const ClipPair &pair, uint64_t frame = 0)
{
    return score_clips(runner, *ciede_feature(), {{}}, pair.reference, pair.distorted)[0]
        .frames.at("ciede2000")
        .at(frame);
}

static void assert_on_every_image(const ClipPair &pair, double expected, uint64_t frame = 0)
{
    const PictureFormat &format = pair.reference.format;
    for (const std::string &name : DirectRunner::names()) {
        const double score = ciede(*DirectRunner::of_name(name), pair, frame);
        ck_assert_msg(same_bits(score, expected), "%ux%u, %u bits, %s: %.17g, not %.17g",
                      format.width, format.height, format.bits, name.c_str(), score, expected);
    }
}

static double of_one_image(const ClipPair &pair)
{
    return ciede(*DirectRunner::of_target("x86-64-v2"), pair);
}

/* ---- colours --------------------------------------------------------------------------------- */

static Picture noise(const PictureFormat &format, std::mt19937 &random)
{
    Picture picture;
    for (uint32_t p = 0; p < 3; ++p) {
        for (uint32_t i = 0; i < format.plane_width(p) * format.plane_height(p); ++i) {
            const auto value = static_cast<uint32_t>(random()) >> (32 - format.bits);
            picture.plane[p].push_back(static_cast<uint8_t>(value));
            if (format.bits > 8)
                picture.plane[p].push_back(static_cast<uint8_t>(value >> 8));
        }
    }
    return picture;
}

/** Samples of the whole range, independent of each other: colours of every hue, also none at all.
 */
static ClipPair noise_clips(const PictureFormat &format)
{
    std::mt19937 random(3);
    ClipPair pair{{format, {}}, {format, {}}};
    pair.reference.pictures.push_back(noise(format, random));
    pair.distorted.pictures.push_back(noise(format, random));
    return pair;
}

START_TEST(listed_scores)
{
    constexpr double kOf8Bits[] = {45.44049986106506, 45.4540569803854, 45.37795167115571};
    constexpr double kOf10Bits[] = {45.44233292595604, 45.45225523649085, 45.378417910880685};
    const ClipPair of_8_bits = vector_clips(8), of_10_bits = vector_clips(10);
    for (uint64_t frame = 0; frame < 3; ++frame) {
        assert_on_every_image(of_8_bits, kOf8Bits[frame], frame);
        assert_on_every_image(of_10_bits, kOf10Bits[frame], frame);
    }
}
END_TEST

START_TEST(noise_has_the_scores_of_a_slow_program)
{
    constexpr struct {
        uint32_t width, height, bits;
        double score;
    } kCases[] = {{613, 37, 8, 11.229641588145213},
                  {613, 37, 10, 11.241790418740557},
                  {613, 37, 12, 11.244845565367676},
                  {613, 37, 16, 11.245838284713273}};
    for (const auto &[width, height, bits, score] : kCases)
        assert_on_every_image(noise_clips({width, height, bits, Chroma::k444}), score);
}
END_TEST

START_TEST(more_bits_change_nothing)
{
    const ClipPair pair = vector_clips(8);
    const double expected = of_one_image(pair);
    for (const uint32_t bits : {10u, 12u, 16u})
        assert_on_every_image({deepened(pair.reference, bits), deepened(pair.distorted, bits)},
                              expected);
}
END_TEST

START_TEST(equal_pictures_have_no_limit)
{
    ClipPair pair = vector_clips(8);
    pair.distorted = pair.reference;
    assert_on_every_image(pair, std::numeric_limits<double>::infinity());
}
END_TEST

/* ---- layouts --------------------------------------------------------------------------------- */

/** The same picture with a sample of chroma for each one of luma. */
static Clip with_whole_chroma(const Clip &clip)
{
    Clip whole = clip;
    whole.format.chroma = Chroma::k444;
    const PictureFormat &format = clip.format;
    const uint32_t bytes = format.sample_bytes();
    for (size_t i = 0; i < clip.pictures.size(); ++i) {
        for (uint32_t p = 1; p < 3; ++p) {
            std::vector<uint8_t> &plane = whole.pictures[i].plane[p];
            plane.clear();
            for (uint32_t y = 0; y < format.height; ++y) {
                for (uint32_t x = 0; x < format.width; ++x) {
                    const uint32_t row = format.chroma == Chroma::k420 ? y / 2 : y;
                    const uint8_t *sample = clip.pictures[i].plane[p].data() +
                                            (row * format.plane_width(p) + x / 2) * bytes;
                    plane.insert(plane.end(), sample, sample + bytes);
                }
            }
        }
    }
    return whole;
}

START_TEST(chroma_is_repeated)
{
    constexpr uint32_t kSizes[][2] = {{1, 1}, {2, 3}, {128, 2}, {257, 6}, {511, 5}};
    for (const auto &[width, height] : kSizes) {
        for (const Chroma chroma : {Chroma::k420, Chroma::k422}) {
            for (const uint32_t bits : {8u, 10u}) {
                const ClipPair pair = noise_clips({width, height, bits, chroma});
                const ClipPair whole = {with_whole_chroma(pair.reference),
                                        with_whole_chroma(pair.distorted)};
                assert_on_every_image(pair, of_one_image(whole));
            }
        }
    }
}
END_TEST

/* ---- refusals -------------------------------------------------------------------------------- */

static void assert_refused(const PictureFormat &format, const char *subject)
{
    const auto runner = DirectRunner::of_target("x86-64-v2");
    const auto plan = ciede_feature()->create();
    try {
        plan->prepare(*runner, format);
    } catch (const Failure &failure) {
        ck_assert_int_eq(failure.status(), VMAFX_E_NOTSUP);
        assert_text(failure.subject(), subject);
        ck_assert_ptr_nonnull(std::strstr(failure.what(), "ciede"));
        return;
    }
    ck_abort_msg("%u bits are taken", format.bits);
}

START_TEST(other_formats_are_refused)
{
    assert_refused({64, 64, 8, Chroma::k400}, "format");
    for (const uint32_t bits : {9u, 11u, 13u, 14u, 15u})
        assert_refused({64, 64, bits, Chroma::k444}, "bits");
}
END_TEST

int main()
{
    TCase *tcase = tcase_create("ciede");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, listed_scores);
    tcase_add_test(tcase, noise_has_the_scores_of_a_slow_program);
    tcase_add_test(tcase, more_bits_change_nothing);
    tcase_add_test(tcase, equal_pictures_have_no_limit);
    tcase_add_test(tcase, chroma_is_repeated);
    tcase_add_test(tcase, other_formats_are_refused);
    return run_tests(tcase, "ciede");
}
