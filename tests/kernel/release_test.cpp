/* SPDX-License-Identifier: BSD-2-Clause
 *
 * When a real dma-buf may be written again.
 */
#include "cases.h"

using namespace support;

START_TEST(host_fence_after_the_last_reader)
{
    const Vgem vgem;
    const Device device = open_cpu_device();
    const Context context = create_context(device);
    must(vmafx_context_use_feature, context.get(), "psnr", nullptr);
    PlacedPicture placed = place(vgem, test_picture(0));
    for (uint32_t i = 0; i < 20; ++i) {
        Fence fence;
        must(vmafx_fence_create, fence.out());
        VmafxFrameImport desc = placed.desc();
        desc.release_fence.kind = VMAFX_FENCE_HOST;
        desc.release_fence.handle = fence.get();
        Frame frame = import_frame(device, desc);
        ck_assert_int_eq(vmafx_fence_query(fence.get(), nullptr), VMAFX_PENDING);
        const Frame same = import_frame(device, HostPicture(test_picture(i), nv12()).desc());
        submit(context, same, frame, i);
        frame.close();
        must(vmafx_fence_wait, fence.get(), kLongWaitNs);
        placed.refill(test_picture(i + 1)); /* the reader is done: it must not see this one */
    }
    must(vmafx_context_flush, context.get());
    for (uint64_t i = 0; i < 20; ++i) {
        double psnr = 0;
        must(vmafx_score_at, context.get(), "psnr_y", i, &psnr);
        ck_assert_msg(psnr == 60, "psnr_y of frame %d is %g", static_cast<int>(i), psnr);
    }
}
END_TEST

TCase *release_case()
{
    TCase *tcase = tcase_create("release");
    tcase_add_test(tcase, host_fence_after_the_last_reader);
    return tcase;
}
