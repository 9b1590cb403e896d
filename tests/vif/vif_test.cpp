/* SPDX-License-Identifier: BSD-2-Clause
 *
 * VIF: sums and scores of the specification's worked examples, every image against every other on
 * random pictures, several gain limits in one plan, refusals.
 */
#include <algorithm>
#include <cstring>
#include <functional>
#include <random>

#include <libvmafx/status.h>

#include "core/failure.h"
#include "features/registry.h"
#include "features/vif/vif_kernels.h"
#include "features/vif/vif_log_table.h"
#include "kernels/plan_scores.h"

#include "check_text.h"

using namespace vmafx;
using namespace vmafx_test;

using Words = std::vector<uint64_t>;

static Picture luma(const PictureFormat &format, const std::function<int(int, int)> &value)
{
    Picture picture;
    for (int y = 0; y < static_cast<int>(format.height); ++y) {
        for (int x = 0; x < static_cast<int>(format.width); ++x) {
            const int v = value(x, y);
            picture.plane[0].push_back(static_cast<uint8_t>(v & 255));
            if (format.bits > 8)
                picture.plane[0].push_back(static_cast<uint8_t>(v >> 8));
        }
    }
    return picture;
}

static PictureFormat grey(uint32_t width, uint32_t height, uint32_t bits)
{
    PictureFormat format;
    format.width = width;
    format.height = height;
    format.bits = bits;
    format.chroma = Chroma::k400;
    return format;
}

/** The results of a plan for one frame. */
static Words words_of(DirectRunner &runner, const PictureFormat &format, const Picture &reference,
                      const Picture &distorted, const std::vector<const char *> &limits)
{
    const FeatureDescription &vif = *vif_feature();
    const auto plan = vif.create();
    for (const char *limit : limits)
        plan->add_instance(OptionSet(*vif.options, {{"vif_enhn_gain_limit", limit}}, true));
    plan->prepare(runner, format);
    Words words(plan->result_words());
    FrameJob job;
    job.stream = &runner;
    job.reference = reference.view(format);
    job.distorted = distorted.view(format);
    job.results = words.data();
    plan->enqueue(job);
    return words;
}

/* ---- the log table -------------------------------------------------------------------------- */

static uint32_t crc32_of(const std::vector<uint16_t> &table)
{
    uint32_t crc = ~0u;
    for (size_t i = 0; i < 2 * table.size(); ++i) {
        crc ^= (table[i / 2] >> (i % 2 * 8)) & 255u;
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320u : 0u);
    }
    return ~crc;
}

START_TEST(log_table_is_that_of_binary32)
{
    const std::vector<uint16_t> table = vif_log_table();
    ck_assert_uint_eq(table.size(), 32768);
    const std::vector<std::pair<int, int>> entries = {
        {32768, 30720}, {32780, 30721}, {33108, 30751}, {40000, 31309}, {46341, 31744},
        {49152, 31918}, {50000, 31969}, {60000, 32507}, {65534, 32768}, {65535, 32768}};
    for (const auto &[i, value] : entries)
        ck_assert_int_eq(table[static_cast<size_t>(i - 32768)], value);
    ck_assert_uint_eq(crc32_of(table), 0x42ad4d4f);
}
END_TEST

START_TEST(log_lines_go_through_the_table)
{
    const std::vector<uint32_t> lines = vif_log_lines();
    ck_assert_uint_eq(lines.size(), 2048);
    std::vector<uint16_t> table;
    for (int i = 0; i < 32768; ++i) {
        const uint32_t line = lines[static_cast<size_t>(i / 16)];
        const int offset = static_cast<int16_t>(line & 65535), slope = static_cast<int>(line >> 16);
        table.push_back(
            static_cast<uint16_t>(30720 + i / 16 + ((offset * 2048 + slope * (i % 16)) >> 18)));
    }
    ck_assert_uint_eq(crc32_of(table), 0x42ad4d4f);
}
END_TEST

/* ---- worked examples ------------------------------------------------------------------------ */

struct Sums {
    int64_t log_num, log_den, plain_num, plain_count;
    float score;
};

struct Example {
    const char *name;
    PictureFormat format;
    std::function<int(int, int)> reference, distorted;
    Sums scale[4];
};

