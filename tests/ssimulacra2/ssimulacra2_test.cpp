/* SPDX-License-Identifier: BSD-2-Clause
 *
 * SSIMULACRA 2 against the scores of its description and against a slow program in doubles, between
 * images, and at its limits. Kernels compute in floats, which is what the bounds allow for; images
 * agree in all bits.
 */
#include <algorithm>
#include <cmath>
#include <random>

#include "core/failure.h"
#include "image_scores.h"
#include "published.h"
#include "slow_program.h"
#include "speed/speed_pictures.h"

#include "check_text.h"

using namespace vmafx;
using namespace vmafx_test;

/* A score's distance from that of doubles. */
static const double kBound = 5e-4;

static const char *const kName = "ssimulacra2";

/* ---- scores of the description ------------------------------------------------------------ */

/** Planes G, B, R of the description's pictures. */
static ClipPair rgb_clips(uint32_t width, uint32_t height)
{
    const PictureFormat format{width, height, 8, Chroma::k444};
    ClipPair clips{{format, std::vector<Picture>(1)}, {format, std::vector<Picture>(1)}};
    static const int kChannel[] = {1, 2, 0};
    for (size_t p = 0; p < 3; ++p) {
        for (int y = 0; y < static_cast<int>(height); ++y) {
            for (int x = 0; x < static_cast<int>(width); ++x) {
                const int c = kChannel[p];
                const int r = 40 + ((x * (c + 2) + 3 * y) / 4 + 17 * c) % 160 +
                              ((x / 16) * (y / 12) * (c + 1)) % 31;
                const int d = (x / 32 + y / 24) % 2 ? r / 10 * 10 + 5 : r;
                append(clips.reference.pictures[0].plane[p], r, 8);
                append(clips.distorted.pictures[0].plane[p], d, 8);
            }
        }
    }
    return clips;
}

static const OptionDict kRgb = {{"matrix", "rgb"}};

static ColourRules rgb_rules()
{
    ColourRules rules;
    rules.red = rules.blue = 0;
    rules.full = true;
    rules.light = srgb_light;
    return rules;
}

static SubScores sub_scores_of(const ClipPair &clips, size_t frame, const ColourRules &rules)
{
    return slow_sub_scores(rgb_of(clips.reference, frame, rules),
                           rgb_of(clips.distorted, frame, rules));
}

START_TEST(slow_program_has_the_listed_sub_scores)
{
    const SubScores found = sub_scores_of(rgb_clips(320, 240), 0, rgb_rules());
    for (size_t p = 0; p < 3; ++p) {
        ck_assert_uint_eq(found[p].size(), 6);
        for (size_t scale = 0; scale < 6; ++scale) {
            for (size_t k = 0; k < 6; ++k) {
                const double expected = kPublishedSubScores[6 * p + scale][k];
                assert_near("plane " + std::to_string(p) + " scale " + std::to_string(scale),
                            found[p][scale][k], expected, 1e-7 * expected);
            }
        }
    }
    assert_near("score", slow_score(found, published_weights()), 80.15991094, 5e-7);
}
END_TEST

START_TEST(listed_scores_of_rgb)
{
    assert_near("320x240", scores_of(rgb_clips(320, 240), kRgb)[0], 80.15991094, kBound);
    assert_near("100x60", scores_of(rgb_clips(100, 60), kRgb)[0], 74.64205160, kBound);
}
END_TEST

struct Listed {
    uint32_t bits;
    OptionDict options;
    std::vector<double> scores;
};

START_TEST(listed_scores_of_yuv)
{
    const OptionDict plain = {{"matrix", "bt709"}, {"range", "limited"}, {"transfer", "srgb"}};
    const auto with = [&](const char *name, const char *value) {
        OptionDict dict = plain;
        dict[name] = value;
        return dict;
    };
    const Listed listed[] = {
        {8, plain, {70.34331290, 70.63986502, 70.79901161}},
        {10, plain, {70.93690906, 71.22740427, 71.39504745}},
        {8, with("matrix", "bt601"), {69.62394125}},
        {8, with("range", "full"), {72.07872903}},
        {8, with("transfer", "gamma24"), {69.46912023}},
        {8, with("transfer", "bt709"), {71.55659248}},
        {8, with("chroma", "left"), {70.65785898}},
    };
    for (const Listed &one : listed) {
        const int frames = static_cast<int>(one.scores.size());
        const ClipPair clips = speed_clips({640, 480, one.bits, Chroma::k420}, frames);
        const std::vector<double> scores = scores_of(clips, one.options);
        for (size_t i = 0; i < one.scores.size(); ++i)
            assert_near(name_with(one.options), scores[i], one.scores[i], kBound);
    }
}
END_TEST

