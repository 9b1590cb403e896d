/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Times of commands: all of them, per frame and summed, and none at all where nobody asked.
 */
#include "api/refusal.h"

#include <cstdlib>
#include <deque>
#include <functional>
#include <map>
#include <thread>

#include <dlfcn.h>

#include "profile/counting_runtime.h"
#include "support/gate.h"
#include "support/producer_stream.h"
#include "support/scores.h"
#include "support/shared_memory.h"

using namespace support;

namespace
{

constexpr uint64_t kEventGrain = 1000; /* ns: what a runtime may round a time by */

using Key = std::pair<uint32_t, std::string>;
using Entries = std::map<Key, VmafxProfileEntry>;

const char *counting_runtime()
{
    return test_runtime() == VMAFX_RUNTIME_CPU ? std::getenv("VMAFX_TEST_COUNTING_RUNTIME")
                                               : nullptr;
}

Device open_profiled(uint32_t flags = VMAFX_DEVICE_PROFILING)
{
    VmafxDeviceDesc desc = VMAFX_DEVICE_DESC_INIT;
    desc.runtime = test_runtime();
    desc.runtime_path = counting_runtime();
    desc.flags = flags;
    Device device;
    must(vmafx_device_open, &desc, device.out());
    return device;
}

struct Counts {
    CountedEvents events{};
    std::map<std::string, uint64_t> launches;
};

Counts counts()
{
    void *library = dlopen(counting_runtime(), RTLD_NOW | RTLD_LOCAL);
    ck_assert_msg(library != nullptr, "%s", dlerror());
    const auto ask =
        reinterpret_cast<decltype(&vmafx_test_counts)>(dlsym(library, "vmafx_test_counts"));
    ck_assert_ptr_nonnull(reinterpret_cast<void *>(ask));
    Counts all;
    ask(&all.events, &all, [](void *opaque, const char *name, uint64_t launches) {
        static_cast<Counts *>(opaque)->launches[name] = launches;
    });
    return all;
}

Entries read_all(const std::function<void(uint32_t, VmafxProfileEntry *)> &read)
{
    Entries entries;
    uint32_t count = 1;
    for (uint32_t i = 0; i < count; ++i) {
        VmafxProfileEntry entry = VMAFX_PROFILE_ENTRY_INIT;
        read(i, &entry);
        count = entry.entries;
        const bool fresh = entries.emplace(Key{entry.kind, entry.name}, entry).second;
        ck_assert_msg(fresh, "%s is there twice", entry.name);
    }
    return entries;
}

Entries of_frame(const Context &context, uint64_t index)
{
    return read_all([&](uint32_t i, VmafxProfileEntry *entry) {
        must(vmafx_context_profile_at, context.get(), index, i, entry);
    });
}

Entries of_device(const Device &device)
{
    return read_all([&](uint32_t i, VmafxProfileEntry *entry) {
        must(vmafx_device_profile_sum, device.get(), i, entry);
    });
}

void add(Entries &sum, const Entries &frame)
{
    for (const auto &[key, entry] : frame) {
        VmafxProfileEntry &total = sum[key];
        total.count += entry.count;
        total.time_ns += entry.time_ns;
        total.untimed += entry.untimed;
    }
}

void check_equal(const Entries &expected, const Entries &actual)
{
    ck_assert_uint_eq(expected.size(), actual.size());
    for (const auto &[key, entry] : expected) {
        const auto found = actual.find(key);
        ck_assert_msg(found != actual.end(), "%s is missing", key.second.c_str());
        ck_assert_uint_eq(found->second.count, entry.count);
        ck_assert_uint_eq(found->second.time_ns, entry.time_ns);
        ck_assert_uint_eq(found->second.untimed, entry.untimed);
    }
}

/** A few pairs that a device converts: P010 in its own memory. */
class Clip
{
  public:
    Clip()
    {
        const Picture picture = natural_picture(VMAFX_LAYOUT_420, 10, 101, 67, 1);
        reference_.emplace(picture, layout(), all_placements().front());
        distorted_.emplace(distorted(picture, 2), layout(), all_placements().front());
    }
    void submit_pair(const Device &device, const Context &context, uint64_t index) const
    {
        submit(context, import_frame(device, reference_->desc()),
               import_frame(device, distorted_->desc()), index);
    }
    void score(const Device &device, const Context &context, uint64_t frames) const
    {
        for (uint64_t i = 0; i < frames; ++i)
            submit_pair(device, context, i);
        must(vmafx_context_flush, context.get());
    }