static int limited(int v, int largest)
{
    return std::clamp(v, 0, largest);
}

static std::vector<Example> examples()
{
    const auto ramp = [](int x, int y) { return 16 * y + x; };
    const auto rough_ramp = [](int x, int y) {
        return limited(16 * y + x + (7 * x + 3 * y) % 11 - 5, 255);
    };
    const auto flat_and_checks = [](int x, int y) {
        return x < 16 ? 100 : (x + y) % 2 != 0 ? 140 : 60;
    };
    const auto weak_or_negative = [=](int x, int y) {
        const int v = flat_and_checks(x, y);
        return x < 16 ? 100 + (x + y) % 2 : y < 8 ? 100 + (v - 100) / 2 : 200 - v;
    };
    const auto deep_ramp = [](int x, int y) { return 64 * y + 4 * x + x * y % 5; };
    const auto deep_rough = [=](int x, int y) {
        return limited(deep_ramp(x, y) - 3 * ((7 * x + 3 * y) % 11), 1023);
    };
    return {
        {"ramp",
         grey(16, 16, 8),
         ramp,
         rough_ramp,
         {{3754063, 5102655, 0, 0, 0.73570776f},
          {1252652, 1254852, 0, 0, 0.998246789f},
          {312739, 312897, 0, 0, 0.999495029f},
          {78614, 78666, 0, 0, 0.999338984f}}},
        {"checks",
         grey(32, 16, 8),
         flat_and_checks,
         weak_or_negative,
         {{376494, 6599008, 2097152, 128, 0.0930796936f},
          {0, 0, 521790, 128, 0.999996185f},
          {0, 0, 134225, 32, 0.999996066f},
          {0, 0, 60214, 8, 0.999992907f}}},
        {"deep ramp",
         grey(16, 16, 10),
         deep_ramp,
         deep_rough,
         {{4096986, 5102749, 0, 0, 0.802897811f},
          {1253693, 1254857, 0, 0, 0.999072433f},
          {312721, 312896, 0, 0, 0.99944073f},
          {78616, 78668, 0, 0, 0.999338984f}}},
    };
}

START_TEST(worked_examples_have_these_sums)
{
    for (const std::string &image : DirectRunner::names()) {
        const auto runner = DirectRunner::of_name(image);
        for (const Example &e : examples()) {
            const Words words = words_of(*runner, e.format, luma(e.format, e.reference),
                                         luma(e.format, e.distorted), {"100"});
            for (size_t s = 0; s < 4; ++s) {
                const uint64_t *w = &words[s * kVifWords];
                const int64_t pixels =
                    static_cast<int64_t>(e.format.width >> s) * (e.format.height >> s);
                const auto word = [&](size_t k) { return static_cast<int64_t>(w[k]); };
                ck_assert_msg(word(kVifLogNum) == e.scale[s].log_num &&
                                  word(kVifLogDen) == e.scale[s].log_den &&
                                  word(kVifPlainNum) == e.scale[s].plain_num &&
                                  pixels - word(kVifLogCount) == e.scale[s].plain_count,
                              "%s, %s, scale %zu: sums %ld %ld %ld %ld", image.c_str(), e.name, s,
                              word(kVifLogNum), word(kVifLogDen), word(kVifPlainNum),
                              pixels - word(kVifLogCount));
            }
        }
    }
}
END_TEST

START_TEST(worked_examples_have_these_scores)
{
    const auto runner = DirectRunner::of_name(DirectRunner::names().front());
    for (const Example &e : examples()) {
        const Clip reference = {e.format, {luma(e.format, e.reference)}};
        const Clip distorted = {e.format, {luma(e.format, e.distorted)}};
        Scores scores = score_clips(*runner, *vif_feature(), {{}}, reference, distorted)[0];
        for (size_t s = 0; s < 4; ++s) {
            const std::string name =
                "VMAF_integer_feature_vif_scale" + std::to_string(s) + "_score";
            ck_assert_msg(same_bits(scores.frames[name][0], e.scale[s].score),
                          "%s, scale %zu: %.9g", e.name, s, scores.frames[name][0]);
        }
    }
}
END_TEST

