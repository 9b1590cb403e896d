/* SPDX-License-Identifier: BSD-2-Clause
 *
 * speed_temporal against constants of libvmaf on computed clips, and its rules.
 */
#include "core/failure.h"
#include "features/registry.h"
#include "kernels/plan_scores.h"
#include "speed_pictures.h"

#include "check_text.h"

using namespace vmafx;
using namespace vmafx_test;

static const char kName[] = "Speed_temporal_feature_speed_temporal_score";

/** Values of libvmaf for speed_clips() of 640x480, of 8 bits and of 10 and more. */
static const double kExpected[2][3] = {{0, 4.5433001518249512, 4.8533673286437988},
                                       {0, 4.5475568771362305, 4.8470382690429688}};

START_TEST(constants_of_libvmaf)
{
    for (const uint32_t bits : {8, 10, 12, 16}) {
        for (const Chroma chroma : {Chroma::k400, Chroma::k422}) {
            const ClipPair clips = speed_clips({640, 480, bits, chroma}, 3);
            for (const std::string &image : DirectRunner::names()) {
                const auto scores =
                    score_clips(*DirectRunner::of_name(image), *speed_temporal_feature(), {{}},
                                clips.reference, clips.distorted)[0];
                for (uint64_t t = 0; t < 3; ++t) {
                    const double value = scores.frames.at(kName).at(t);
                    ck_assert_msg(same_bits(value, kExpected[bits > 8][t]),
                                  "%s, %u bits: frame %d is %.17g, not %.17g", image.c_str(), bits,
                                  int(t), value, kExpected[bits > 8][t]);
                }
            }
        }
    }
}
END_TEST

/* Of a distorted clip that stands still, the difference from the next reference is not 0. */
START_TEST(difference_from_the_reference)
{
    ClipPair clips = speed_clips({640, 480, 8, Chroma::k400}, 2);
    clips.distorted.pictures[1] = clips.distorted.pictures[0];
    std::vector<Scores> first;
    for (const std::string &image : DirectRunner::names()) {
        const auto scores =
            score_clips(*DirectRunner::of_name(image), *speed_temporal_feature(),
                        {{}, {{"speed_use_ref_diff", "true"}}}, clips.reference, clips.distorted);
        if (first.empty())
            first = scores;
        ck_assert_double_eq(scores[0].frames.at(kName).at(1), 0); /* one side is flat */
        const double score = scores[1].frames.at("speed_temporal_urd").at(1);
        ck_assert_double_gt(score, 0);
        ck_assert(same_bits(score, first[1].frames.at("speed_temporal_urd").at(1)));
    }
}
END_TEST

/* It is part of the name only. */
START_TEST(the_highest_value_is_not_applied)
{
    const ClipPair clips = speed_clips({640, 480, 8, Chroma::k400}, 2);
    const auto scores =
        score_clips(*DirectRunner::of_target("x86-64-v2"), *speed_temporal_feature(),
                    {{{"speed_max_val", "2"}}}, clips.reference, clips.distorted)[0];
    ck_assert(same_bits(scores.frames.at("speed_temporal_mxv_2").at(1), kExpected[0][1]));
}
END_TEST

START_TEST(refusals_name_the_limit)
{
    const auto plan = speed_temporal_feature()->create();
    plan->add_instance(OptionSet(*speed_temporal_feature()->options, {}, true));
    ck_assert_uint_eq(plan->history(), 1);
    ck_assert_uint_eq(plan->distorted_history(), 1);
    ck_assert(plan->every_frame());
    plan->check_frame(0, 0);
    plan->check_frame(9, 1);
    try {
        plan->check_frame(9, 0);
        ck_abort_msg("a frame without predecessor is taken");
    } catch (const Failure &failure) {
        ck_assert_int_eq(failure.status(), VMAFX_E_INVALID);
        assert_text(failure.subject(), "index");
    }
    const auto runner = DirectRunner::of_target("x86-64-v2");
    try {
        plan->prepare(*runner, {80, 79, 8, Chroma::k400});
        ck_abort_msg("a small picture is taken");
    } catch (const Failure &failure) {
        ck_assert_int_eq(failure.status(), VMAFX_E_RANGE);
        assert_text(failure.subject(), "height");
    }
}
END_TEST

int main()
{
    TCase *tcase = tcase_create("speed_temporal");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, constants_of_libvmaf);
    tcase_add_test(tcase, difference_from_the_reference);
    tcase_add_test(tcase, the_highest_value_is_not_applied);
    tcase_add_test(tcase, refusals_name_the_limit);
    return run_tests(tcase, "speed_temporal");
}
