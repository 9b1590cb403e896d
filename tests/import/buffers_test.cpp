/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Lives of buffers, devices and contexts around an import. Whatever happens to them, the scores are
 * those of the pictures that were imported.
 */
#include <deque>
#include <optional>

#include <unistd.h>

#include "check_text.h"

#include "picture_pairs.h"

using namespace support;

namespace
{

const LayoutFacts &nv12()
{
    return facts_of(VMAFX_LAYOUT_NV12);
}

const Placement &one_fd()
{
    for (const Placement &placement : all_placements())
        if (std::string(placement.name) == "one fd")
            return placement;
    abort();
}

std::vector<PicturePair> some_pairs(uint32_t seed)
{
    return picture_pairs(VMAFX_LAYOUT_420, 8, 96, 64, seed);
}

void check_same(const AllScores &expected, const AllScores &actual)
{
    const std::string found = difference(expected, actual);
    ck_assert_msg(found.empty(), "%s", found.c_str());
}

} // namespace

/* A decoder cycles through a small pool: the second round finds every buffer mapped. */
START_TEST(pool_of_buffers_is_mapped_once)
{
    const Device device = open_test_device();
    constexpr size_t kPool = 4, kRounds = 3;
    std::deque<PlacedPicture> pool;
    for (uint32_t i = 0; i < kPool; ++i)
        pool.emplace_back(natural_picture(VMAFX_LAYOUT_420, 8, 96, 64, i), nv12(), one_fd());
    const Context context = create_context(device);
    use_everything(context);
    for (size_t i = 0; i < kPool * kRounds; ++i) {
        const Frame frame = import_frame(device, pool[i % kPool].desc());
        submit(context, frame, frame, i);
    }
    must(vmafx_context_flush, context.get());
    const VmafxDeviceCounters counters = counters_of(device);
    ck_assert_uint_eq(counters.import_cache_misses, kPool);
    ck_assert_uint_eq(counters.import_cache_hits, 2 * kPool * kRounds - kPool);
}
END_TEST

/* A buffer that was given back and refilled by its producer is read anew. */
START_TEST(refilled_buffer_is_read_anew)
{
    const Device device = open_test_device();
    const auto pairs = some_pairs(1);
    const AllScores uploaded = score_uploaded(device, pairs, nv12());
    PlacedPicture reference(pairs[0].reference, nv12(), one_fd());
    PlacedPicture distorted(pairs[0].distorted, nv12(), one_fd());
    VmafxContextDesc desc = VMAFX_CONTEXT_DESC_INIT;
    AllScores imported;
    for (size_t i = 0; i < pairs.size(); ++i) {
        /* One session per pair: motion needs the reference of the frame before, which is gone. */
        reference.refill(pairs[i].reference);
        distorted.refill(pairs[i].distorted);
        const Context context = create_context(device, &desc);
        must(vmafx_context_use_feature, context.get(), "psnr", "enable_mse=true");
        must(vmafx_context_use_feature, context.get(), "vif", "debug=true");
        {
            const Frame r = import_frame(device, reference.desc());
            const Frame d = import_frame(device, distorted.desc());
            submit(context, r, d, 0);
        }
        must(vmafx_context_flush, context.get());
        for (const auto &[name, values] : all_scores(context, 1))
            ck_assert_msg(values[0] == uploaded.at(name)[i], "%s of picture %zu is stale",
                          name.c_str(), i);
    }
    ck_assert_uint_eq(counters_of(device).import_cache_misses, 2);
}
END_TEST

/* Closing a memfd frees its inode number for the next one. */
START_TEST(new_buffer_never_shows_an_old_picture)
{
    const Device device = open_test_device();
    const Context context = create_context(device);
    must(vmafx_context_use_feature, context.get(), "psnr", "enable_mse=true");
    const Picture black = [] {
        Picture picture = natural_picture(VMAFX_LAYOUT_420, 8, 64, 64, 1);
        for (auto &plane : picture.plane)
            std::fill(plane.begin(), plane.end(), uint16_t{0});
        return picture;
    }();
    const HostPicture reference(black, nv12());
    constexpr uint16_t kFrames = 200;
    for (uint16_t i = 0; i < kFrames; ++i) {
        Picture level = black;
        for (auto &plane : level.plane)
            std::fill(plane.begin(), plane.end(), i);
        const PlacedPicture buffer(level, nv12(), one_fd());
        const Frame r = import_frame(device, reference.desc());
        const Frame d = import_frame(device, buffer.desc());
        submit(context, r, d, i);
    }
    must(vmafx_context_flush, context.get());
    for (uint32_t i = 0; i < kFrames; ++i) {
        for (const char *name : {"mse_y", "mse_cb", "mse_cr"}) {
            double score = -1;
            must(vmafx_score_at, context.get(), name, uint64_t{i}, &score);
            ck_assert_double_eq(score, double(i) * i);
        }
    }
}
END_TEST

/* The same inode with another size is another buffer. */
START_TEST(grown_buffer_is_mapped_anew)
{
    const Device device = open_test_device();
    const auto small = some_pairs(1);
    PlacedPicture buffer(small[0].reference, nv12(), one_fd());
    {
        const Frame frame = import_frame(device, buffer.desc());
    }
    ck_assert_int_eq(ftruncate(buffer.desc().plane[0].fd, 1 << 20), 0);
    VmafxFrameImport desc = buffer.desc();
    desc.plane[1].offset = (1 << 20) - 96 * 32; /* the chroma rows at the very end */
    desc.plane[1].pitch = 96;
    const Frame frame = import_frame(device, desc);
    ck_assert_uint_eq(counters_of(device).import_cache_misses, 2);
}
END_TEST

