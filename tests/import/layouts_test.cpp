/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Every layout, depth and placement in memory: whatever way the samples of a picture come, all
 * features and models give the scores of planar host planes, bit for bit, and no import goes
 * through the host.
 *
 *     layouts_test FOLDER [CLIP...]   golden clips of the folder; random pictures come on top
 */
#include <cstdlib>
#include <cstring>
#include <deque>
#include <set>

#include "check_text.h"

#include "feature_sessions.h"
#include "picture_pairs.h"
#include "support/clip_pictures.h"
#include "support/cpu_level.h"
#include "support/golden_set.h"
#include "support/producer_stream.h"

using namespace support;

namespace
{

/** Clips of every chroma format and of 8, 10 and 12 bits, natural ones and patterns. */
const std::vector<std::string> kClips = {
    "nat576_x264q40", "odd353_444",       "odd353_420",    "tiny64",     "d576_420p10",
    "d480_420p12",    "d480_422p8",       "d288_422p12",   "d288_444p8", "d288_444p10",
    "bin288_10_inv",  "testsrc2_x264q42", "cellauto_lowc", "frames3",
};

std::filesystem::path folder;
std::vector<std::string> clips = kClips;

using Pairs = std::vector<PicturePair>;

struct Size {
    uint32_t width, height;
};
/* Odd in both ways, in one; the smaller ones suit the smallest clip. */
constexpr Size kSizes[] = {{63, 61}, {61, 64}, {64, 59}, {57, 63}};

constexpr uint32_t kChroma[] = {VMAFX_LAYOUT_400, VMAFX_LAYOUT_420, VMAFX_LAYOUT_422,
                                VMAFX_LAYOUT_444};
constexpr uint32_t kDepths[] = {8, 10, 12, 16};

Pairs clip_pairs(const std::string &name, size_t frames)
{
    GoldenSet set(folder);
    const GoldenPair &pair = set.pair(name);
    const auto reference = set.clip(pair.reference), distorted = set.clip(pair.distorted);
    Pairs pairs;
    for (size_t i = 0; i < std::min(frames, reference->frames()); ++i)
        pairs.push_back({clip_picture(*reference, i), clip_picture(*distorted, i)});
    return pairs;
}

template <class Change> Pairs changed(Pairs pairs, Change change)
{
    for (PicturePair &pair : pairs)
        pair = {change(pair.reference), change(pair.distorted)};
    return pairs;
}

std::string name_of(const LayoutFacts &layout, const Picture &picture, const Placement &placement)
{
    return std::string(layout.name) + ", " + std::to_string(picture.bits) + " bits, " +
           std::to_string(picture.width) + "x" + std::to_string(picture.height) + ", " +
           placement.name;
}

uint32_t planes_of(const LayoutFacts &layout)
{
    return layout.semi_planar ? 2 : layout.chroma == VMAFX_LAYOUT_400 ? 1 : 3;
}

/** Source planes that cannot be read where they are: interleaved chroma, values in high bits. */
uint32_t converted_sources(const LayoutFacts &layout)
{
    return layout.shift ? 3u : layout.semi_planar ? 2u : 0u;
}

void check_info(const Frame &frame, const LayoutFacts &layout, const Picture &picture,
                uint32_t memory)
{
    VmafxFrameInfo info = VMAFX_FRAME_INFO_INIT;
    must(vmafx_frame_get_info, frame.get(), &info);
    const uint32_t all = (1u << planes_of(layout)) - 1;
    const bool copied = memory == VMAFX_MEMORY_HOST || memory == VMAFX_MEMORY_DEVICE_ARRAY;
    const uint32_t in_place = copied ? 0 : all & ~converted_sources(layout);
    ck_assert_uint_eq(info.memory, memory);
    ck_assert_uint_eq(info.layout, layout.layout);
    ck_assert_uint_eq(info.bits, picture.bits);
    ck_assert_uint_eq(info.width, picture.width);
    ck_assert_uint_eq(info.height, picture.height);
    ck_assert_uint_eq(info.planes_converted, converted_sources(layout));
    ck_assert_uint_eq(info.planes_in_place, in_place);
}

void check_counters(const VmafxDeviceCounters &before, const VmafxDeviceCounters &after,
                    const LayoutFacts &layout, const Placement &placement, size_t frames)
{
    const bool upload = placement.memory == VMAFX_MEMORY_HOST;
    const uint32_t planes = planes_of(layout);
    const auto converted = static_cast<size_t>(__builtin_popcount(converted_sources(layout)));
    ck_assert_uint_eq(after.frames_imported - before.frames_imported, upload ? 0 : frames);
    ck_assert_uint_eq(after.frames_uploaded - before.frames_uploaded, upload ? frames : 0);
    ck_assert_uint_eq(after.planes_converted - before.planes_converted, frames * converted);
    const bool arrays = placement.memory == VMAFX_MEMORY_DEVICE_ARRAY;
    ck_assert_uint_eq(after.planes_copied - before.planes_copied, arrays ? frames * planes : 0);
    const bool buffers = placement.memory == VMAFX_MEMORY_DMABUF;
    const bool separate = placement.sharing == Sharing::kBufferPerPlane;
    const size_t misses = !buffers ? 0 : separate ? planes : 1;
    const size_t hits = !buffers || separate ? 0 : planes - 1;
    ck_assert_uint_eq(after.import_cache_misses - before.import_cache_misses, frames * misses);
    ck_assert_uint_eq(after.import_cache_hits - before.import_cache_hits, frames * hits);
}

AllScores score(const Device &device, const Pairs &pairs, const LayoutFacts &layout,
                const Placement &placement, const RunSet &runs = runs_for_small_pictures())
{
    const VmafxDeviceCounters before = counters_of(device);
    std::deque<PlacedPicture> producer; /* its memory lives as long as the sessions */
    std::deque<ArrayPicture> arrays;
    FeatureSessions sessions(device, runs, pairs[0].reference);
    const auto desc_of = [&](const Picture &picture) {
        if (placement.memory == VMAFX_MEMORY_DEVICE_ARRAY)
            return arrays.emplace_back(picture, layout).desc();
        return producer.emplace_back(picture, layout, placement).desc();
    };
    const auto frame_of = [&](const Picture &picture) {
        Frame frame = import_frame(device, desc_of(picture));
        check_info(frame, layout, picture, placement.memory);
        return frame;
    };
    for (const PicturePair &pair : pairs) {
        const Frame reference = frame_of(pair.reference), distorted = frame_of(pair.distorted);
        sessions.submit(reference, distorted);
    }
    AllScores scores = sessions.finish();
    check_counters(before, counters_of(device), layout, placement, 2 * pairs.size());
    return scores;
}

AllScores score_as_planar_host(const Device &device, const Pairs &pairs,
                               const RunSet &runs = runs_for_small_pictures())
{
    const Picture &picture = pairs[0].reference;
    return score(device, pairs, facts_of(picture.chroma), host_placements()[0], runs);
}

std::vector<Placement> placements_on(const Device &device)
{
    std::vector<Placement> placements = host_placements();
    placements.insert(placements.end(), all_placements().begin(), all_placements().end());
    if (info_of(device).memory_kinds >> VMAFX_MEMORY_DEVICE_ARRAY & 1)
        placements.push_back(
            {"arrays", VMAFX_MEMORY_DEVICE_ARRAY, Sharing::kBufferPerPlane, Spacing::kTight});
    return placements;
}

/** All layouts that can hold these samples, in all placements. */
void compare_layouts(const Device &device, const Pairs &pairs,
                     const RunSet &runs = runs_for_small_pictures())
{
    const Picture &picture = pairs[0].reference;
    const AllScores expected = score_as_planar_host(device, pairs, runs);
    for (const LayoutFacts &layout : all_layouts()) {
        if (layout.chroma != picture.chroma || (layout.bits && layout.bits != picture.bits))
            continue;
        for (const Placement &placement : placements_on(device)) {
            const std::string found =
                difference(expected, score(device, pairs, layout, placement, runs));
            ck_assert_msg(found.empty(), "%s: %s", name_of(layout, picture, placement).c_str(),
                          found.c_str());
        }
    }
}

/** The last sample that has a score: of odd pictures, the last of chroma has none. */
uint16_t &last_scored_sample(Picture &picture, uint32_t p)
{
    const uint32_t width = picture.plane_width(p), height = picture.plane_height(p);
    const bool odd_x = p && width < picture.width && picture.width % 2;
    const bool odd_y = p && height < picture.height && picture.height % 2;
    return picture.plane[p][size_t{height - 1 - odd_y} * width + width - 1 - odd_x];
}

void check_each_plane_matters(const Device &device, const Pairs &pairs, const AllScores &expected,
                              const LayoutFacts &layout, const Placement &placement)
{
    static const char *const kScored[] = {"mse_y", "mse_cb", "mse_cr"};
    for (uint32_t p = 0; p < pairs[1].distorted.planes(); ++p) {
        Pairs other = pairs;
        last_scored_sample(other[1].distorted, p) ^= 1;
        const AllScores scores = score(device, other, layout, placement);
        ck_assert_msg(scores.at(kScored[p])[1] != expected.at(kScored[p])[1],
                      "%s: plane %u is not read to its end",
                      name_of(layout, pairs[1].distorted, placement).c_str(), p);
        ck_assert(!difference(expected, scores).empty());
    }
}

/** The names behind the last colon of a refusal's message: "a, b, c". */
std::set<std::string> listed_names(const std::string &message)
{
    std::set<std::string> names;
    const size_t start = message.rfind(':') + 1;
    for (size_t at = start; at < message.size();) {
        const size_t end = std::min(message.find(',', at), message.size());
        names.insert(message.substr(at + 1, end - at - 1));
        at = end + 1;
    }
    return names;
}

std::set<std::string> known(const Context &context, const char *feature, const char *options)
{
    VmafxError error = VMAFX_ERROR_INIT;
    ck_assert_int_eq(vmafx_context_use_feature(context.get(), feature, options, &error),
                     VMAFX_E_NOTFOUND);
    return listed_names(error.message);
}

bool is_run(const std::string &feature, const std::string &option)
{
    for (const RunSet *set : {&runs_for_small_pictures(), &runs_for_large_pictures()})
        for (const auto runs : {set->full, set->lean})
            for (const FeatureRun &run : runs)
                if (feature == run.feature &&
                    (option.empty() || (":" + std::string(run.options)).find(":" + option + "=") !=
                                           std::string::npos))
                    return true;
    return false;
}

} // namespace