  private:
    static const LayoutFacts &layout() { return facts_of(VMAFX_LAYOUT_P010); }
    std::optional<PlacedPicture> reference_, distorted_;
};

/** The least work that there is. */
void score_psnr(const Device &device, const Context &context, uint64_t frames)
{
    must(vmafx_context_use_feature, context.get(), "psnr", nullptr);
    const HostPicture picture(natural_picture(VMAFX_LAYOUT_400, 8, 16, 16, 1),
                              facts_of(VMAFX_LAYOUT_400));
    const Frame frame = import_frame(device, picture.desc());
    for (uint64_t i = 0; i < frames; ++i)
        submit(context, frame, frame, i);
    must(vmafx_context_flush, context.get());
}

} // namespace

START_TEST(every_launch_is_counted)
{
    if (!counting_runtime())
        return;
    const Device device = open_profiled();
    const Clip clip;
    const Context context = create_context(device);
    use_everything(context);
    constexpr uint64_t kFrames = 5;
    clip.score(device, context, kFrames);
    Entries frames;
    for (uint64_t i = 0; i < kFrames; ++i)
        add(frames, of_frame(context, i));
    std::map<std::string, uint64_t> timed, conversions;
    for (const auto &[key, entry] : frames) {
        if (key.first == VMAFX_PROFILE_KERNEL || key.first == VMAFX_PROFILE_CONVERSION ||
            key.first == VMAFX_PROFILE_CLEAR)
            timed[key.second] += entry.count;
        if (key.first == VMAFX_PROFILE_CONVERSION)
            conversions[key.second] += entry.count;
    }
    const auto launches = counts().launches;
    ck_assert_uint_gt(launches.size(), 5);
    for (const auto &[name, count] : launches)
        ck_assert_msg(timed[name] == count, "%s: %ju launches, %ju times", name.c_str(),
                      static_cast<uintmax_t>(count), static_cast<uintmax_t>(timed[name]));
    ck_assert_uint_eq(timed.size(), launches.size());
    /* Luma and chroma of each of the pictures. */
    uint64_t converted = 0;
    for (const auto &[name, count] : conversions)
        converted += count;
    ck_assert_uint_eq(converted, 2 * 2 * kFrames);
    ck_assert_uint_eq(converted, counters_of(device).planes_converted);
    const Key frame = {VMAFX_PROFILE_FRAME, "frame"},
              readback = {VMAFX_PROFILE_READBACK, "readback"};
    ck_assert_uint_eq(frames[frame].count, kFrames);
    ck_assert_uint_eq(frames[readback].count, kFrames);
}
END_TEST

START_TEST(sum_is_the_frames_total)
{
    const Device device = open_profiled();
    const Clip clip;
    Entries total;
    for (int i = 0; i < 2; ++i) {
        const Context context = create_context(device);
        use_everything(context);
        clip.score(device, context, 4);
        for (uint64_t frame = 0; frame < 4; ++frame)
            add(total, of_frame(context, frame));
    }
    check_equal(total, of_device(device));
}
END_TEST

START_TEST(commands_fit_into_their_frame)
{
    const Device device = open_profiled();
    const Clip clip;
    const Context context = create_context(device);
    use_everything(context);
    constexpr uint64_t kFrames = 4;
    clip.score(device, context, kFrames);
    for (uint64_t i = 0; i < kFrames; ++i) {
        const Entries entries = of_frame(context, i);
        uint64_t kernels = 0, commands = 0, span = 0;
        for (const auto &[key, entry] : entries) {
            ck_assert_uint_eq(entry.untimed, 0);
            ck_assert_uint_gt(entry.count, 0);
            if (key.first == VMAFX_PROFILE_FRAME) {
                span = entry.time_ns;
                continue;
            }
            commands += entry.count;
            kernels += entry.time_ns;
            if (key.first == VMAFX_PROFILE_KERNEL)
                ck_assert_msg(entry.time_ns > 0, "%s takes no time", key.second.c_str());
        }
        /* One after the other on one stream. */
        ck_assert_uint_gt(span, 0);
        ck_assert_uint_le(kernels, span + commands * kEventGrain);
    }
}
END_TEST

