/* SPDX-License-Identifier: BSD-2-Clause
 *
 * SSIM and MS-SSIM in floats: listed scores of clips made by formulas, depths, sizes and factors
 * that the golden clips do not have against a slow program, decibels, and refusals.
 */
#include <array>
#include <cmath>
#include <functional>
#include <random>

#include "core/failure.h"
#include "features/registry.h"
#include "kernels/plan_scores.h"
#include "kernels/vector_clips.h"

#include "check_text.h"

using namespace vmafx;
using namespace vmafx_test;

template <class Body> static void on_every_image(Body body)
{
    for (const std::string &name : DirectRunner::names())
        body(*DirectRunner::of_name(name));
}

static void assert_score(const Scores &scores, const std::string &name, size_t frame,
                         double expected)
{
    const double value = scores.frames.at(name).at(frame);
    ck_assert_msg(same_bits(value, expected), "%s[%zu] is %.17g, not %.17g", name.c_str(), frame,
                  value, expected);
}

/* ---- listed scores -------------------------------------------------------------------------- */

struct Listed {
    const char *name;
    double bits8[3], bits10[3];
};

static const Listed kSsim[] = {
    {"float_ssim",
     {0.997268795967102, 0.9974144697189331, 0.9972262978553772},
     {0.9972681403160095, 0.9974139928817749, 0.9972255825996399}},
    {"float_ssim_l",
     {0.9999991655349731, 0.9999991655349731, 0.9999991655349731},
     {0.9999991655349731, 0.9999991655349731, 0.9999991655349731}},
    {"float_ssim_c",
     {0.9999747276306152, 0.9999762773513794, 0.99997478723526},
     {0.9999746084213257, 0.9999761581420898, 0.9999746680259705}},
    {"float_ssim_s",
     {0.9972946643829346, 0.9974387884140015, 0.9972521066665649},
     {0.9972941279411316, 0.9974384307861328, 0.9972515106201172}},
};
static const Listed kMsSsim[] = {
    {"float_ms_ssim",
     {0.9998469272055172, 0.9998543743592008, 0.9998448323349536},
     {0.9998465524960011, 0.9998536476664677, 0.9998443444021416}},
    {"float_ms_ssim_l_scale1",
     {0.9999999403953552, 0.9999999403953552, 0.9999999403953552},
     {0.9999999403953552, 0.9999999403953552, 0.9999999403953552}},
    {"float_ms_ssim_c_scale1",
     {0.9999992847442627, 0.9999993443489075, 0.9999993443489075},
     {0.9999992847442627, 0.9999993443489075, 0.9999993443489075}},
    {"float_ms_ssim_s_scale2",
     {0.9999924898147583, 0.9999925494194031, 0.9999923706054688},
     {0.9999925494194031, 0.9999926090240479, 0.9999924302101135}},
    {"float_ms_ssim_s_scale4",
     {1.0000003576278687, 1.0000007152557373, 0.9999995231628418},
     {0.9999973773956299, 0.9999953508377075, 0.9999958276748657}},
};

template <size_t count>
static void assert_listed(const FeatureDescription &feature, const Listed (&listed)[count])
{
    for (const uint32_t bits : {8u, 10u}) {
        const ClipPair clips = vector_clips(bits);
        on_every_image([&](DirectRunner &runner) {
            const Scores scores = score_clips(runner, feature, {{{"enable_lcs", "true"}}},
                                              clips.reference, clips.distorted)[0];
            for (const Listed &line : listed)
                for (size_t frame = 0; frame < 3; ++frame)
                    assert_score(scores, line.name, frame,
                                 (bits == 8 ? line.bits8 : line.bits10)[frame]);
        });
    }
}

START_TEST(listed_scores_of_ssim)
{
    assert_listed(*float_ssim_feature(), kSsim);
}
END_TEST

START_TEST(listed_scores_of_ms_ssim)
{
    assert_listed(*float_ms_ssim_feature(), kMsSsim);
}
END_TEST

/* ---- a slow program ------------------------------------------------------------------------- */

struct Plane {
    int width, height;
    std::vector<float> v;

