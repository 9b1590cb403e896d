/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The cache of imported buffers knows them by what they are, not by their descriptors' numbers, and
 * forgets those that nobody uses: whatever it does, a frame shows the picture that is in its
 * buffer.
 */
#include <deque>
#include <thread>

#include <unistd.h>

#include "check_text.h"

#include "support/scores.h"
#include "support/shared_memory.h"

using namespace support;

namespace
{

constexpr uint32_t kWidth = 64, kHeight = 48;
constexpr size_t kKept = 64; /* buffers that the cache keeps for later */

/** A picture whose samples are all the same. */
Picture level_picture(uint16_t level)
{
    Picture picture{VMAFX_LAYOUT_420, 8, kWidth, kHeight, {}};
    for (uint32_t p = 0; p < picture.planes(); ++p)
        picture.plane[p].assign(size_t{picture.plane_width(p)} * picture.plane_height(p), level);
    return picture;
}

/** A buffer with such a picture. */
PlacedPicture level_buffer(uint16_t level)
{
    return {level_picture(level),
            facts_of(VMAFX_LAYOUT_NV12),
            {"one fd", VMAFX_MEMORY_DMABUF, Sharing::kOneDescriptor, Spacing::kAligned}};
}

/** Scores frames against black: the squared error of each plane is the square of the level. */
class Levels
{
  public:
    explicit Levels(const Device &device)
        : context_(create_context(device)),
          black_(import_frame(device,
                              HostPicture(level_picture(0), facts_of(VMAFX_LAYOUT_420)).desc()))
    {
        must(vmafx_context_use_feature, context_.get(), "psnr", "enable_mse=true");
    }
    void submit(const Frame &frame, uint16_t level)
    {
        support::submit(context_, black_, frame, expected_.size());
        expected_.push_back(level);
    }
    void check()
    {
        must(vmafx_context_flush, context_.get());
        for (size_t i = 0; i < expected_.size(); ++i)
            for (const char *name : {"mse_y", "mse_cb", "mse_cr"}) {
                double score = -1;
                must(vmafx_score_at, context_.get(), name, uint64_t{i}, &score);
                ck_assert_msg(score == double(expected_[i]) * expected_[i],
                              "%s of picture %zu is %g, its level is %u", name, i, score,
                              unsigned{expected_[i]});
            }
    }

  private:
    Context context_;
    Frame black_;
    std::vector<uint16_t> expected_;
};

/** Imports of as many buffers, each closed at once. */
void import_others(const Device &device, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        import_frame(device, level_buffer(1).desc());
}

/** Another device, where there is one; else the same one by another handle. */
Device open_second_device()
{
    VmafxDeviceDesc desc = VMAFX_DEVICE_DESC_INIT;
    desc.runtime = test_runtime();
    desc.index = 1;
    Device device;
    if (vmafx_device_open(&desc, device.out(), nullptr) == VMAFX_OK)
        return device;
    return open_test_device();
}

} // namespace

/* The number is that of the buffer before, which is closed. */
START_TEST(new_buffer_under_an_old_number)
{
    const Device device = open_test_device();
    Levels levels(device);
    const int number = level_buffer(0).desc().plane[0].fd;
    for (uint16_t level = 1; level < 200; ++level) {
        /* The cache holds a descriptor of its own, which must not take the number. */
        const PlacedPicture buffer = level_buffer(level);
        Descriptor moved(dup2(buffer.desc().plane[0].fd, number + 500));
        VmafxFrameImport desc = buffer.desc();
        desc.plane[0].fd = desc.plane[1].fd = moved.get();
        levels.submit(import_frame(device, desc), level);
    }
    levels.check();
    ck_assert_uint_eq(counters_of(device).import_cache_misses, 199);
}
END_TEST

START_TEST(refilled_buffer_is_a_hit_and_read_anew)
{
    const Device device = open_test_device();
    PlacedPicture buffer = level_buffer(0);
    for (uint16_t level = 1; level < 20; ++level) {
        buffer.refill(level_picture(level));
        Levels levels(device);
        levels.submit(import_frame(device, buffer.desc()), level);
        levels.check();
    }
    ck_assert_uint_eq(counters_of(device).import_cache_misses, 1);
}
END_TEST