START_TEST(uploads_are_timed)
{
    const Device device = open_profiled();
    const Context context = create_context(device);
    use_everything(context);
    const Picture picture = natural_picture(VMAFX_LAYOUT_420, 8, 96, 64, 1);
    const LayoutFacts &layout = facts_of(VMAFX_LAYOUT_420);
    submit(context, import_frame(device, HostPicture(picture, layout).desc()),
           import_frame(device, HostPicture(distorted(picture, 2), layout).desc()), 0);
    must(vmafx_context_flush, context.get());
    const Entries entries = of_frame(context, 0);
    const auto upload = entries.find({VMAFX_PROFILE_UPLOAD, "upload"});
    if (test_runtime() == VMAFX_RUNTIME_CPU && !std::getenv("VMAFX_CPU_HOSTILE")) {
        ck_assert(upload == entries.end());
        return;
    }
    ck_assert(upload != entries.end());
    ck_assert_uint_eq(upload->second.count, 6);
    ck_assert_uint_gt(upload->second.time_ns, 0);
}
END_TEST

/* They are enqueued by the import, before there is a frame number. */
START_TEST(copies_of_arrays_are_in_the_sum)
{
    const Device device = open_profiled();
    const ArrayPicture picture(natural_picture(VMAFX_LAYOUT_420, 8, 96, 64, 1),
                               facts_of(VMAFX_LAYOUT_NV12));
    constexpr uint64_t kImports = 700; /* more copies than may wait to be read */
    Releases releases;
    for (uint64_t i = 0; i < kImports; ++i)
        import_frame(device, releases.counted(picture.desc()));
    ck_assert(releases.wait_for(kImports));
    const Key copy = {VMAFX_PROFILE_CONVERSION, "copy_array"};
    const VmafxProfileEntry sum = of_device(device)[copy];
    ck_assert_uint_eq(sum.count, 2 * kImports);
    ck_assert_uint_gt(sum.time_ns, 0);
    ck_assert_uint_lt(sum.untimed, 2 * kImports);

    const Context context = create_context(device);
    use_everything(context);
    submit(context, import_frame(device, picture.desc()), import_frame(device, picture.desc()), 0);
    must(vmafx_context_flush, context.get());
    ck_assert_uint_eq(of_frame(context, 0).count(copy), 0);
    ck_assert_uint_eq(of_device(device)[copy].count, 2 * kImports + 4);
}
END_TEST

START_TEST(profiling_changes_no_score)
{
    const Clip clip;
    AllScores scores[2];
    for (const uint32_t flags : {0u, VMAFX_DEVICE_PROFILING}) {
        const Device device = open_profiled(flags);
        const Context context = create_context(device);
        use_everything(context);
        clip.score(device, context, 4);
        scores[flags ? 1 : 0] = all_scores(context, 4);
    }
    const std::string found = difference(scores[0], scores[1]);
    ck_assert_msg(found.empty(), "%s", found.c_str());
}
END_TEST

START_TEST(without_the_flag_there_are_no_events)
{
    const Device device = open_profiled(0);
    const Clip clip;
    const Context context = create_context(device);
    use_everything(context);
    clip.score(device, context, 4);
    VmafxProfileEntry entry = VMAFX_PROFILE_ENTRY_INIT;
    assert_refused(VMAFX_E_NOTSUP, "desc.flags", "VMAFX_DEVICE_PROFILING", vmafx_context_profile_at,
                   context.get(), uint64_t{0}, 0u, &entry);
    assert_refused(VMAFX_E_NOTSUP, "desc.flags", "VMAFX_DEVICE_PROFILING", vmafx_device_profile_sum,
                   device.get(), 0u, &entry);
    if (!counting_runtime())
        return;
    ck_assert_uint_gt(counts().launches.size(), 5); /* it does count */
    ck_assert_uint_eq(counts().events.created, 0);
    ck_assert_uint_eq(counts().events.recorded, 0);
}
END_TEST

START_TEST(events_are_used_again)
{
    if (!counting_runtime())
        return;
    const Device device = open_profiled();
    VmafxContextDesc desc = VMAFX_CONTEXT_DESC_INIT;
    desc.frames_in_flight = 2;
    const Context context = create_context(device, &desc);
    score_psnr(device, context, 200);
    /* Two for each command of two frames that are on the device, and of one that is enqueued. */
    uint64_t commands = 0;
    for (const auto &[key, entry] : of_frame(context, 199))
        commands += key.first == VMAFX_PROFILE_FRAME ? 0 : entry.count;
    /* The picture is uploaded once, for the first frame, where uploads are copied. */
    const Entries first = of_frame(context, 0);
    const auto upload = first.find({VMAFX_PROFILE_UPLOAD, "upload"});
    const uint64_t uploads = upload == first.end() ? 0 : upload->second.count;
    const CountedEvents events = counts().events;
    ck_assert_uint_eq(events.recorded, 2 * (200 * commands + uploads));
    ck_assert_uint_le(events.created, 2 * 3 * commands);
}
END_TEST