START_TEST(every_feature_and_option_is_run)
{
    const Context context = create_context(open_test_device());
    const std::set<std::string> features = known(context, "?", nullptr);
    ck_assert(features.contains("vif"));
    std::string missing;
    for (const std::string &feature : features) {
        std::set<std::string> options = known(context, feature.c_str(), "?=1");
        options.erase("none");
        options.insert(""); /* the feature itself */
        for (const std::string &option : options)
            if (!is_run(feature, option))
                missing += " " + feature + "=" + option;
    }
    ck_assert_msg(missing.empty(), "not run:%s", missing.c_str());
}
END_TEST

START_TEST(every_layout_of_a_clip)
{
    const auto i = static_cast<size_t>(_i);
    const Size size = kSizes[i % std::size(kSizes)];
    const Pairs pairs = changed(clip_pairs(clips.at(i), 3), [&](const Picture &picture) {
        return middle_of(picture, size.width, size.height);
    });
    const Device device = open_test_device();
    /* Each clip in every chroma format and in every depth; four clips in a row make all pairs. */
    for (size_t c = 0; c < std::size(kChroma); ++c)
        compare_layouts(device, changed(pairs, [&](const Picture &picture) {
                            return converted(picture, kChroma[c],
                                             kDepths[(c + i) % std::size(kDepths)]);
                        }));
}
END_TEST