/* The same inode with another size is another buffer. */
START_TEST(grown_buffer_is_mapped_anew)
{
    const Device device = open_test_device();
    Levels levels(device);
    const PlacedPicture buffer = level_buffer(7);
    levels.submit(import_frame(device, buffer.desc()), 7);
    constexpr size_t kLarge = 1 << 20;
    const int fd = buffer.desc().plane[0].fd;
    const size_t rows = size_t{kWidth} * (kHeight + kHeight / 2);
    const std::vector<uint8_t> samples(rows, 9);
    ck_assert_int_eq(ftruncate(fd, kLarge), 0);
    ck_assert_int_eq(pwrite(fd, samples.data(), rows, kLarge - rows), static_cast<ssize_t>(rows));
    VmafxFrameImport desc = buffer.desc();
    desc.plane[0].offset = kLarge - rows;
    desc.plane[1].offset = desc.plane[0].offset + size_t{kWidth} * kHeight;
    desc.plane[0].pitch = desc.plane[1].pitch = kWidth;
    levels.submit(import_frame(device, desc), 9);
    levels.check();
    ck_assert_uint_eq(counters_of(device).import_cache_misses, 2);
}
END_TEST

/* Each is dropped before it comes again. */
START_TEST(more_buffers_than_the_cache_keeps)
{
    const Device device = open_test_device();
    Levels levels(device);
    std::deque<PlacedPicture> buffers;
    for (uint16_t i = 0; i < 100; ++i)
        buffers.push_back(level_buffer(i));
    const size_t before = open_descriptors();
    for (int round = 0; round < 3; ++round)
        for (uint16_t i = 0; i < buffers.size(); ++i)
            levels.submit(import_frame(device, buffers[i].desc()), i);
    levels.check();
    const VmafxDeviceCounters counters = counters_of(device);
    ck_assert_uint_eq(counters.import_cache_misses, 3 * buffers.size());
    ck_assert_uint_gt(counters.import_cache_evictions, buffers.size());
    ck_assert_uint_le(open_descriptors() - before, 3 * kKept);
}
END_TEST

START_TEST(cache_is_bounded)
{
    const Device device = open_test_device();
    const size_t before = open_descriptors();
    constexpr size_t kBuffers = 1000;
    import_others(device, kBuffers);
    const VmafxDeviceCounters counters = counters_of(device);
    ck_assert_uint_eq(counters.import_cache_misses, kBuffers);
    ck_assert_uint_ge(counters.import_cache_evictions, kBuffers - 2 * kKept);
    ck_assert_uint_le(open_descriptors() - before, 3 * kKept);
}
END_TEST

/* Frames whose buffers the producer has closed, and many more of them than the cache keeps. */
START_TEST(frames_live_longer_than_their_buffers)
{
    const Device device = open_test_device();
    const size_t before = open_descriptors();
    Levels levels(device);
    std::deque<Frame> frames;
    for (uint16_t level = 0; level < 150; ++level)
        frames.push_back(import_frame(device, level_buffer(level).desc()));
    import_others(device, 3 * kKept);
    for (uint16_t level = 0; level < frames.size(); ++level)
        levels.submit(frames[level], level);
    levels.check();
    ck_assert_uint_eq(counters_of(device).import_cache_hits, 150 + 3 * kKept); /* chroma */
    frames.clear();
    import_others(device, 3 * kKept);
    ck_assert_uint_le(open_descriptors() - before, 3 * kKept);
}
END_TEST

/* It stays in the cache beyond the bound, so that it is not mapped twice. */
START_TEST(buffer_in_use_is_not_dropped)
{
    const Device device = open_test_device();
    const PlacedPicture buffer = level_buffer(200);
    Frame frame = import_frame(device, buffer.desc());
    import_others(device, 3 * kKept);
    const uint64_t misses = counters_of(device).import_cache_misses;
    const Frame again = import_frame(device, buffer.desc());
    ck_assert_uint_eq(counters_of(device).import_cache_misses, misses);
    Levels levels(device);
    levels.submit(frame, 200);
    frame.close();
    levels.submit(again, 200);
    levels.check();
}
END_TEST

