/* SPDX-License-Identifier: BSD-2-Clause
 *
 * When a real dma-buf may be written again.
 */
#include "cases.h"

#include "support/producer_stream.h"

using namespace support;

namespace
{

constexpr uint32_t kFrames = 20;

/** Every picture was read before its release let the next one in. */
void check_all_were_seen(const Context &context)
{
    must(vmafx_context_flush, context.get());
    for (uint64_t i = 0; i < kFrames; ++i) {
        double mse = -1;
        must(vmafx_score_at, context.get(), "mse_y", i, &mse);
        ck_assert_msg(mse == 0, "mse_y of frame %d is %g", static_cast<int>(i), mse);
    }
}

/** It lets frames go without another call, as a wait for a release fence asks. */
Context create_mse_context(const Device &device)
{
    VmafxContextDesc desc = VMAFX_CONTEXT_DESC_INIT;
    desc.flags = VMAFX_CONTEXT_RELEASE_EARLY;
    Context context = create_context(device, &desc);
    must(vmafx_context_use_feature, context.get(), "psnr", "enable_mse=true");
    return context;
}

/** Submits the frame against an upload of the picture that it has to show, and lets it go. */
void submit_and_let_go(const Device &device, const Context &context, Frame frame, uint32_t i)
{
    const Frame same = import_frame(device, HostPicture(test_picture(i), nv12()).desc());
    submit(context, same, frame, i);
}

} // namespace

START_TEST(host_fence_after_the_last_reader)
{
    const Vgem vgem;
    const Device device = open_cpu_device();
    const Context context = create_mse_context(device);
    PlacedPicture placed = place(vgem, test_picture(0));
    for (uint32_t i = 0; i < kFrames; ++i) {
        Fence fence;
        must(vmafx_fence_create, fence.out());
        VmafxFrameImport desc = placed.desc();
        desc.release_fence = {VMAFX_FENCE_HOST, 0, fence.get()};
        Frame frame = import_frame(device, desc);
        ck_assert_int_eq(vmafx_fence_query(fence.get(), nullptr), VMAFX_PENDING);
        submit_and_let_go(device, context, std::move(frame), i);
        must(vmafx_fence_wait, fence.get(), kLongWaitNs);
        placed.refill(test_picture(i + 1));
    }
    check_all_were_seen(context);
}
END_TEST

START_TEST(event_after_the_last_reader)
{
    const Vgem vgem;
    const Device device = open_cpu_device();
    const Context context = create_mse_context(device);
    PlacedPicture placed = place(vgem, test_picture(0));
    const ProducerEvent event;
    for (uint32_t i = 0; i < kFrames; ++i) {
        VmafxFrameImport desc = placed.desc();
        desc.release_fence = event.fence();
        Frame frame = import_frame(device, desc);
        ck_assert_int_eq(vmafx_device_query_release_event(device.get(), event.handle(), nullptr),
                         VMAFX_PENDING);
        submit_and_let_go(device, context, std::move(frame), i);
        must(vmafx_device_wait_release_event, device.get(), event.handle(), kLongWaitNs);
        placed.refill(test_picture(i + 1));
    }
    check_all_were_seen(context);
}
END_TEST

/* The device waits for the event, the import does not. */
START_TEST(event_that_is_late_before_the_first_reader)
{
    const Vgem vgem;
    const Device device = open_cpu_device();
    const Context context = create_mse_context(device);
    PlacedPicture placed = place(vgem, test_picture(1));
    const ProducerEvent written;
    ProducerStream producer;
    producer.hold();
    producer.record(written);
    VmafxFrameImport desc = placed.desc();
    desc.acquire = written.fence();
    submit_and_let_go(device, context, import_frame(device, desc), 0);
    placed.refill(test_picture(0));
    producer.let_go();
    must(vmafx_context_flush, context.get());
    double mse = -1;
    must(vmafx_score_at, context.get(), "mse_y", uint64_t{0}, &mse);
    ck_assert_msg(mse == 0, "mse_y is %g: read before the event", mse);
}
END_TEST

TCase *release_case()
{
    TCase *tcase = tcase_create("release");
    tcase_add_test(tcase, host_fence_after_the_last_reader);
    tcase_add_test(tcase, event_after_the_last_reader);
    tcase_add_test(tcase, event_that_is_late_before_the_first_reader);
    return tcase;
}