/* ---- the slow program ----------------------------------------------------------------------- */

/** Noise on slopes, the distorted one coarser or a little noisier. */
static ClipPair noisy(const PictureFormat &format, bool coarse)
{
    ClipPair clips{{format, std::vector<Picture>(1)}, {format, std::vector<Picture>(1)}};
    std::mt19937 random(format.width * 31 + format.height * 7 + format.bits);
    const int peak = static_cast<int>((1u << format.bits) - 1);
    for (uint32_t p = 0; p < format.plane_count(); ++p) {
        const int width = static_cast<int>(format.plane_width(p));
        const int height = static_cast<int>(format.plane_height(p));
        const int step = std::max(2, peak / 20), small = std::max(2, peak / 200);
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                const int slope =
                    static_cast<int>(peak * (0.2 + 0.5 * x / width + 0.2 * y / height));
                const int noise = static_cast<int>(random() % static_cast<unsigned>(step));
                const int r = std::min(peak, slope + noise);
                const int d = coarse
                                  ? r / step * step
                                  : r + static_cast<int>(random() % static_cast<unsigned>(small));
                append(clips.reference.pictures[0].plane[p], r, format.bits);
                append(clips.distorted.pictures[0].plane[p], std::min(d, peak), format.bits);
            }
        }
    }
    return clips;
}

static double power22(double v)
{
    return std::pow(v, 2.2);
}
static double power24(double v)
{
    return std::pow(v, 2.4);
}
static double power28(double v)
{
    return std::pow(v, 2.8);
}
static double same(double v)
{
    return v;
}

struct SlowCase {
    PictureFormat format;
    OptionDict options;
    ColourRules rules;
};

static const std::vector<SlowCase> &slow_cases()
{
    const ColourRules hd = {0.2126, 0.0722, false, srgb_light, false};
    const ColourRules sd = {0.299, 0.114, false, srgb_light, false};
    const ColourRules uhd = {0.2627, 0.0593, false, srgb_light, false};
    const auto with = [](ColourRules rules, bool full, double (*light)(double), bool smooth) {
        rules.full = full;
        rules.light = light;
        rules.smooth = smooth;
        return rules;
    };
    static const std::vector<SlowCase> cases = {
        /* Scales: one, two, ..., and the largest that has five. */
        {{8, 8, 8, Chroma::k420}, {}, sd},
        {{9, 12, 8, Chroma::k420}, {}, sd},
        {{15, 15, 10, Chroma::k422}, {}, sd},
        {{16, 9, 8, Chroma::k444}, {}, sd},
        {{33, 8, 16, Chroma::k400}, {}, sd},
        {{8, 70, 9, Chroma::k420}, {}, sd},
        {{57, 41, 12, Chroma::k420}, {}, sd},
        {{112, 112, 8, Chroma::k420}, {}, sd},
        {{113, 113, 8, Chroma::k420}, {}, sd},
        /* Edges of tiles and strips. */
        {{257, 131, 14, Chroma::k422}, {{"matrix", "bt2020"}}, uhd},
        {{513, 130, 16, Chroma::k420}, {{"matrix", "bt2020"}}, uhd},
        {{1281, 67, 8, Chroma::k420}, {}, hd},
        {{130, 577, 8, Chroma::k444}, {}, hd},
        {{1030, 301, 8, Chroma::k400}, {{"range", "full"}}, with(sd, true, srgb_light, false)},
        /* Curves, ranges and chroma. */
        {{121, 127, 8, Chroma::k420}, {{"transfer", "bt709"}}, with(sd, false, oetf_light, false)},
        {{121, 127, 8, Chroma::k422}, {{"transfer", "gamma22"}}, with(sd, false, power22, false)},
        {{121, 127, 8, Chroma::k444}, {{"transfer", "gamma24"}}, with(sd, false, power24, false)},
        {{121, 127, 8, Chroma::k400}, {{"transfer", "gamma28"}}, with(sd, false, power28, false)},
        {{121, 127, 8, Chroma::k420}, {{"transfer", "linear"}}, with(sd, false, same, false)},
        {{122, 126, 10, Chroma::k420}, {{"range", "full"}}, with(sd, true, srgb_light, false)},
        {{121, 127, 8, Chroma::k420}, {{"chroma", "left"}}, with(sd, false, srgb_light, true)},
        {{601, 126, 10, Chroma::k422}, {{"chroma", "left"}}, with(sd, false, srgb_light, true)},
        {{120, 127, 12, Chroma::k444}, {{"chroma", "left"}}, with(sd, false, srgb_light, true)},
        {{120, 128, 10, Chroma::k444}, kRgb, rgb_rules()},
        {{120, 128, 10, Chroma::k444},
         {{"matrix", "rgb"}, {"range", "limited"}},
         with(rgb_rules(), false, srgb_light, false)},
    };
    return cases;
}

