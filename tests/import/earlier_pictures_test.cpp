/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Features that read earlier pictures of both sides: which pictures those are, and how long they
 * are held.
 */
#include <bit>

#include "api/refusal.h"

#include "picture_pairs.h"
#include "pool_producer.h"

using namespace support;

namespace
{

constexpr size_t kPairs = 7;
constexpr uint32_t kInFlight = 2;
constexpr const char *kScore = "speed_temporal";

std::vector<PicturePair> some_pairs(uint32_t width, uint32_t height, uint32_t seed)
{
    std::vector<PicturePair> pairs;
    for (uint32_t i = 0; i < kPairs; ++i) {
        const Picture picture = natural_picture(VMAFX_LAYOUT_420, 8, width, height, seed + i);
        pairs.push_back({picture, distorted(picture, seed + 50 + i)});
    }
    return pairs;
}

Context temporal_context(const Device &device, uint32_t n_subsample = 1, uint32_t flags = 0)
{
    VmafxContextDesc desc = VMAFX_CONTEXT_DESC_INIT;
    desc.frames_in_flight = kInFlight;
    desc.n_subsample = n_subsample;
    desc.flags = flags;
    Context context = create_context(device, &desc);
    must(vmafx_context_use_feature, context.get(), "speed_temporal", nullptr);
    must(vmafx_context_use_feature, context.get(), "speed_temporal", "speed_use_ref_diff=true");
    must(vmafx_context_use_feature, context.get(), "speed_chroma", nullptr);
    return context;
}

Frame upload(const Device &device, const Picture &picture)
{
    return import_frame(device, HostPicture(picture, facts_of(VMAFX_LAYOUT_NV12)).desc());
}

void submit_upload(const Context &context, const Device &device, const PicturePair &pair, size_t i)
{
    submit(context, upload(device, pair.reference), upload(device, pair.distorted), i);
}

AllScores flushed(const Context &context)
{
    must(vmafx_context_flush, context.get());
    return all_scores(context, kPairs);
}

AllScores score(const Device &device, const std::vector<PicturePair> &pairs,
                uint32_t n_subsample = 1)
{
    const Context context = temporal_context(device, n_subsample);
    for (size_t i = 0; i < pairs.size(); ++i)
        submit_upload(context, device, pairs[i], i);
    return flushed(context);
}

/** Scores that could not be right by chance. */
void check_sense(const AllScores &scores)
{
    const auto &values = scores.at(kScore);
    ck_assert(std::bit_cast<double>(values.at(0).value()) == 0);
    for (size_t i = 1; i < kPairs; ++i)
        ck_assert_double_gt(std::bit_cast<double>(values.at(i).value()), 0);
}

} // namespace

/* The predecessor is the pair submitted before, also if nothing else of it is scored. */
START_TEST(skipped_pairs_are_predecessors)
{
    const Device device = open_test_device();
    const auto pairs = some_pairs(272, 192, 1);
    const AllScores all = score(device, pairs), some = score(device, pairs, 3);
    check_sense(all);
    for (const char *name : {kScore, "speed_temporal_urd"})
        ck_assert(all.at(name) == some.at(name));
    ck_assert(!some.at("speed_chroma_uv").at(1).has_value());
}
END_TEST

/* Pictures that are written anew as soon as they are let go, and as few of them as can be: the
 * pairs in flight, the one before them, and the one that is written. */
START_TEST(frames_of_a_small_pool)
{
    const Device device = open_test_device();
    const LayoutFacts &layout = facts_of(VMAFX_LAYOUT_NV12);
    const auto pairs = some_pairs(272, 192, 20);
    PoolProducer producer;
    const Pool pool = create_pool(device, pairs[0].reference, layout, 2 * (kInFlight + 2));
    std::deque<DevicePicture> sources;
    const auto produced = [&](const Picture &picture) {
        PoolFrame target = acquire(pool);
        producer.wait_for(info_of(target).writable);
        producer.write(target, sources.emplace_back(picture, layout));
        producer.finish();
        return submit_ready(target);
    };
    const Context context = temporal_context(device);
    for (size_t i = 0; i < pairs.size(); ++i) {
        const Frame reference = produced(pairs[i].reference);
        const Frame distorted = produced(pairs[i].distorted);
        submit(context, reference, distorted, i);
    }
    assert_text(difference(score(device, pairs), flushed(context)), "");
}
END_TEST

/* Two sessions of one device, of different sizes, take turns; so do two that share their frames. */
START_TEST(contexts_keep_their_own)
{
    const Device device = open_test_device();
    const auto large = some_pairs(400, 304, 40), small = some_pairs(272, 192, 60);
    const Context a = temporal_context(device), b = temporal_context(device),
                  c = temporal_context(device);
    for (size_t i = 0; i < kPairs; ++i) {
        submit_upload(a, device, large[i], i);
        const Frame reference = upload(device, small[i].reference);
        const Frame distorted = upload(device, small[i].distorted);
        submit(b, reference, distorted, i);
        submit(c, distorted, reference, i);
    }
    std::vector<PicturePair> swapped;
    for (const PicturePair &pair : small)
        swapped.push_back({pair.distorted, pair.reference});
    assert_text(difference(score(device, large), flushed(a)), "");
    assert_text(difference(score(device, small), flushed(b)), "");
    assert_text(difference(score(device, swapped), flushed(c)), "");
}
END_TEST

/* Of what is let go early, the last pair is kept for the next one. */
START_TEST(one_pair_is_held)
{
    const Device device = open_test_device();
    const Context context = temporal_context(device, 1, VMAFX_CONTEXT_RELEASE_EARLY);
    const auto pairs = some_pairs(272, 192, 80);
    const PlacedPicture placed(pairs[0].reference, facts_of(VMAFX_LAYOUT_420), all_placements()[0]);
    Releases releases;
    for (size_t i = 0; i < 3; ++i) {
        const Frame r = import_frame(device, releases.counted(placed.desc()));
        const Frame d = import_frame(device, releases.counted(placed.desc()));
        submit(context, r, d, i);
    }
    ck_assert(releases.wait_for(4));
    ck_assert_uint_eq(releases.count(), 4);
    must(vmafx_context_flush, context.get());
    ck_assert(releases.wait_for(6));
}
END_TEST

int main()
{
    TCase *tcase = tcase_create("earlier pictures");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, skipped_pairs_are_predecessors);
    tcase_add_test(tcase, frames_of_a_small_pool);
    tcase_add_test(tcase, contexts_keep_their_own);
    if (takes_memfds())
        tcase_add_test(tcase, one_pair_is_held);
    return run_tests(tcase, "earlier pictures");
}