START_TEST(whole_clips)
{
    compare_layouts(open_test_device(), clip_pairs(clips.at(static_cast<size_t>(_i)), 2));
}
END_TEST

/* Features that small pictures do not have. */
START_TEST(large_pictures)
{
    static constexpr uint32_t chroma[] = {VMAFX_LAYOUT_420, VMAFX_LAYOUT_420, VMAFX_LAYOUT_444,
                                          VMAFX_LAYOUT_422};
    Pairs pairs = picture_pairs(chroma[_i], kDepths[_i], 354, 322);
    pairs.erase(pairs.begin());
    compare_layouts(open_test_device(), pairs, runs_for_large_pictures());
}
END_TEST

START_TEST(random_samples)
{
    const uint32_t bits = kDepths[_i];
    const Device device = open_test_device();
    for (const uint32_t chroma : kChroma) {
        Pairs pairs;
        for (uint32_t i = 0; i < 3; ++i)
            pairs.push_back({random_picture(chroma, bits, 65, 49, i),
                             random_picture(chroma, bits, 65, 49, i + 10)});
        compare_layouts(device, pairs);
    }
}
END_TEST

/* One other bit in one sample of any plane, and the comparison fails. */
START_TEST(one_sample_matters)
{
    const LayoutFacts &layout = all_layouts().at(static_cast<size_t>(_i));
    const Device device = open_test_device();
    for (const uint32_t bits : kDepths) {
        if (layout.bits && layout.bits != bits)
            continue;
        const Pairs pairs = picture_pairs(layout.chroma, bits, 63, 61);
        const AllScores expected = score_as_planar_host(device, pairs);
        for (const Placement &placement : placements_on(device))
            if (placement.spacing == Spacing::kOdd || placement.memory == VMAFX_MEMORY_DEVICE_ARRAY)
                check_each_plane_matters(device, pairs, expected, layout, placement);
    }
}
END_TEST

