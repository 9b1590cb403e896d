/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Acquire fences of kind SYNC_FILE: real sync_files of fences that this test signals.
 */
#include "cases.h"

#include <chrono>

#include "late_producer.h"

using namespace support;

START_TEST(pending_is_busy_and_signalled_is_taken)
{
    const Vgem vgem;
    const Device device = open_cpu_device();
    const Picture picture = test_picture(1);
    const PlacedPicture placed = place(vgem, picture);
    const PendingFence fence(vgem);
    Releases releases;
    const VmafxFrameImport desc = releases.counted(with_sync_file(placed.desc(), fence.fd()));
    assert_busy(device, desc);
    assert_busy(device, desc);
    ck_assert_uint_eq(counters_of(device).frames_imported, 0);
    fence.signal();
    check_shows(device, import_frame(device, desc), picture);
    ck_assert(releases.wait_for(1));
    ck_assert_uint_eq(releases.count(), 1);
}
END_TEST

START_TEST(merged_fences_are_pending_until_the_last_one)
{
    const Vgem vgem;
    const Device device = open_cpu_device();
    const PlacedPicture placed = place(vgem, test_picture(1));
    const PendingFence first(vgem), second(vgem);
    const Descriptor both = merge_sync_files(first.descriptor(), second.descriptor());
    const VmafxFrameImport desc = with_sync_file(placed.desc(), both.get());
    assert_busy(device, desc);
    second.signal();
    assert_busy(device, desc);
    first.signal();
    import_frame(device, desc);
}
END_TEST

/* The fence is the producer's word on all planes: what else is pending on the buffer does not
 * count. */
START_TEST(explicit_fence_stands_for_the_implicit_ones)
{
    const Vgem vgem;
    const Device device = open_cpu_device();
    const PlacedPicture placed = place(vgem, test_picture(1));
    const PendingFence fence(vgem);
    fence.signal();
    const uint32_t implicit = vgem.attach_fence(placed.buffer(0), Access::kWrite);
    assert_busy(device, placed.desc());
    import_frame(device, with_sync_file(placed.desc(), fence.fd()));
    vgem.signal(implicit);
}
END_TEST

START_TEST(fence_that_never_signals_ends_in_a_timeout)
{
    const Vgem vgem;
    const Device device = open_cpu_device();
    const Context context = create_context(device);
    const PlacedPicture placed = place(vgem, test_picture(1));
    const PendingFence fence(vgem);
    Releases releases;
    const VmafxFrameImport desc = releases.counted(with_sync_file(placed.desc(), fence.fd()));
    constexpr uint64_t kBoundNs = 200 * kMillisecondNs;
    const size_t before = open_descriptors();
    const auto started = std::chrono::steady_clock::now();
    for (const char *word : {"still pending after 0.200 s", "memory DMABUF", "NV12", "48x32",
                             "0x0000000000000000", "1 attempt"}) {
        VmafxFrame *frame = nullptr;
        assert_refused(VMAFX_E_TIMEOUT, "desc.acquire", word, vmafx_context_import_frame,
                       context.get(), &desc, kBoundNs, &frame);
        ck_assert_ptr_null(frame);
    }
    const auto waited = std::chrono::steady_clock::now() - started;
    ck_assert(waited >= std::chrono::nanoseconds(6 * kBoundNs));
    ck_assert(waited < std::chrono::nanoseconds(kLongWaitNs));
    ck_assert_uint_eq(open_descriptors(), before);
    fence.signal();
    Frame frame;
    must(vmafx_context_import_frame, context.get(), &desc, kBoundNs, frame.out());
    ck_assert_uint_eq(releases.count(), 0);
    frame.close();
    ck_assert(releases.wait_for(1));
}
END_TEST

START_TEST(fence_signalled_late_by_another_process)
{
    const Vgem vgem;
    const Device device = open_cpu_device();
    const Context context = create_context(device);
    const Picture picture = test_picture(2);
    PlacedPicture placed = place(vgem, test_picture(1));
    const PendingFence fence(vgem);
    const VmafxFrameImport desc = with_sync_file(placed.desc(), fence.fd());
    LateProducer producer([&] {
        placed.refill(picture);
        fence.signal();
    });
    Frame frame;
    must(vmafx_context_import_frame, context.get(), &desc, kLongWaitNs, frame.out());
    ck_assert(producer.acted());
    check_shows(device, frame, picture);
}
END_TEST

/* vgem signals the fences of a process that dies. */
START_TEST(fence_of_a_producer_that_closed_its_card)
{
    const Device device = open_cpu_device();
    const Context context = create_context(device);
    const Vgem vgem;
    const PlacedPicture placed = place(vgem, test_picture(1));
    const Descriptor sync_file = [] {
        const Vgem producer;
        const PendingFence fence(producer);
        return fence.descriptor().duplicate();
    }();
    const VmafxFrameImport desc = with_sync_file(placed.desc(), sync_file.get());
    Frame frame;
    must(vmafx_context_import_frame, context.get(), &desc, kLongWaitNs, frame.out());
}
END_TEST

TCase *explicit_fences_case()
{
    TCase *tcase = tcase_create("sync_file");
    tcase_add_test(tcase, pending_is_busy_and_signalled_is_taken);
    tcase_add_test(tcase, merged_fences_are_pending_until_the_last_one);
    tcase_add_test(tcase, explicit_fence_stands_for_the_implicit_ones);
    tcase_add_test(tcase, fence_that_never_signals_ends_in_a_timeout);
    tcase_add_test(tcase, fence_signalled_late_by_another_process);
    tcase_add_test(tcase, fence_of_a_producer_that_closed_its_card);
    return tcase;
}