START_TEST(slow_program_gives_the_same)
{
    const std::vector<double> weights = published_weights();
    for (const SlowCase &c : slow_cases()) {
        for (const bool coarse : {false, true}) {
            const ClipPair clips = noisy(c.format, coarse);
            const double expected = slow_score(sub_scores_of(clips, 0, c.rules), weights);
            const std::string what = std::to_string(c.format.width) + "x" +
                                     std::to_string(c.format.height) + " " + name_with(c.options);
            assert_near(what, scores_of(clips, c.options)[0], expected, kBound);
        }
    }
}
END_TEST

/* ---- rules ---------------------------------------------------------------------------------- */

START_TEST(equal_pictures_have_100)
{
    for (const uint32_t bits : {8u, 10u, 16u}) {
        ClipPair clips = noisy({200, 130, bits, Chroma::k420}, false);
        clips.distorted = clips.reference;
        ck_assert(same_bits(scores_of(clips, {})[0], 100));
    }
}
END_TEST

START_TEST(one_sample_counts)
{
    ClipPair clips = noisy({200, 130, 8, Chroma::k420}, false);
    clips.distorted = clips.reference;
    clips.distorted.pictures[0].plane[0][12345] ^= 1;
    const ColourRules rules = {0.299, 0.114, false, srgb_light, false};
    const double expected = slow_score(sub_scores_of(clips, 0, rules), published_weights());
    ck_assert(expected < 100);
    assert_near("one sample", scores_of(clips, {})[0], expected, 1e-3);
}
END_TEST

START_TEST(option_sets_of_one_plan_do_not_mix)
{
    const ClipPair clips = noisy({200, 130, 8, Chroma::k420}, true);
    const std::vector<OptionDict> dicts = {
        {}, {{"matrix", "bt709"}}, {{"range", "full"}, {"chroma", "left"}}};
    assert_text(name_with(dicts[0]), "ssimulacra2");
    assert_text(name_with(dicts[1]), "ssimulacra2_matrix_bt709");
    assert_text(name_with(dicts[2]), "ssimulacra2_chroma_left_range_full");
    for (const std::string &image : DirectRunner::names()) {
        const auto runner = DirectRunner::of_name(image);
        const auto together =
            score_clips(*runner, *ssimulacra2_feature(), dicts, clips.reference, clips.distorted);
        for (size_t k = 0; k < dicts.size(); ++k) {
            const auto alone = score_clips(*runner, *ssimulacra2_feature(), {dicts[k]},
                                           clips.reference, clips.distorted)[0];
            ck_assert(same_scores(together[k], alone));
        }
    }
}
END_TEST

static double tagged(const ClipPair &clips, const ColourTags &reference,
                     const ColourTags &distorted, const OptionDict &dict = {})
{
    ClipPair tagged = clips;
    tagged.reference.colour = reference;
    tagged.distorted.colour = distorted;
    const auto runner = DirectRunner::of_target("x86-64-v2");
    const Scores scores =
        score_clips(*runner, *ssimulacra2_feature(), {dict}, tagged.reference, tagged.distorted)[0];
    return scores.frames.at(name_with(dict)).at(0);
}