START_TEST(frame_of_another_handle_of_the_device)
{
    const auto pairs = some_pairs(3);
    const Device importer = open_test_device(), scorer = open_test_device();
    const AllScores uploaded = score_uploaded(scorer, pairs, nv12());
    for (const Placement &placement : all_placements()) {
        std::deque<PlacedPicture> producer;
        const Context context = create_context(scorer);
        use_everything(context);
        for (size_t i = 0; i < pairs.size(); ++i) {
            producer.emplace_back(pairs[i].reference, nv12(), placement);
            const Frame r = import_frame(importer, producer.back().desc());
            producer.emplace_back(pairs[i].distorted, nv12(), placement);
            const Frame d = import_frame(scorer, producer.back().desc());
            submit(context, r, d, i);
        }
        must(vmafx_context_flush, context.get());
        check_same(uploaded, all_scores(context, pairs.size()));
    }
}
END_TEST

START_TEST(one_import_for_two_contexts)
{
    const auto pairs = some_pairs(4);
    const Device device = open_test_device();
    const AllScores uploaded = score_uploaded(device, pairs, nv12());
    const uint64_t converted = counters_of(device).planes_converted;
    for (const Placement &placement : all_placements()) {
        std::deque<PlacedPicture> producer;
        const Context first = create_context(device), second = create_context(device);
        use_everything(first);
        use_everything(second);
        for (size_t i = 0; i < pairs.size(); ++i) {
            producer.emplace_back(pairs[i].reference, nv12(), placement);
            const Frame r = import_frame(device, producer.back().desc());
            producer.emplace_back(pairs[i].distorted, nv12(), placement);
            const Frame d = import_frame(device, producer.back().desc());
            submit(first, r, d, i);
            submit(second, r, d, i);
        }
        must(vmafx_context_flush, second.get());
        must(vmafx_context_flush, first.get());
        check_same(uploaded, all_scores(first, pairs.size()));
        check_same(uploaded, all_scores(second, pairs.size()));
    }
    /* Converted once, read by both. */
    ck_assert_uint_eq(counters_of(device).planes_converted - converted,
                      2 * pairs.size() * all_placements().size());
}
END_TEST

START_TEST(device_closed_before_frames_and_context)
{
    const auto pairs = some_pairs(5);
    Device device = open_test_device();
    const AllScores uploaded = score_uploaded(device, pairs, nv12());
    const Context context = create_context(device);
    use_everything(context);
    std::deque<PlacedPicture> producer;
    std::deque<Frame> frames;
    for (const PicturePair &pair : pairs) {
        producer.emplace_back(pair.reference, nv12(), one_fd());
        frames.push_back(import_frame(device, producer.back().desc()));
        producer.emplace_back(pair.distorted, nv12(), one_fd());
        frames.push_back(import_frame(device, producer.back().desc()));
    }
    device.close();
    for (size_t i = 0; i < pairs.size(); ++i)
        submit(context, frames[2 * i], frames[2 * i + 1], i);
    frames.clear();
    must(vmafx_context_flush, context.get());
    check_same(uploaded, all_scores(context, pairs.size()));
}
END_TEST

START_TEST(host_planes_may_be_refilled_at_once)
{
    const auto pairs = some_pairs(6);
    const Device device = open_test_device();
    const AllScores uploaded = score_uploaded(device, pairs, nv12());
    std::deque<HostPicture> sources;
    const AllScores refilled = score_pairs(device, pairs, [&](const Picture &picture) {
        sources.emplace_back(picture, nv12());
        Frame frame = import_frame(device, sources.back().desc());
        sources.back().scribble();
        return frame;
    });
    check_same(uploaded, refilled);
}
END_TEST

/* Everything an import opened is closed with the device. */
START_TEST(no_descriptor_is_left)
{
    const auto pairs = some_pairs(7);
    const auto session = [&] {
        const Device device = open_test_device();
        std::deque<PlacedPicture> producer;
        score_pairs(device, pairs, [&](const Picture &picture) {
            producer.emplace_back(picture, nv12(), one_fd());
            return import_frame(device, producer.back().desc());
        });
    };
    session(); /* what the process opens once, such as the runtime's library */
    const size_t before = open_descriptors();
    session();
    ck_assert_uint_eq(open_descriptors(), before);
}
END_TEST

/* More buffers than the cache keeps: it stays bounded. */
START_TEST(cache_is_bounded)
{
    const Device device = open_test_device();
    const size_t before = open_descriptors();
    constexpr uint32_t kBuffers = 400;
    for (uint32_t i = 0; i < kBuffers; ++i) {
        const PlacedPicture buffer(natural_picture(VMAFX_LAYOUT_420, 8, 32, 32, i), nv12(),
                                   one_fd());
        const Frame frame = import_frame(device, buffer.desc());
    }
    const VmafxDeviceCounters counters = counters_of(device);
    ck_assert_uint_eq(counters.import_cache_misses, kBuffers);
    ck_assert_uint_gt(counters.import_cache_evictions, 0);
    ck_assert_uint_lt(open_descriptors() - before, kBuffers / 2);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("buffers");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, pool_of_buffers_is_mapped_once);
    tcase_add_test(tcase, refilled_buffer_is_read_anew);
    tcase_add_test(tcase, new_buffer_never_shows_an_old_picture);
    tcase_add_test(tcase, grown_buffer_is_mapped_anew);
    tcase_add_test(tcase, frame_of_another_handle_of_the_device);
    tcase_add_test(tcase, one_import_for_two_contexts);
    tcase_add_test(tcase, device_closed_before_frames_and_context);
    tcase_add_test(tcase, host_planes_may_be_refilled_at_once);
    tcase_add_test(tcase, no_descriptor_is_left);
    tcase_add_test(tcase, cache_is_bounded);
    return run_tests(tcase, "buffers");
}