    float at(int x, int y) const { return v[static_cast<size_t>(y * width + x)]; }
    float mirrored(int x, int y) const
    {
        const auto inside = [](int i, int n) { return i < 0 ? -1 - i : i < n ? i : 2 * n - 1 - i; };
        return at(inside(x, width), inside(y, height));
    }
};

using PixelFunction = std::function<float(int, int)>;

static Plane map(int width, int height, const PixelFunction &f)
{
    Plane plane{width, height, {}};
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            plane.v.push_back(f(x, y));
    return plane;
}

static Plane samples(const Clip &clip)
{
    const bool wide = clip.format.bits > 8;
    const std::vector<uint8_t> &bytes = clip.pictures[0].plane[0];
    const int width = static_cast<int>(clip.format.width);
    return map(width, static_cast<int>(clip.format.height), [&](int x, int y) {
        const auto i = static_cast<size_t>(y * width + x);
        const int value = wide ? bytes[2 * i] + 256 * bytes[2 * i + 1] : bytes[i];
        return static_cast<float>(value) / static_cast<float>(1 << (clip.format.bits - 8));
    });
}

static Plane shrunk(const Plane &in, int factor)
{
    const float weight = 1.0f / static_cast<float>(factor * factor);
    return map(
        in.width / factor + in.width % 2, in.height / factor + in.height % 2, [&](int x, int y) {
            double sum = 0;
            const int low = -(factor / 2);
            for (int v = low; v < low + factor; ++v)
                for (int u = low; u < low + factor; ++u)
                    sum +=
                        static_cast<double>(in.mirrored(x * factor + u, y * factor + v) * weight);
            return static_cast<float>(sum);
        });
}

static Plane window(const Plane &in)
{
    static const float half[] = {0.001028f, 0.007599f, 0.036001f, 0.109361f, 0.213006f, 0.266012f};
    const auto tap = [](int k) { return half[k < 6 ? k : 10 - k]; };
    const Plane rows = map(in.width - 10, in.height, [&](int x, int y) {
        double sum = 0;
        for (int k = 0; k < 11; ++k)
            sum += static_cast<double>(in.at(x + k, y) * tap(k));
        return static_cast<float>(sum);
    });
    return map(rows.width, in.height - 10, [&](int x, int y) {
        double sum = 0;
        for (int k = 0; k < 11; ++k)
            sum += static_cast<double>(rows.at(x, y + k) * tap(k));
        return static_cast<float>(sum);
    });
}

static Plane times(const Plane &a, const Plane &b)
{
    return map(a.width, a.height, [&](int x, int y) { return a.at(x, y) * b.at(x, y); });
}

/** Score, luminance, contrast, structure. */
static std::array<double, 4> slow_ssim(const Plane &r, const Plane &d)
{
    const Plane mr = window(r), md = window(d);
    const Plane rr = window(times(r, r)), dd = window(times(d, d)), rd = window(times(r, d));
    const float k1 = 0.01f * 255, k2 = 0.03f * 255;
    const float c1 = k1 * k1, c2 = k2 * k2, c3 = c2 / 2;
    double sums[4] = {};
    for (size_t i = 0; i < mr.v.size(); ++i) {
        const float a = mr.v[i], b = md.v[i];
        float va = rr.v[i] - a * a, vb = dd.v[i] - b * b, cov = rd.v[i] - a * b;
        va = std::fmax(va, 0.0f);
        vb = std::fmax(vb, 0.0f);
        const float root = static_cast<float>(std::sqrt(static_cast<double>(va * vb)));
        const double l = (2.0 * a * b + c1) / static_cast<double>(a * a + b * b + c1);
        const double c = (2.0 * root + c2) / static_cast<double>(va + vb + c2);
        if (cov < 0 && root <= 0)
            cov = 0;
        const double s = static_cast<double>((cov + c3) / (root + c3));
        const double parts[] = {l * c * s, l, c, s};
        for (int k = 0; k < 4; ++k)
            sums[k] += parts[k];
    }
    std::array<double, 4> means;
    for (size_t k = 0; k < 4; ++k)
        means[k] = static_cast<float>(sums[k] / static_cast<double>(mr.v.size()));
    return means;
}