/* Depths and sizes of which no clip is at hand. */
START_TEST(generated_clips_have_these_scores)
{
    struct Case {
        uint32_t bits, width, height;
        double scale[4], limited_scale0;
    };
    const Case cases[] = {
        {8,
         64,
         48,
         {0.72617489099502563, 0.98392122983932495, 0.99253696203231812, 0.99744975566864014},
         0.72470772266387939},
        {10,
         67,
         49,
         {0.71695178747177124, 0.98806965351104736, 0.99673277139663696, 0.99807542562484741},
         0.71476554870605469},
        {12,
         66,
         50,
         {0.72569310665130615, 0.98860728740692139, 0.99698132276535034, 0.99931991100311279},
         0.7232852578163147},
        {16,
         66,
         50,
         {0.72487533092498779, 0.98849576711654663, 0.99748331308364868, 0.99950140714645386},
         0.72258526086807251},
    };
    for (const std::string &image : DirectRunner::names()) {
        const auto runner = DirectRunner::of_name(image);
        for (const Case &c : cases) {
            const ClipPair pair = generated_clips(c.width, c.height, c.bits, 1);
            auto scores = score_clips(*runner, *vif_feature(), {{}, {{"vif_enhn_gain_limit", "1"}}},
                                      pair.reference, pair.distorted);
            for (size_t s = 0; s < 4; ++s) {
                const std::string name =
                    "VMAF_integer_feature_vif_scale" + std::to_string(s) + "_score";
                ck_assert_double_eq(scores[0].frames[name][0], c.scale[s]);
            }
            ck_assert_double_eq(scores[1].frames["integer_vif_scale0_egl_1"][0], c.limited_scale0);
        }
    }
}
END_TEST

/* ---- images against each other -------------------------------------------------------------- */

/** Pictures with flat parts, noise of all strengths and full contrast. */
static std::pair<Picture, Picture> random_pictures(const PictureFormat &format, uint32_t seed)
{
    std::mt19937 random(seed);
    const int largest = (1 << format.bits) - 1;
    const auto reference = luma(format, [&](int x, int y) {
        const int part = (x / 24 + y / 16) % 4;
        const int noise = static_cast<int>(random() % 65536);
        if (part == 0)
            return largest / 3;
        if (part == 1)
            return noise & 1 ? largest : 0;
        return limited(largest / 2 + ((noise - 32768) >> (19 - part * 2 - (format.bits - 8) / 2)),
                       largest);
    });
    const size_t step = format.sample_bytes();
    Picture distorted = reference;
    auto &bytes = distorted.plane[0];
    for (size_t i = 0; i + 2 * step < bytes.size(); i += step) {
        if (random() % 4 == 0)
            std::copy_n(&bytes[i + step], step, &bytes[i]);
    }
    return {reference, distorted};
}

START_TEST(images_agree)
{
    const std::pair<uint32_t, uint32_t> sizes[] = {
        {16, 16},   {17, 16},   {16, 17},  {17, 33},  {33, 17},  {31, 64},  {65, 63},
        {129, 131}, {240, 130}, {241, 66}, {481, 34}, {497, 71}, {961, 20}, {1000, 129}};
    uint32_t seed = 1;
    uint64_t num = 0, plain = 0;
    const uint32_t bits = 8 + static_cast<uint32_t>(_i);
    for (const auto &[width, height] : sizes) {
        const PictureFormat format = grey(width, height, bits);
        const auto [reference, distorted] = random_pictures(format, seed++);
        Words first;
        for (const std::string &image : DirectRunner::names()) {
            const auto runner = DirectRunner::of_name(image);
            const Words words = words_of(*runner, format, reference, distorted, {"100", "1"});
            if (first.empty())
                first = words;
            ck_assert_msg(words == first, "%ux%u, %u bits: %s differs from %s", width, height, bits,
                          image.c_str(), DirectRunner::names().front().c_str());
        }
        num += first[kVifLogNum];
        plain += uint64_t{width} * height - first[kVifLogCount];
    }
    /* Both parts of the rule had pixels. */
    ck_assert_uint_ne(num, 0);
    ck_assert_uint_ne(plain, 0);
}
END_TEST

/* ---- options -------------------------------------------------------------------------------- */

