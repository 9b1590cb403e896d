/* SPDX-License-Identifier: BSD-2-Clause
 *
 * When the producer gets its memory back: callback and HOST fence of an import.
 */
#include "check_text.h"

#include <algorithm>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

#include "api/refusal.h"
#include "picture_pairs.h"
#include "support/gate.h"

using namespace support;

namespace
{

constexpr uint64_t kBoundNs = UINT64_C(20'000'000'000);

const LayoutFacts &nv12()
{
    return facts_of(VMAFX_LAYOUT_NV12);
}

const Placement &placement_at(int i)
{
    return all_placements().at(static_cast<size_t>(i));
}

Picture test_picture(uint32_t seed)
{
    return natural_picture(VMAFX_LAYOUT_420, 8, 96, 64, seed);
}

Fence create_fence()
{
    Fence fence;
    must(vmafx_fence_create, fence.out());
    return fence;
}

VmafxFrameImport with_fence(VmafxFrameImport desc, const Fence &fence)
{
    desc.release_fence.kind = VMAFX_FENCE_HOST;
    desc.release_fence.handle = fence.get();
    return desc;
}

} // namespace

START_TEST(callback_runs_once_per_import)
{
    const Device device = open_test_device();
    Releases releases;
    PlacedPicture reference(test_picture(1), nv12(), placement_at(_i));
    PlacedPicture distorted(test_picture(2), nv12(), placement_at(_i));
    constexpr uint64_t kFrames = 6;
    {
        const Context context = create_context(device);
        use_everything(context);
        for (uint64_t i = 0; i < kFrames; ++i) {
            const Frame r = import_frame(device, releases.counted(reference.desc()));
            const Frame d = import_frame(device, releases.counted(distorted.desc()));
            submit(context, r, d, i);
        }
        must(vmafx_context_flush, context.get());
        ck_assert(releases.wait_for(2 * kFrames));
    }
    ck_assert_uint_eq(releases.count(), 2 * kFrames);
}
END_TEST

START_TEST(callback_runs_for_a_frame_that_is_never_submitted)
{
    const Device device = open_test_device();
    Releases releases;
    PlacedPicture picture(test_picture(1), nv12(), placement_at(_i));
    Frame frame = import_frame(device, releases.counted(picture.desc()));
    ck_assert_uint_eq(releases.count(), 0);
    frame.close();
    ck_assert(releases.wait_for(1));
    ck_assert_uint_eq(releases.count(), 1);
}
END_TEST

START_TEST(fence_is_signalled_after_the_last_reader)
{
    const Device device = open_test_device();
    const Fence reference_fence = create_fence(), distorted_fence = create_fence();
    PlacedPicture reference(test_picture(1), nv12(), placement_at(_i));
    PlacedPicture distorted(test_picture(2), nv12(), placement_at(_i));
    const Context first = create_context(device), second = create_context(device);
    use_everything(first);
    use_everything(second);
    Frame r = import_frame(device, with_fence(reference.desc(), reference_fence));
    Frame d = import_frame(device, with_fence(distorted.desc(), distorted_fence));
    submit(first, r, d, 0);
    must(vmafx_context_flush, first.get());
    /* The caller still holds both. */
    ck_assert_int_eq(vmafx_fence_query(reference_fence.get(), nullptr), VMAFX_PENDING);
    ck_assert_int_eq(vmafx_fence_query(distorted_fence.get(), nullptr), VMAFX_PENDING);
    submit(second, r, d, 0);
    r.close();
    d.close();
    must(vmafx_context_flush, second.get());
    must(vmafx_fence_wait, distorted_fence.get(), kBoundNs);
    must(vmafx_fence_wait, reference_fence.get(), kBoundNs);
    ck_assert_int_eq(vmafx_fence_query(reference_fence.get(), nullptr), VMAFX_OK);
}
END_TEST

START_TEST(fence_and_callback_together)
{
    const Device device = open_test_device();
    const Fence fence = create_fence();
    Releases releases;
    PlacedPicture picture(test_picture(1), nv12(), placement_at(_i));
    Frame frame = import_frame(device, releases.counted(with_fence(picture.desc(), fence)));
    frame.close();
    ck_assert(releases.wait_for(1));
    must(vmafx_fence_wait, fence.get(), kBoundNs);
    ck_assert_uint_eq(releases.count(), 1);
}
END_TEST

/* The library keeps what it has to signal. */
START_TEST(fence_may_be_closed_early)
{
    const Device device = open_test_device();
    Releases releases;
    Fence fence = create_fence();
    PlacedPicture picture(test_picture(1), nv12(), placement_at(_i));
    Frame frame = import_frame(device, releases.counted(with_fence(picture.desc(), fence)));
    fence.close();
    frame.close();
    ck_assert(releases.wait_for(1));
}
END_TEST

START_TEST(failed_import_releases_nothing)
{
    const Fence fence = create_fence();
    Releases releases;
    {
        const Device device = open_test_device();
        PlacedPicture picture(test_picture(1), nv12(), placement_at(_i));
        VmafxFrameImport desc = releases.counted(with_fence(picture.desc(), fence));
        desc.plane[1].pitch = 3;
        VmafxError error = VMAFX_ERROR_INIT;
        VmafxFrame *frame = nullptr;
        ck_assert_int_eq(vmafx_frame_import(device.get(), &desc, &frame, &error), VMAFX_E_RANGE);
        assert_text(error.subject, "desc.plane[1].pitch");
        ck_assert_ptr_null(frame);
    }
    ck_assert_uint_eq(releases.count(), 0);
    ck_assert_int_eq(vmafx_fence_query(fence.get(), nullptr), VMAFX_PENDING);
}
END_TEST

/* A context that is closed with frames in flight gives everything back too. */
START_TEST(early_close_releases_everything)
{
    Releases releases;
    PlacedPicture reference(test_picture(1), nv12(), placement_at(_i));
    PlacedPicture distorted(test_picture(2), nv12(), placement_at(_i));
    {
        Device device = open_test_device();
        const Context context = create_context(device);
        use_everything(context);
        for (uint64_t i = 0; i < 3; ++i) {
            const Frame r = import_frame(device, releases.counted(reference.desc()));
            const Frame d = import_frame(device, releases.counted(distorted.desc()));
            submit(context, r, d, i);
        }
        device.close();
    }
    ck_assert(releases.wait_for(6));
    ck_assert_uint_eq(releases.count(), 6);
}
END_TEST

START_TEST(acquire_fence_holds_an_import_back)
{
    const Device device = open_test_device();
    Releases releases;
    const Fence acquire = create_fence();
    PlacedPicture picture(test_picture(1), nv12(), placement_at(_i));
    VmafxFrameImport desc = releases.counted(picture.desc());
    desc.acquire.kind = VMAFX_FENCE_HOST;
    desc.acquire.handle = acquire.get();
    VmafxError error = VMAFX_ERROR_INIT;
    Frame frame;
    ck_assert_int_eq(vmafx_frame_import(device.get(), &desc, frame.out(), &error), VMAFX_E_BUSY);
    assert_text(error.subject, "desc.acquire");

    const Context context = create_context(device);
    ck_assert_int_eq(vmafx_context_import_frame(context.get(), &desc, 1, frame.out(), &error),
                     VMAFX_E_TIMEOUT);
    ck_assert_ptr_nonnull(strstr(error.message, "attempt"));
    ck_assert_uint_eq(releases.count(), 0);

    must(vmafx_fence_signal, acquire.get());
    must(vmafx_context_import_frame, context.get(), &desc, uint64_t{0}, frame.out());
    frame.close();
    ck_assert(releases.wait_for(1));
}
END_TEST

/* Of a producer with few surfaces, whose next picture waits until the last ones are read. */
START_TEST(waiting_import_lets_go_of_finished_pairs)
{
    const Device device = open_test_device();
    const Fence read = create_fence();
    PlacedPicture picture(test_picture(1), nv12(), placement_at(_i));
    const Context context = create_context(device);
    must(vmafx_context_use_feature, context.get(), "psnr", nullptr);
    Frame frame = import_frame(device, with_fence(picture.desc(), read));
    submit(context, frame, frame, 0);
    frame.close();

    VmafxFrameImport desc = picture.desc();
    desc.acquire.kind = VMAFX_FENCE_HOST;
    desc.acquire.handle = read.get();
    must(vmafx_context_import_frame, context.get(), &desc, kBoundNs, frame.out());
}
END_TEST

/** Asks until the score is there: the context looks at what is finished. */
static void await_score(const Context &context, uint64_t index)
{
    double score = 0;
    int32_t status = VMAFX_PENDING;
    while (status == VMAFX_PENDING) {
        std::this_thread::yield();
        status = vmafx_score_at(context.get(), "psnr_y", index, &score, nullptr);
    }
    ck_assert_int_eq(status, VMAFX_OK);
}

/* Later work, which the gate holds back, does not keep what is read. */
START_TEST(pictures_that_are_scored_come_back_at_once)
{
    const Device device = open_test_device();
    Releases releases;
    const Fence read = create_fence();
    PlacedPicture reference(test_picture(1), nv12(), placement_at(_i));
    PlacedPicture distorted(test_picture(2), nv12(), placement_at(_i));
    const Context context = create_context(device), other = create_context(device);
    for (const Context *each : {&context, &other})
        must(vmafx_context_use_feature, each->get(), "psnr", nullptr);
    Frame r = import_frame(device, releases.counted(with_fence(reference.desc(), read)));
    Frame d = import_frame(device, releases.counted(distorted.desc()));
    Frame both = import_frame(device, releases.counted(reference.desc()));
    submit(context, r, d, 0);
    submit(context, both, both, 1);
    Gate gate(device);
    submit(other, both, both, 0);
    r.close();
    d.close();
    both.close();
    await_score(context, 0);
    ck_assert_uint_eq(releases.count(), 2);
    ck_assert_int_eq(vmafx_fence_query(read.get(), nullptr), VMAFX_OK);
    await_score(context, 1);
    ck_assert_uint_eq(releases.count(), 2); /* the other context has not read it */
    gate.open();
    must(vmafx_context_flush, other.get());
    ck_assert_uint_eq(releases.count(), 3);
}
END_TEST

/* A memfd that cannot be read is told from a buffer of another driver. */
START_TEST(memfd_that_cannot_be_read)
{
    const Device device = open_test_device();
    if (!takes_memfds())
        return;
    const auto shared = std::find_if(
        all_placements().begin(), all_placements().end(),
        [](const Placement &placement) { return placement.memory == VMAFX_MEMORY_DMABUF; });
    PlacedPicture picture(test_picture(1), nv12(), *shared);
    VmafxFrameImport desc = picture.desc();
    const std::string path = "/proc/self/fd/" + std::to_string(desc.plane[0].fd);
    const int write_only = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    ck_assert_int_ge(write_only, 0);
    for (uint32_t i = 0; i < desc.plane_count; ++i)
        desc.plane[i].fd = write_only;
    Frame frame;
    const std::string named = "memfd of descriptor " + std::to_string(write_only) + " ";
    for (const std::string &word : {std::string("open for reading"), named})
        assert_refused(VMAFX_E_DEVICE, "desc.plane[0].fd", word.c_str(), vmafx_frame_import,
                       device.get(), &desc, frame.out());
    close(write_only);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("release");
    tcase_set_timeout(tcase, 120);
    const int placements = static_cast<int>(all_placements().size());
    tcase_add_loop_test(tcase, callback_runs_once_per_import, 0, placements);
    tcase_add_loop_test(tcase, callback_runs_for_a_frame_that_is_never_submitted, 0, placements);
    tcase_add_loop_test(tcase, fence_is_signalled_after_the_last_reader, 0, placements);
    tcase_add_loop_test(tcase, fence_and_callback_together, 0, placements);
    tcase_add_loop_test(tcase, fence_may_be_closed_early, 0, placements);
    tcase_add_loop_test(tcase, failed_import_releases_nothing, 0, placements);
    tcase_add_loop_test(tcase, early_close_releases_everything, 0, placements);
    tcase_add_loop_test(tcase, acquire_fence_holds_an_import_back, 0, placements);
    tcase_add_loop_test(tcase, waiting_import_lets_go_of_finished_pairs, 0, placements);
    tcase_add_loop_test(tcase, pictures_that_are_scored_come_back_at_once, 0, placements);
    tcase_add_test(tcase, memfd_that_cannot_be_read);
    return run_tests(tcase, "release");
}