START_TEST(the_latest_frames_are_kept)
{
    const Device device = open_profiled();
    const Context context = create_context(device);
    score_psnr(device, context, VMAFX_PROFILE_FRAMES + 3);
    VmafxProfileEntry entry = VMAFX_PROFILE_ENTRY_INIT;
    assert_refused(VMAFX_E_NOTFOUND, "index", "256", vmafx_context_profile_at, context.get(),
                   uint64_t{2}, 0u, &entry);
    of_frame(context, 3);
    of_frame(context, VMAFX_PROFILE_FRAMES + 2);
    assert_refused(VMAFX_E_NOTFOUND, "index", "not submitted", vmafx_context_profile_at,
                   context.get(), uint64_t{VMAFX_PROFILE_FRAMES + 3}, 0u, &entry);
    ck_assert_uint_eq(of_device(device)[Key(VMAFX_PROFILE_FRAME, "frame")].count,
                      VMAFX_PROFILE_FRAMES + 3);
}
END_TEST

START_TEST(a_frame_on_the_device_is_pending)
{
    const Device device = open_profiled();
    const Clip clip;
    const Context context = create_context(device);
    use_everything(context);
    clip.submit_pair(device, context, 0); /* allocates, which the gate may hold up */
    VmafxProfileEntry entry = VMAFX_PROFILE_ENTRY_INIT;
    {
        Gate gate(device);
        clip.submit_pair(device, context, 1);
        ck_assert_int_eq(vmafx_context_profile_at(context.get(), 1, 0, &entry, nullptr),
                         VMAFX_PENDING);
    }
    must(vmafx_context_flush, context.get());
    must(vmafx_context_profile_at, context.get(), uint64_t{1}, 0u, &entry);
    assert_text(entry.name, "frame");
}
END_TEST

START_TEST(contexts_of_several_threads)
{
    const Device device = open_profiled();
    const Clip clip;
    Context contexts[2];
    std::vector<std::thread> threads;
    for (Context &context : contexts)
        threads.emplace_back([&] {
            context = create_context(device);
            use_everything(context);
            clip.score(device, context, 8);
        });
    for (std::thread &thread : threads)
        thread.join();
    Entries total, first, second;
    for (uint64_t i = 0; i < 8; ++i) {
        add(first, of_frame(contexts[0], i));
        add(second, of_frame(contexts[1], i));
    }
    /* The commands of one are not in the other's frames. */
    ck_assert_uint_eq(first.size(), second.size());
    for (const auto &[key, entry] : first)
        ck_assert_uint_eq(entry.count, second[key].count);
    add(total, first);
    add(total, second);
    check_equal(total, of_device(device));
}
END_TEST

START_TEST(wrong_arguments_are_refused)
{
    const Device device = open_profiled();
    const Context context = create_context(device);
    VmafxProfileEntry entry = VMAFX_PROFILE_ENTRY_INIT;
    assert_refused(VMAFX_E_NOTFOUND, "entry", "0", vmafx_device_profile_sum, device.get(), 0u,
                   &entry);
    score_psnr(device, context, 1);
    assert_refused(VMAFX_E_NOTFOUND, "entry", "99", vmafx_device_profile_sum, device.get(), 99u,
                   &entry);
    assert_refused(VMAFX_E_NOTFOUND, "entry", "99", vmafx_context_profile_at, context.get(),
                   uint64_t{0}, 99u, &entry);
    entry.struct_size -= 8;
    assert_refused(VMAFX_E_ABI, "out", "struct_size", vmafx_context_profile_at, context.get(),
                   uint64_t{0}, 0u, &entry);
    assert_refused(VMAFX_E_ABI, "out", "struct_size", vmafx_device_profile_sum, device.get(), 0u,
                   &entry);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("profile");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, every_launch_is_counted);
    tcase_add_test(tcase, sum_is_the_frames_total);
    tcase_add_test(tcase, commands_fit_into_their_frame);
    tcase_add_test(tcase, uploads_are_timed);
    tcase_add_test(tcase, copies_of_arrays_are_in_the_sum);
    tcase_add_test(tcase, profiling_changes_no_score);
    tcase_add_test(tcase, without_the_flag_there_are_no_events);
    tcase_add_test(tcase, events_are_used_again);
    tcase_add_test(tcase, the_latest_frames_are_kept);
    tcase_add_test(tcase, a_frame_on_the_device_is_pending);
    tcase_add_test(tcase, contexts_of_several_threads);
    tcase_add_test(tcase, wrong_arguments_are_refused);
    return run_tests(tcase, "profile");
}