START_TEST(tags_say_what_options_leave_open)
{
    const ClipPair clips = noisy({160, 120, 8, Chroma::k444}, true);
    const auto chosen = [&](const OptionDict &dict) { return tagged(clips, {}, {}, dict); };
    const auto of_tags = [&](const ColourTags &tags) { return tagged(clips, tags, tags); };
    constexpr auto kAny = ColourRange::kUnspecified;
    ck_assert_double_eq(chosen({}), chosen({{"matrix", "bt601"}, {"range", "limited"}}));
    ck_assert_double_eq(of_tags({1, 2, kAny}), chosen({{"matrix", "bt709"}}));
    ck_assert_double_eq(of_tags({5, 6, kAny}), chosen({{"matrix", "bt601"}}));
    ck_assert_double_eq(of_tags({9, 14, kAny}), chosen({{"matrix", "bt2020"}}));
    ck_assert_double_eq(of_tags({0, 13, kAny}), chosen({{"matrix", "rgb"}, {"range", "full"}}));
    ck_assert_double_eq(of_tags({0, 2, ColourRange::kLimited}),
                        chosen({{"matrix", "rgb"}, {"range", "limited"}}));
    ck_assert_double_eq(of_tags({2, 2, ColourRange::kFull}), chosen({{"range", "full"}}));
    ck_assert_double_eq(of_tags({2, 1, kAny}), chosen({{"transfer", "srgb"}}));
    ck_assert_double_eq(of_tags({2, 4, kAny}), chosen({{"transfer", "gamma22"}}));
    ck_assert_double_eq(of_tags({2, 5, kAny}), chosen({{"transfer", "gamma28"}}));
    ck_assert_double_eq(of_tags({2, 8, kAny}), chosen({{"transfer", "linear"}}));
    ck_assert_double_ne(chosen({}), chosen({{"matrix", "bt709"}}));
    ck_assert_double_ne(chosen({}), chosen({{"range", "full"}}));

    const OptionDict all = {{"matrix", "bt601"}, {"range", "full"}, {"transfer", "gamma24"}};
    ck_assert_double_eq(tagged(clips, {14, 16, ColourRange::kLimited}, {}, all), chosen(all));
}
END_TEST

/* Without chroma R, G and B are Y, whatever the matrix is; that of RGB still means the full range.
 */
START_TEST(grey_pictures_have_any_matrix)
{
    const ClipPair clips = noisy({160, 120, 8, Chroma::k400}, true);
    const auto of = [&](uint32_t matrix, const OptionDict &dict = {}) {
        const ColourTags tags = {matrix, 2, ColourRange::kUnspecified};
        return tagged(clips, tags, tags, dict);
    };
    const double limited = of(kUnspecifiedColour), full = of(2, {{"range", "full"}});
    ck_assert_double_ne(limited, full);
    for (const uint32_t matrix : {1, 3, 5, 8, 9, 10, 14, 255})
        ck_assert_double_eq(of(matrix), limited);
    for (const char *name : {"bt709", "bt601", "bt2020"})
        ck_assert_double_eq(of(kMatrixIdentity, {{"matrix", name}}), limited);
    ck_assert_double_eq(of(kMatrixIdentity), full);
    ck_assert_double_eq(of(1, {{"matrix", "rgb"}}), full);
    ck_assert_double_eq(of(kMatrixIdentity, {{"range", "limited"}}), limited);
}
END_TEST

/** A full-range picture and the same one in limited range are one picture. */
START_TEST(each_picture_has_its_own_tags)
{
    const PictureFormat format{160, 120, 16, Chroma::k444};
    ClipPair clips = noisy(format, false);
    clips.distorted = clips.reference;
    for (size_t p = 0; p < 3; ++p) {
        std::vector<uint8_t> &bytes = clips.distorted.pictures[0].plane[p];
        for (size_t i = 0; i < bytes.size(); i += 2) {
            const double full = bytes[i] + 256 * bytes[i + 1];
            const double limited = p == 0 ? (full / 65535 * 219 + 16) * 256
                                          : ((full - 32768) / 65535 * 224 + 128) * 256;
            const auto value = static_cast<unsigned>(std::lround(limited));
            bytes[i] = static_cast<uint8_t>(value);
            bytes[i + 1] = static_cast<uint8_t>(value >> 8);
        }
    }
    const ColourTags full = {1, 2, ColourRange::kFull}, limited = {1, 2, ColourRange::kLimited};
    ck_assert(tagged(clips, full, limited) > 97);
    ck_assert(tagged(clips, limited, limited) < 80);
    ck_assert(tagged(clips, full, full) < 80);
}
END_TEST

/* ---- refusals ------------------------------------------------------------------------------- */

struct Refusal {
    int32_t status = 0;
    std::string subject, text;
};

template <class Body> static Refusal refusal(Body body)
{
    try {
        body();
    } catch (const Failure &failure) {
        return {failure.status(), failure.subject(), failure.what()};
    }
    return {0, "", "accepted"};
}

static void assert_refused(const Refusal &refusal, int32_t status, const char *subject,
                           const char *word)
{
    ck_assert_int_eq(refusal.status, status);
    assert_text(refusal.subject, subject);
    ck_assert_msg(refusal.text.find(word) != std::string::npos, "\"%s\" has no \"%s\"",
                  refusal.text.c_str(), word);
}

