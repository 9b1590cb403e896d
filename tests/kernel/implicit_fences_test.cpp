/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Imports with no fence of their own: the fences that the kernel keeps with each dma-buf.
 */
#include "cases.h"

#include "late_producer.h"

using namespace support;

START_TEST(pending_write_is_busy_until_it_is_done)
{
    const Vgem vgem;
    const Device device = open_cpu_device();
    const Picture picture = test_picture(1);
    const PlacedPicture placed = place(vgem, picture);
    const uint32_t fence = vgem.attach_fence(placed.buffer(0), Access::kWrite);
    assert_busy(device, placed.desc());
    vgem.signal(fence);
    check_shows(device, import_frame(device, placed.desc()), picture);
}
END_TEST

/* Each plane's buffer counts, and of a buffer that is cached too. */
START_TEST(pending_write_to_any_plane_is_busy)
{
    const Vgem vgem;
    const Device device = open_cpu_device();
    const PlacedPicture placed = place(vgem, test_picture(1), "fd per plane");
    for (const size_t plane : {0u, 1u, 0u}) {
        const uint32_t fence = vgem.attach_fence(placed.buffer(plane), Access::kWrite);
        assert_busy(device, placed.desc());
        vgem.signal(fence);
        import_frame(device, placed.desc());
    }
    VmafxFrameImport luma = placed.luma_desc();
    const uint32_t fence = vgem.attach_fence(placed.buffer(1), Access::kWrite);
    import_frame(device, luma); /* the chroma's writer is no business of a luma import */
    vgem.signal(fence);
}
END_TEST

START_TEST(pending_read_of_another_does_not_block)
{
    const Vgem vgem;
    const Device device = open_cpu_device();
    const Picture picture = test_picture(1);
    const PlacedPicture placed = place(vgem, picture);
    const uint32_t fence = vgem.attach_fence(placed.buffer(0), Access::kRead);
    const Descriptor readers = export_sync_file(placed.buffer(0), Access::kWrite);
    check_shows(device, import_frame(device, placed.desc()), picture);
    /* It was pending all the while. */
    assert_busy(device, with_sync_file(placed.desc(), readers.get()));
    vgem.signal(fence);
}
END_TEST

START_TEST(write_that_never_ends_is_a_timeout)
{
    const Vgem vgem;
    const Device device = open_cpu_device();
    const Context context = create_context(device);
    const PlacedPicture placed = place(vgem, test_picture(1), "fd per plane");
    const VmafxFrameImport desc = placed.desc();
    const uint32_t fence = vgem.attach_fence(placed.buffer(1), Access::kWrite);
    const size_t before = open_descriptors();
    VmafxFrame *frame = nullptr;
    assert_refused(VMAFX_E_TIMEOUT, "desc.acquire", "still pending after 0.100 s",
                   vmafx_context_import_frame, context.get(), &desc, 100 * kMillisecondNs, &frame);
    ck_assert_uint_eq(open_descriptors(), before);
    vgem.signal(fence);
    import_frame(device, desc);
}
END_TEST

START_TEST(write_finished_late_by_another_process)
{
    const Vgem vgem;
    const Device device = open_cpu_device();
    const Context context = create_context(device);
    const Picture picture = test_picture(2);
    PlacedPicture placed = place(vgem, test_picture(1));
    const VmafxFrameImport desc = placed.desc();
    const uint32_t fence = vgem.attach_fence(placed.buffer(0), Access::kWrite);
    LateProducer producer([&] {
        placed.refill(picture);
        vgem.signal(fence);
    });
    Frame frame;
    must(vmafx_context_import_frame, context.get(), &desc, kLongWaitNs, frame.out());
    ck_assert(producer.acted());
    check_shows(device, frame, picture);
}
END_TEST

TCase *implicit_fences_case()
{
    TCase *tcase = tcase_create("implicit");
    tcase_add_test(tcase, pending_write_is_busy_until_it_is_done);
    tcase_add_test(tcase, pending_write_to_any_plane_is_busy);
    tcase_add_test(tcase, pending_read_of_another_does_not_block);
    tcase_add_test(tcase, write_that_never_ends_is_a_timeout);
    tcase_add_test(tcase, write_finished_late_by_another_process);
    return tcase;
}