/** Noise on a slope, and with `flat` of a thousand equal samples with a few that differ. */
static ClipPair noisy(uint32_t width, uint32_t height, uint32_t bits, bool flat)
{
    const PictureFormat format{width, height, bits, Chroma::k400};
    ClipPair clips{{format, std::vector<Picture>(1)}, {format, std::vector<Picture>(1)}};
    std::mt19937 random(width * 31 + bits);
    const uint32_t peak = (1u << bits) - 1;
    for (size_t i = 0; i < size_t{width} * height; ++i) {
        const uint32_t x = static_cast<uint32_t>(i % width);
        const uint32_t smooth = flat ? (random() % 1000 == 0) : x * peak / width;
        const uint32_t noise = flat ? 0 : static_cast<uint32_t>(random()) % (peak / 4);
        const uint32_t r = std::min(peak, smooth + noise);
        const uint32_t d = flat ? static_cast<uint32_t>(random() % 900 == 0)
                                : r ^ (static_cast<uint32_t>(random()) % (peak / 16));
        for (auto [clip, value] :
             {std::pair(&clips.reference, r), std::pair(&clips.distorted, d)}) {
            clip->pictures[0].plane[0].push_back(static_cast<uint8_t>(value));
            if (bits > 8)
                clip->pictures[0].plane[0].push_back(static_cast<uint8_t>(value >> 8));
        }
    }
    return clips;
}

struct SlowCase {
    uint32_t width, height, bits;
    int scale;
    bool flat;
};

START_TEST(slow_program_gives_the_same)
{
    static const SlowCase cases[] = {
        {11, 11, 8, 0, false},    {12, 75, 16, 0, false},
        {75, 12, 10, 1, false},   {523, 131, 16, 1, false},
        {600, 97, 12, 1, true},   {67, 80, 8, 2, false},
        {131, 81, 16, 3, false},  {109, 209, 10, 9, false},
        {113, 127, 8, 10, false}, {401, 383, 16, 0, false},
        {385, 400, 8, 0, true},   {2200, 1010, 8, 1, false}, /* more windows than a map has */
        {5200, 640, 8, 0, false}, /* factor 3 (640 / 256 = 2.5), rows of two parts */
    };
    for (const SlowCase &c : cases) {
        const ClipPair clips = noisy(c.width, c.height, c.bits, c.flat);
        const float ratio = static_cast<float>(std::min(c.width, c.height)) / 256;
        const int factor = c.scale ? c.scale : std::max(1, static_cast<int>(ratio + 0.5f));
        Plane r = samples(clips.reference), d = samples(clips.distorted);
        if (factor > 1) {
            r = shrunk(r, factor);
            d = shrunk(d, factor);
        }
        const auto expected = slow_ssim(r, d);
        on_every_image([&](DirectRunner &runner) {
            const OptionDict dict = {{"enable_lcs", "true"}, {"scale", std::to_string(c.scale)}};
            const Scores scores = score_clips(runner, *float_ssim_feature(), {dict},
                                              clips.reference, clips.distorted)[0];
            assert_score(scores, "float_ssim", 0, expected[0]);
            assert_score(scores, "float_ssim_l", 0, expected[1]);
            assert_score(scores, "float_ssim_c", 0, expected[2]);
            assert_score(scores, "float_ssim_s", 0, expected[3]);
        });
    }
}
END_TEST

/* ---- rules ---------------------------------------------------------------------------------- */

START_TEST(option_sets_of_one_plan_do_not_mix)
{
    const ClipPair clips = vector_clips(8);
    on_every_image([&](DirectRunner &runner) {
        const std::vector<OptionDict> dicts = {{},
                                               {{"scale", "2"}},
                                               {{"scale", "2"}, {"enable_lcs", "true"}},
                                               {{"enable_db", "true"}}};
        const auto together =
            score_clips(runner, *float_ssim_feature(), dicts, clips.reference, clips.distorted);
        for (size_t k = 0; k < dicts.size(); ++k) {
            const auto alone = score_clips(runner, *float_ssim_feature(), {dicts[k]},
                                           clips.reference, clips.distorted)[0];
            ck_assert(together[k].frames == alone.frames);
        }
        ck_assert_uint_eq(together[1].frames.size(), 1);
        ck_assert_uint_eq(together[2].frames.size(), 4);
    });
}
END_TEST

