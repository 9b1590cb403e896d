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

int main(void)
{
    TCase *tcase = tcase_create("buffers");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, refilled_buffer_is_read_anew);
    tcase_add_test(tcase, frame_of_another_handle_of_the_device);
    tcase_add_test(tcase, one_import_for_two_contexts);
    tcase_add_test(tcase, device_closed_before_frames_and_context);
    tcase_add_test(tcase, host_planes_may_be_refilled_at_once);
    tcase_add_test(tcase, no_descriptor_is_left);
    return run_tests(tcase, "buffers");
}