START_TEST(gain_limits_share_a_plan)
{
    const auto runner = DirectRunner::of_name(DirectRunner::names().front());
    const ClipPair pair = generated_clips(70, 40, 8, 1);
    const std::vector<OptionDict> sets = {
        {{"vif_enhn_gain_limit", "1"}},    {},
        {{"vif_enhn_gain_limit", "1.01"}}, {{"vif_enhn_gain_limit", "1"}, {"debug", "true"}},
        {{"vif_enhn_gain_limit", "1.2"}},  {{"vif_enhn_gain_limit", "2.5"}}};
    const auto together =
        score_clips(*runner, *vif_feature(), sets, pair.reference, pair.distorted);
    for (size_t k = 0; k < sets.size(); ++k) {
        const auto alone =
            score_clips(*runner, *vif_feature(), {sets[k]}, pair.reference, pair.distorted)[0];
        ck_assert_uint_eq(alone.frames.size(), sets[k].count("debug") != 0 ? 15 : 4);
        ck_assert(alone.frames == together[k].frames);
    }
    ck_assert(together[0].frames.begin()->second != together[1].frames.begin()->second);
}
END_TEST

START_TEST(scale0_can_be_left_out)
{
    const auto runner = DirectRunner::of_name(DirectRunner::names().front());
    const ClipPair pair = generated_clips(64, 48, 8, 1);
    const OptionDict skip = {
        {"vif_skip_scale0", "true"}, {"debug", "true"}, {"vif_enhn_gain_limit", "1"}};
    const OptionDict whole = {{"debug", "true"}, {"vif_enhn_gain_limit", "1"}};
    Scores alone = score_clips(*runner, *vif_feature(), {skip}, pair.reference, pair.distorted)[0];
    auto both = score_clips(*runner, *vif_feature(), {skip, whole}, pair.reference, pair.distorted);
    ck_assert(alone.frames == both[0].frames);
    const auto value = [&](const char *name) { return alone.frames.at(name).at(0); };
    ck_assert_double_eq(value("integer_vif_scale0_egl_1_ssclz"), 0.0);
    ck_assert_double_eq(value("integer_vif_num_scale0_egl_1_ssclz"), 0.0);
    ck_assert_double_eq(value("integer_vif_den_scale0_egl_1_ssclz"), -1.0);
    ck_assert_double_eq(value("integer_vif_scale1_egl_1_ssclz"),
                        both[1].frames.at("integer_vif_scale1_egl_1").at(0));
    ck_assert_double_eq(value("integer_vif_den_egl_1_ssclz"),
                        value("integer_vif_den_scale1_egl_1_ssclz") +
                            value("integer_vif_den_scale2_egl_1_ssclz") +
                            value("integer_vif_den_scale3_egl_1_ssclz"));
}
END_TEST

START_TEST(small_pictures_are_refused)
{
    const auto runner = DirectRunner::of_name(DirectRunner::names().front());
    const std::pair<uint32_t, uint32_t> sizes[] = {{15, 16}, {16, 15}, {1, 1}};
    for (const auto &[width, height] : sizes) {
        const auto plan = vif_feature()->create();
        plan->add_instance(OptionSet(*vif_feature()->options, {}, true));
        try {
            plan->prepare(*runner, grey(width, height, 8));
            ck_abort_msg("%ux%u is accepted", width, height);
        } catch (const Failure &failure) {
            ck_assert_int_eq(failure.status(), VMAFX_E_RANGE);
            assert_text(failure.subject(), width < 16 ? "width" : "height");
            ck_assert_ptr_nonnull(std::strstr(failure.what(), "16x16"));
        }
    }
}
END_TEST

int main()
{
    TCase *tcase = tcase_create("vif");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, log_table_is_that_of_binary32);
    tcase_add_test(tcase, log_lines_go_through_the_table);
    tcase_add_test(tcase, worked_examples_have_these_sums);
    tcase_add_test(tcase, worked_examples_have_these_scores);
    tcase_add_test(tcase, generated_clips_have_these_scores);
    tcase_add_loop_test(tcase, images_agree, 0, 9);
    tcase_add_test(tcase, gain_limits_share_a_plan);
    tcase_add_test(tcase, scale0_can_be_left_out);
    tcase_add_test(tcase, small_pictures_are_refused);
    return run_tests(tcase, "vif");
}
