/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The life of a context: descriptions, flush, frames in flight, handles closed in any order.
 */
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <memory>

#include "session.h"
#include "support/shared_memory.h"

using namespace support;

START_TEST(context_descriptions)
{
    const Device device = open_cpu_device();
    VmafxContext *context = nullptr;
    const auto refused = [&](int32_t status, const char *subject, const char *word,
                             VmafxContextDesc desc) {
        assert_refused(status, subject, word, vmafx_context_create, device.get(), &desc, &context);
        ck_assert_ptr_null(context);
    };
    VmafxContextDesc desc = VMAFX_CONTEXT_DESC_INIT;
    desc.frames_in_flight = 65;
    refused(VMAFX_E_RANGE, "desc.frames_in_flight", "64", desc);
    desc = VMAFX_CONTEXT_DESC_INIT;
    desc.lanes = 17;
    refused(VMAFX_E_RANGE, "desc.lanes", "16", desc);
    desc = VMAFX_CONTEXT_DESC_INIT;
    desc.reserved = 1;
    refused(VMAFX_E_INVALID, "desc.reserved", "0", desc);
    desc = VMAFX_CONTEXT_DESC_INIT;
    desc.wait_limit_ns = UINT64_C(600'000'000'001);
    refused(VMAFX_E_RANGE, "desc.wait_limit_ns", "600000000000", desc);
    desc = VMAFX_CONTEXT_DESC_INIT;
    desc.flags = 2;
    refused(VMAFX_E_INVALID, "desc.flags", "0x2", desc);
    desc = VMAFX_CONTEXT_DESC_INIT;
    desc.struct_size = 4;
    refused(VMAFX_E_ABI, "desc", "INIT", desc);
}
END_TEST

START_TEST(frames_after_the_flush)
{
    Session s;
    s.submit_good(0);
    s.flush();
    assert_refused(VMAFX_E_INVALID, "context", "flush", vmafx_context_submit, s.context.get(),
                   s.frame.get(), s.frame.get(), uint64_t{1});
    s.flush(); /* a second one does nothing */
    double score = 0;
    must(vmafx_score_at, s.context.get(), "psnr_y", uint64_t{0}, &score);
}
END_TEST

START_TEST(flush_without_frames)
{
    Session s;
    s.flush();
    double score = 0;
    assert_refused(VMAFX_E_NOTFOUND, "name", "psnr_y", vmafx_score_at, s.context.get(), "psnr_y",
                   uint64_t{0}, &score);
    assert_refused(VMAFX_E_NOTFOUND, "name", "psnr_y", vmafx_score_pooled, s.context.get(),
                   "psnr_y", VMAFX_POOL_MEAN, uint64_t{0}, uint64_t{0}, &score);
    const auto path = scratch_file("empty.json");
    must(vmafx_report_write, s.context.get(), path.c_str(), VMAFX_REPORT_JSON);
    ck_assert(std::filesystem::file_size(path) > 0);
    std::filesystem::remove(path);
    assert_refused(VMAFX_E_INVALID, "context", "flush", vmafx_context_submit, s.context.get(),
                   s.frame.get(), s.frame.get(), uint64_t{0});
}
END_TEST

/** A description of before there were lanes. */
START_TEST(older_description)
{
    const Device device = open_cpu_device();
    VmafxContextDesc desc;
    std::memset(&desc, 0xff, sizeof(desc));
    desc = {offsetof(VmafxContextDesc, lanes), 0, 0, 0, 0, UINT32_MAX, UINT32_MAX};
    Context context;
    must(vmafx_context_create, device.get(), &desc, context.out());
}
END_TEST

/* One frame in flight is enough, and many give the same, on any number of lanes. */
START_TEST(frames_in_flight_and_lanes_change_nothing)
{
    const Device device = open_cpu_device();
    std::vector<Frame> frames;
    for (uint32_t i = 0; i < 10; ++i)
        frames.push_back(upload(device, natural_picture(VMAFX_LAYOUT_420, 8, 96, 64, i)));
    AllScores first;
    constexpr uint32_t kNumbers[][3] = {{1, 0, 0},  {2, 1, 0},
                                        {64, 1, 0}, {64, 3, 0},
                                        {4, 16, 0}, {4, 3, VMAFX_CONTEXT_RELEASE_EARLY}};
    for (const auto &[in_flight, lanes, flags] : kNumbers) {
        VmafxContextDesc desc = VMAFX_CONTEXT_DESC_INIT;
        desc.frames_in_flight = in_flight;
        desc.lanes = lanes;
        desc.flags = flags;
        const Context context = create_context(device, &desc);
        use_everything(context);
        for (size_t i = 0; i < frames.size(); ++i)
            submit(context, frames[i], frames[(i + 1) % frames.size()], i);
        must(vmafx_context_flush, context.get());
        const AllScores scores = all_scores(context, frames.size());
        if (first.empty())
            first = scores;
        assert_text(difference(first, scores), "");
    }
}
END_TEST

START_TEST(handles_are_closed_in_any_order)
{
    const size_t before = [] {
        {
            const Session warm_up;
        }
        return open_descriptors();
    }();
    for (int order = 0; order < 6; ++order) {
        auto s = std::make_unique<Session>();
        for (uint64_t i = 0; i < 5; ++i)
            s->submit_good(i);
        const auto close = [&](int which) {
            which == 0 ? s->device.close() : which == 1 ? s->context.close() : s->frame.close();
        };
        const int first = order / 2, second = (first + 1 + order % 2) % 3;
        close(first);
        close(second);
        close(3 - first - second);
    }
    ck_assert_uint_eq(open_descriptors(), before);
}
END_TEST

START_TEST(closing_nothing)
{
    VmafxDevice *device = nullptr;
    VmafxContext *context = nullptr;
    VmafxFrame *frame = nullptr;
    VmafxModel *model = nullptr;
    VmafxFence *fence = nullptr;
    vmafx_device_close(&device);
    vmafx_context_close(&context);
    vmafx_frame_unref(&frame);
    vmafx_model_close(&model);
    vmafx_fence_close(&fence);
    vmafx_device_close(nullptr);
    vmafx_context_close(nullptr);
    vmafx_frame_unref(nullptr);
    vmafx_model_close(nullptr);
    vmafx_fence_close(nullptr);
    ck_assert_ptr_null(vmafx_frame_ref(nullptr));
    VmafxDeviceDesc desc = VMAFX_DEVICE_DESC_INIT;
    desc.runtime = VMAFX_RUNTIME_CPU;
    must(vmafx_device_open, &desc, &device);
    ck_assert_ptr_nonnull(device);
    vmafx_device_close(&device);
    ck_assert_ptr_null(device);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("session");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, context_descriptions);
    tcase_add_test(tcase, frames_after_the_flush);
    tcase_add_test(tcase, flush_without_frames);
    tcase_add_test(tcase, older_description);
    tcase_add_test(tcase, frames_in_flight_and_lanes_change_nothing);
    tcase_add_test(tcase, handles_are_closed_in_any_order);
    tcase_add_test(tcase, closing_nothing);
    return run_tests(tcase, "session");
}