/* What is compared depends on the pictures: a bright dot changes the scores of each feature. */
START_TEST(every_feature_sees_the_picture)
{
    const Device device = open_test_device();
    Pairs pairs = picture_pairs(VMAFX_LAYOUT_420, 8, 63, 61);
    const AllScores before = score_as_planar_host(device, pairs);
    pairs[1].reference.plane[0][63 * 30 + 31] ^= 0x80;
    AllScores after = score_as_planar_host(device, pairs);
    for (const char *name :
         {"psnr_y", "integer_vif", "integer_vif_egl_1.5", "integer_motion2", "integer_adm2",
          "integer_adm2_egl_1.25", "vmaf_v0.6.1", "vmaf_v0.6.1neg", "lean psnr_y"}) {
        ck_assert_msg(before.contains(name), "there is no score %s", name);
        ck_assert_msg(before.at(name) != after.at(name), "%s is as before", name);
    }
}
END_TEST

START_TEST(luma_alone_serves_luma_features)
{
    const LayoutFacts &layout = facts_of(VMAFX_LAYOUT_P010);
    const auto pairs = picture_pairs(layout.chroma, 10, 96, 64);
    for (const Placement &placement : all_placements()) {
        const Device device = open_test_device();
        std::deque<PlacedPicture> producer;
        const Context full = create_context(device), luma = create_context(device);
        for (const Context *context : {&full, &luma})
            use_builtin_model(*context, VMAFX_MODEL_DEFAULT);
        for (size_t i = 0; i < pairs.size(); ++i) {
            producer.emplace_back(pairs[i].reference, layout, placement);
            const Frame reference = import_frame(device, producer.back().desc());
            const Frame reference_luma = import_frame(device, producer.back().luma_desc());
            producer.emplace_back(pairs[i].distorted, layout, placement);
            const Frame distorted = import_frame(device, producer.back().desc());
            const Frame distorted_luma = import_frame(device, producer.back().luma_desc());
            submit(full, reference, distorted, i);
            submit(luma, reference_luma, distorted_luma, i);
        }
        must(vmafx_context_flush, full.get());
        must(vmafx_context_flush, luma.get());
        const std::string found =
            difference(all_scores(full, pairs.size()), all_scores(luma, pairs.size()));
        ck_assert_msg(found.empty(), "%s: %s", placement.name, found.c_str());
        /* No feature reads chroma, so no chroma is converted. */
        ck_assert_uint_eq(counters_of(device).planes_converted, 4 * pairs.size());
    }
}
END_TEST

int main(int argc, char **argv)
{
    const char *level = getenv("VMAFX_CPU_LEVEL");
    if (level && !cpu_has_level(level))
        return kSkipped;
    if (argc < 2)
        return 2;
    folder = argv[1];
    if (argc > 2)
        clips.assign(argv + 2, argv + argc);
    const int count = static_cast<int>(clips.size());
    TCase *tcase = tcase_create("layouts");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, every_feature_and_option_is_run);
    tcase_add_test(tcase, every_feature_sees_the_picture);
    tcase_add_loop_test(tcase, one_sample_matters, 0, static_cast<int>(all_layouts().size()));
    tcase_add_loop_test(tcase, large_pictures, 0, static_cast<int>(std::size(kDepths)));
    tcase_add_loop_test(tcase, random_samples, 0, static_cast<int>(std::size(kDepths)));
    tcase_add_loop_test(tcase, every_layout_of_a_clip, 0, count);
    tcase_add_loop_test(tcase, whole_clips, 0, count);
    tcase_add_test(tcase, luma_alone_serves_luma_features);
    return run_tests(tcase, "layouts");
}