static Refusal of_colours(const OptionDict &dict, Chroma chroma, const ColourTags &reference,
                          const ColourTags &distorted)
{
    return refusal([&] {
        const auto plan = ssimulacra2_feature()->create();
        plan->add_instance(option_set(dict));
        plan->check_colours({160, 120, 8, chroma}, reference, distorted);
    });
}

START_TEST(colours_are_refused_by_name)
{
    const ColourTags none, pq = {9, 16, {}}, hlg = {9, 18, {}}, constant = {10, 1, {}};
    const ColourTags rgb = {0, 2, {}}, reserved = {3, 2, {}};
    const auto of = [](const ColourTags &reference, const ColourTags &distorted,
                       const OptionDict &dict = {}, Chroma chroma = Chroma::k420) {
        return of_colours(dict, chroma, reference, distorted);
    };
    assert_refused(of(pq, none), VMAFX_E_NOTSUP, "reference", "PQ");
    assert_refused(of(none, pq), VMAFX_E_NOTSUP, "distorted", "option transfer");
    assert_refused(of(hlg, none), VMAFX_E_NOTSUP, "reference", "HLG");
    assert_refused(of(constant, none), VMAFX_E_NOTSUP, "reference", "constant luminance");
    assert_refused(of(none, reserved), VMAFX_E_NOTSUP, "distorted", "option matrix");
    assert_refused(of(rgb, rgb), VMAFX_E_INVALID, "reference", "4:4:4");
    assert_refused(of(none, none, kRgb), VMAFX_E_INVALID, "options.matrix", "4:4:4");
    ck_assert_int_eq(of(rgb, none, {}, Chroma::k444).status, 0);
    ck_assert_int_eq(of(pq, hlg, {{"transfer", "srgb"}}).status, 0);
    ck_assert_int_eq(of(constant, none, {{"matrix", "bt2020"}}).status, 0);
    ck_assert_int_eq(of(none, none).status, 0);
}
END_TEST

START_TEST(options_are_refused_by_name)
{
    const auto of = [](const char *name, const char *value) {
        return refusal([&] {
            const auto plan = ssimulacra2_feature()->create();
            plan->add_instance(option_set({{name, value}}));
        });
    };
    assert_refused(of("matrix", "bt700"), VMAFX_E_INVALID, "options.matrix", "bt709");
    assert_refused(of("range", "tv"), VMAFX_E_INVALID, "options.range", "limited");
    assert_refused(of("transfer", "pq"), VMAFX_E_INVALID, "options.transfer", "gamma28");
    assert_refused(of("chroma", ""), VMAFX_E_INVALID, "options.chroma", "repeat");
    assert_refused(of("colour", "auto"), VMAFX_E_NOTFOUND, "options.colour", "transfer");
}
END_TEST

START_TEST(sizes_are_refused_by_name)
{
    const auto runner = DirectRunner::of_target("x86-64-v2");
    const auto of = [&](uint32_t width, uint32_t height) {
        return refusal([&] {
            const auto plan = ssimulacra2_feature()->create();
            plan->add_instance(option_set({}));
            plan->prepare(*runner, {width, height, 8, Chroma::k420});
        });
    };
    assert_refused(of(7, 40), VMAFX_E_RANGE, "width", "8x8");
    assert_refused(of(40, 7), VMAFX_E_RANGE, "height", "8x8");
    ck_assert_int_eq(of(8, 8).status, 0);
}
END_TEST

int main()
{
    TCase *tcase = tcase_create("ssimulacra2");
    tcase_set_timeout(tcase, 250);
    tcase_add_test(tcase, slow_program_has_the_listed_sub_scores);
    tcase_add_test(tcase, listed_scores_of_rgb);
    tcase_add_test(tcase, listed_scores_of_yuv);
    tcase_add_test(tcase, slow_program_gives_the_same);
    tcase_add_test(tcase, equal_pictures_have_100);
    tcase_add_test(tcase, one_sample_counts);
    tcase_add_test(tcase, option_sets_of_one_plan_do_not_mix);
    tcase_add_test(tcase, tags_say_what_options_leave_open);
    tcase_add_test(tcase, grey_pictures_have_any_matrix);
    tcase_add_test(tcase, each_picture_has_its_own_tags);
    tcase_add_test(tcase, colours_are_refused_by_name);
    tcase_add_test(tcase, options_are_refused_by_name);
    tcase_add_test(tcase, sizes_are_refused_by_name);
    return run_tests(tcase, kName);
}
