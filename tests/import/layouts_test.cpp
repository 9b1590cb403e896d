/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Every layout, depth and placement in memory: imported pictures score as uploaded ones, bit for
 * bit, and nothing goes through the host.
 */
#include <cstdlib>
#include <deque>

#include "check_text.h"

#include "picture_pairs.h"
#include "support/cpu_level.h"

using namespace support;

namespace
{

struct Format {
    const LayoutFacts *layout;
    uint32_t bits;
};

std::vector<Format> all_formats()
{
    std::vector<Format> formats;
    for (const LayoutFacts &layout : all_layouts()) {
        if (layout.bits)
            formats.push_back({&layout, layout.bits});
        else
            for (const uint32_t bits : {8u, 10u, 12u, 16u})
                formats.push_back({&layout, bits});
    }
    return formats;
}

struct Size {
    uint32_t width, height;
};
constexpr Size kSizes[] = {{96, 64}, {101, 67}};

uint32_t planes_of(const LayoutFacts &layout)
{
    return layout.semi_planar ? 2 : layout.chroma == VMAFX_LAYOUT_400 ? 1 : 3;
}

/** Planes that cannot be read where they are: interleaved chroma, and values in the high bits. */
uint32_t converted_planes(const LayoutFacts &layout)
{
    return layout.shift ? 2 : layout.semi_planar ? 1 : 0;
}

void check_counters(const Device &device, const Format &format, const Placement &placement,
                    size_t frames)
{
    const VmafxDeviceCounters counters = counters_of(device);
    const uint32_t planes = planes_of(*format.layout);
    ck_assert_uint_eq(counters.frames_imported, frames);
    ck_assert_uint_eq(counters.frames_uploaded, 0);
    ck_assert_uint_eq(counters.host_plane_copies, 0);
    ck_assert_uint_eq(counters.planes_converted, frames * converted_planes(*format.layout));
    if (placement.memory != VMAFX_MEMORY_DMABUF) {
        ck_assert_uint_eq(counters.import_cache_misses + counters.import_cache_hits, 0);
        return;
    }
    const bool separate = placement.sharing == Sharing::kBufferPerPlane;
    ck_assert_uint_eq(counters.import_cache_misses, frames * (separate ? planes : 1));
    ck_assert_uint_eq(counters.import_cache_hits, frames * (separate ? 0 : planes - 1));
}

void check_info(const Frame &frame, const Format &format, const Size &size, uint32_t memory)
{
    VmafxFrameInfo info = VMAFX_FRAME_INFO_INIT;
    must(vmafx_frame_get_info, frame.get(), &info);
    const uint32_t all = (1u << planes_of(*format.layout)) - 1;
    const uint32_t converted = format.layout->shift ? 3u : format.layout->semi_planar ? 2u : 0u;
    ck_assert_uint_eq(info.memory, memory);
    ck_assert_uint_eq(info.layout, format.layout->layout);
    ck_assert_uint_eq(info.bits, format.bits);
    ck_assert_uint_eq(info.width, size.width);
    ck_assert_uint_eq(info.height, size.height);
    ck_assert_uint_eq(info.planes_converted, converted);
    ck_assert_uint_eq(info.planes_in_place, all & ~converted);
}

void compare_placements(const Format &format, const Size &size)
{
    const auto pairs =
        picture_pairs(format.layout->chroma, format.bits, size.width, size.height, format.bits);
    const AllScores uploaded = score_uploaded(open_test_device(), pairs, *format.layout);
    for (const Placement &placement : all_placements()) {
        const Device device = open_test_device();
        std::deque<PlacedPicture> producer; /* its memory lives as long as the session */
        const AllScores imported = score_pairs(device, pairs, [&](const Picture &picture) {
            producer.emplace_back(picture, *format.layout, placement);
            Frame frame = import_frame(device, producer.back().desc());
            check_info(frame, format, size, placement.memory);
            return frame;
        });
        const std::string found = difference(uploaded, imported);
        ck_assert_msg(found.empty(), "%s, %u bits, %ux%u, %s: %s", format.layout->name, format.bits,
                      size.width, size.height, placement.name, found.c_str());
        check_counters(device, format, placement, 2 * pairs.size());
    }
}

} // namespace

START_TEST(imported_is_uploaded)
{
    const Format format = all_formats().at(static_cast<size_t>(_i));
    for (const Size &size : kSizes)
        compare_placements(format, size);
}
END_TEST

/* A layout is only another order of the same samples. */
START_TEST(semi_planar_is_planar)
{
    const LayoutFacts &layout = all_layouts().at(static_cast<size_t>(_i));
    if (!layout.semi_planar)
        return;
    const Device device = open_test_device();
    const auto pairs = picture_pairs(layout.chroma, layout.bits, 101, 67);
    const AllScores planar = score_uploaded(device, pairs, facts_of(layout.chroma));
    const std::string found = difference(planar, score_uploaded(device, pairs, layout));
    ck_assert_msg(found.empty(), "%s: %s", layout.name, found.c_str());
}
END_TEST

/* Other pictures give other scores: the comparisons above can fail. */
START_TEST(one_sample_matters)
{
    const Device device = open_test_device();
    const LayoutFacts &nv12 = facts_of(VMAFX_LAYOUT_NV12);
    auto pairs = picture_pairs(nv12.chroma, 8, 96, 64);
    const AllScores before = score_uploaded(device, pairs, nv12);
    pairs[1].distorted.plane[2].back() ^= 1;
    ck_assert(!difference(before, score_uploaded(device, pairs, nv12)).empty());
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

int main(void)
{
    const char *level = getenv("VMAFX_CPU_LEVEL");
    if (level && !cpu_has_level(level))
        return kSkipped;
    TCase *tcase = tcase_create("layouts");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, imported_is_uploaded, 0, static_cast<int>(all_formats().size()));
    tcase_add_loop_test(tcase, semi_planar_is_planar, 0, static_cast<int>(all_layouts().size()));
    tcase_add_test(tcase, one_sample_matters);
    tcase_add_test(tcase, luma_alone_serves_luma_features);
    return run_tests(tcase, "layouts");
}