/* What was mapped goes once nobody reads it, and what comes again is mapped anew. */
START_TEST(emptied_cache)
{
    const Device device = open_test_device();
    Levels levels(device);
    PlacedPicture buffer = level_buffer(30);
    const Frame held = import_frame(device, buffer.desc());
    for (const uint64_t misses : {2, 3}) {
        must(vmafx_device_empty_import_cache, device.get());
        const Frame again = import_frame(device, buffer.desc());
        levels.submit(again, 30);
        ck_assert_uint_eq(counters_of(device).import_cache_misses, misses);
        ck_assert_uint_eq(counters_of(device).import_cache_buffers, 1);
    }
    levels.submit(held, 30);
    levels.check();
    ck_assert_uint_eq(counters_of(device).import_cache_evictions, 0);
}
END_TEST

START_TEST(two_devices_map_for_themselves)
{
    Device first = open_test_device();
    const Device second = open_second_device();
    std::deque<PlacedPicture> buffers;
    for (uint16_t i = 0; i < 10; ++i)
        buffers.push_back(level_buffer(i));
    Levels on_second(second);
    {
        Levels on_first(first);
        for (uint16_t i = 0; i < buffers.size(); ++i) {
            on_first.submit(import_frame(first, buffers[i].desc()), i);
            on_second.submit(import_frame(second, buffers[i].desc()), i);
        }
        on_first.check();
        import_others(first, 3 * kKept); /* drops them there */
    }
    ck_assert_uint_ge(counters_of(first).import_cache_misses, buffers.size() + 3 * kKept);
    first.close();
    for (uint16_t i = 0; i < buffers.size(); ++i)
        on_second.submit(import_frame(second, buffers[i].desc()), i);
    on_second.check();
    ck_assert_uint_eq(counters_of(second).import_cache_misses, buffers.size());
    ck_assert_uint_eq(counters_of(second).import_cache_evictions, 0);
}
END_TEST

START_TEST(threads_share_mappings)
{
    const Device device = open_test_device();
    constexpr size_t kThreads = 4, kImports = 400;
    std::deque<PlacedPicture> buffers;
    for (uint16_t i = 0; i < 8; ++i)
        buffers.push_back(level_buffer(i));
    std::deque<std::deque<Frame>> frames(kThreads);
    std::vector<std::thread> threads;
    for (size_t t = 0; t < kThreads; ++t)
        threads.emplace_back([&, t] {
            for (size_t i = 0; i < kImports; ++i) {
                const Descriptor fd(dup(buffers[(i + t) % 8].desc().plane[0].fd));
                VmafxFrameImport desc = buffers[(i + t) % 8].desc();
                desc.plane[0].fd = desc.plane[1].fd = fd.get();
                Frame frame = import_frame(device, desc);
                if (i % 40 == 0)
                    frames[t].push_back(std::move(frame));
            }
        });
    for (std::thread &thread : threads)
        thread.join();
    Levels levels(device);
    for (size_t t = 0; t < kThreads; ++t)
        for (size_t i = 0; i < frames[t].size(); ++i)
            levels.submit(frames[t][i], static_cast<uint16_t>((40 * i + t) % 8));
    levels.check();
    ck_assert_uint_eq(counters_of(device).import_cache_misses, 8);
    ck_assert_uint_eq(counters_of(device).import_cache_hits, 2 * kThreads * kImports - 8);
}
END_TEST

int main(void)
{
    if (!takes_memfds())
        return 77;
    TCase *tcase = tcase_create("cache");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, new_buffer_under_an_old_number);
    tcase_add_test(tcase, refilled_buffer_is_a_hit_and_read_anew);
    tcase_add_test(tcase, grown_buffer_is_mapped_anew);
    tcase_add_test(tcase, more_buffers_than_the_cache_keeps);
    tcase_add_test(tcase, cache_is_bounded);
    tcase_add_test(tcase, frames_live_longer_than_their_buffers);
    tcase_add_test(tcase, buffer_in_use_is_not_dropped);
    tcase_add_test(tcase, emptied_cache);
    tcase_add_test(tcase, two_devices_map_for_themselves);
    tcase_add_test(tcase, threads_share_mappings);
    return run_tests(tcase, "cache");
}