START_TEST(equal_pictures_in_decibels)
{
    const ClipPair clips = vector_clips(10);
    const auto runner = DirectRunner::of_target("x86-64-v2");
    for (const auto *feature : {float_ssim_feature(), float_ms_ssim_feature()}) {
        const auto scores = score_clips(*runner, *feature,
                                        {{},
                                         {{"enable_db", "true"}},
                                         {{"enable_db", "true"}, {"clip_db", "true"}},
                                         {{"clip_db", "true"}}},
                                        clips.reference, clips.reference);
        assert_score(scores[0], feature->name, 0, 1);
        assert_score(scores[1], feature->name, 0, INFINITY);
        assert_score(scores[2], feature->name, 0, 109); /* ceil(10 log10(1023^2 * 2 * 33792)) */
        assert_score(scores[3], feature->name, 0, 1);
    }
}
END_TEST

START_TEST(ms_ssim_has_two_names)
{
    const ClipPair clips = vector_clips(10);
    const auto runner = DirectRunner::of_target("x86-64-v2");
    const OptionDict all = {{"enable_lcs", "true"}};
    const auto a =
        score_clips(*runner, *float_ms_ssim_feature(), {all}, clips.reference, clips.distorted)[0];
    const auto b =
        score_clips(*runner, *ms_ssim_feature(), {all}, clips.reference, clips.distorted)[0];
    ck_assert_uint_eq(a.frames.size(), 16);
    ck_assert_uint_eq(b.frames.size(), 16);
    for (const auto &[name, values] : b.frames)
        ck_assert(values == a.frames.at("float_" + name));
}
END_TEST

static void assert_contains(const std::string &text, const std::string &part)
{
    ck_assert_msg(text.find(part) != std::string::npos, "\"%s\" has no \"%s\"", text.c_str(),
                  part.c_str());
}

static std::string refusal(const FeatureDescription &feature, const PictureFormat &format,
                           const OptionDict &dict)
{
    const auto runner = DirectRunner::of_target("x86-64-v2");
    const auto plan = feature.create();
    plan->add_instance(OptionSet(*feature.options, dict, true));
    try {
        plan->prepare(*runner, format);
    } catch (const Failure &failure) {
        ck_assert_int_eq(failure.status(), format.bits == 9 ? VMAFX_E_NOTSUP : VMAFX_E_RANGE);
        return failure.what();
    }
    return "accepted";
}

START_TEST(sizes_and_depths_are_refused_by_name)
{
    const auto ssim = [](uint32_t w, uint32_t h, const char *scale) {
        return refusal(*float_ssim_feature(), {w, h, 8, Chroma::k400}, {{"scale", scale}});
    };
    assert_text(ssim(11, 11, "0"), "accepted");
    assert_contains(ssim(10, 11, "0"), "11x11");
    assert_contains(ssim(11, 10, "1"), "11x10");
    assert_text(ssim(21, 21, "2"), "accepted"); /* 21 / 2 + 1 */
    assert_contains(ssim(20, 21, "2"), "scale=2");
    const auto ms_ssim = [](uint32_t w, uint32_t h) {
        return refusal(*float_ms_ssim_feature(), {w, h, 8, Chroma::k400}, {});
    };
    assert_text(ms_ssim(176, 176), "accepted");
    assert_contains(ms_ssim(175, 176), "176x176");
    assert_contains(ms_ssim(176, 175), "176x176");
    for (const auto *feature : {float_ssim_feature(), float_ms_ssim_feature(), ms_ssim_feature()})
        assert_contains(refusal(*feature, {352, 288, 9, Chroma::k420}, {}), feature->name);
}
END_TEST

int main()
{
    TCase *tcase = tcase_create("float ssim");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, listed_scores_of_ssim);
    tcase_add_test(tcase, listed_scores_of_ms_ssim);
    tcase_add_test(tcase, slow_program_gives_the_same);
    tcase_add_test(tcase, option_sets_of_one_plan_do_not_mix);
    tcase_add_test(tcase, equal_pictures_in_decibels);
    tcase_add_test(tcase, ms_ssim_has_two_names);
    tcase_add_test(tcase, sizes_and_depths_are_refused_by_name);
    return run_tests(tcase, "float ssim");
}
