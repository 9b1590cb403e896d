/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Producers whose work fails: the fence is signalled, but the picture is not there.
 */
#include "cases.h"

#include <cerrno>

#include "late_producer.h"
#include "test_fence.h"

using namespace support;

namespace
{

int32_t native_code_of(const Device &device, const VmafxFrameImport &desc)
{
    VmafxError error = VMAFX_ERROR_INIT;
    VmafxFrame *frame = nullptr;
    vmafx_frame_import(device.get(), &desc, &frame, &error);
    ck_assert_ptr_null(frame);
    return error.native_code;
}

} // namespace

START_TEST(failed_fence_is_an_error_of_the_device)
{
    const Vgem vgem;
    const Device device = open_cpu_device();
    const Picture picture = test_picture(1);
    const PlacedPicture placed = place(vgem, picture);
    const TestFence fence;
    Releases releases;
    const VmafxFrameImport desc =
        releases.counted(with_sync_file(placed.desc(), fence.sync_file().get()));
    assert_busy(device, desc);
    fence.signal(EIO);
    VmafxFrame *frame = nullptr;
    for (const char *word : {"signalled with error -5", "Input/output error"})
        assert_refused(VMAFX_E_DEVICE, "desc.acquire.fd", word, vmafx_frame_import, device.get(),
                       &desc, &frame);
    ck_assert_int_eq(native_code_of(device, desc), EIO);
    ck_assert_uint_eq(releases.count(), 0);
    /* Neither the device nor the buffer is the worse for it. */
    check_shows(device, import_frame(device, placed.desc()), picture);
}
END_TEST

/* Whichever it is, and whether or not somebody has waited before. */
START_TEST(one_failed_fence_of_two)
{
    const Vgem vgem;
    const Device device = open_cpu_device();
    const PlacedPicture placed = place(vgem, test_picture(1));
    const TestFence first, second;
    const Descriptor both = merge_sync_files(first.sync_file(), second.sync_file());
    const VmafxFrameImport desc = with_sync_file(placed.desc(), both.get());
    VmafxFrame *frame = nullptr;
    announce(std::string(_i & 2 ? "the first" : "the second") + (_i & 1 ? ", waited for" : ""));
    if (_i & 1)
        assert_refused(VMAFX_E_TIMEOUT, "desc.acquire", "still pending", vmafx_context_import_frame,
                       create_context(device).get(), &desc, kMillisecondNs, &frame);
    const TestFence &bad = _i & 2 ? first : second, &good = _i & 2 ? second : first;
    bad.signal(ENODEV);
    assert_busy(device, desc);
    good.signal(0);
    assert_refused(VMAFX_E_DEVICE, "desc.acquire.fd", "No such device", vmafx_frame_import,
                   device.get(), &desc, &frame);
}
END_TEST

START_TEST(fence_that_fails_during_the_wait)
{
    const Vgem vgem;
    const Device device = open_cpu_device();
    const Context context = create_context(device);
    const PlacedPicture placed = place(vgem, test_picture(1));
    const TestFence fence;
    const VmafxFrameImport desc = with_sync_file(placed.desc(), fence.sync_file().get());
    LateProducer producer([&] { fence.signal(ETIME); });
    VmafxFrame *frame = nullptr;
    assert_refused(VMAFX_E_DEVICE, "desc.acquire.fd", "Timer expired", vmafx_context_import_frame,
                   context.get(), &desc, kLongWaitNs, &frame);
    ck_assert(producer.acted());
}
END_TEST

START_TEST(write_that_fails_during_the_wait)
{
    const Vgem vgem;
    const Device device = open_cpu_device();
    const Context context = create_context(device);
    const PlacedPicture placed = place(vgem, test_picture(1), "fd per plane");
    const TestFence fence;
    import_sync_file(placed.buffer(1), fence.sync_file(), Access::kWrite);
    assert_busy(device, placed.desc());
    LateProducer producer([&] { fence.signal(EIO); });
    const VmafxFrameImport desc = placed.desc();
    VmafxFrame *frame = nullptr;
    const std::string text =
        "descriptor " + std::to_string(desc.plane[1].fd) + " signalled with error -5 (Input/output";
    assert_refused(VMAFX_E_DEVICE, "desc.plane[1].fd", text.c_str(), vmafx_context_import_frame,
                   context.get(), &desc, kLongWaitNs, &frame);
    ck_assert(producer.acted());
}
END_TEST

START_TEST(one_write_of_two_that_fails_during_the_wait)
{
    const Vgem vgem;
    const Device device = open_cpu_device();
    const Context context = create_context(device);
    const PlacedPicture placed = place(vgem, test_picture(1));
    const TestFence good, bad;
    import_sync_file(placed.buffer(0), good.sync_file(), Access::kWrite);
    import_sync_file(placed.buffer(0), bad.sync_file(), Access::kWrite);
    LateProducer producer([&] {
        bad.signal(EIO);
        good.signal(0);
    });
    const VmafxFrameImport desc = placed.desc();
    VmafxFrame *frame = nullptr;
    assert_refused(VMAFX_E_DEVICE, "desc.plane[0].fd", "Input/output error",
                   vmafx_context_import_frame, context.get(), &desc, kLongWaitNs, &frame);
    ck_assert(producer.acted());
}
END_TEST

/* Somebody else's read that fails is nobody's business. */
START_TEST(read_that_fails_does_not_matter)
{
    const Vgem vgem;
    const Device device = open_cpu_device();
    const Picture picture = test_picture(1);
    const PlacedPicture placed = place(vgem, picture);
    const TestFence fence;
    import_sync_file(placed.buffer(0), fence.sync_file(), Access::kRead);
    fence.signal(EIO);
    check_shows(device, import_frame(device, placed.desc()), picture);
}
END_TEST

TCase *fence_errors_case()
{
    TCase *tcase = tcase_create("errors");
    tcase_add_test(tcase, failed_fence_is_an_error_of_the_device);
    tcase_add_loop_test(tcase, one_failed_fence_of_two, 0, 4);
    tcase_add_test(tcase, fence_that_fails_during_the_wait);
    tcase_add_test(tcase, write_that_fails_during_the_wait);
    tcase_add_test(tcase, one_write_of_two_that_fails_during_the_wait);
    tcase_add_test(tcase, read_that_fails_does_not_matter);
    return tcase;
}
