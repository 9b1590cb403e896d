/* SPDX-License-Identifier: BSD-2-Clause
 *
 * NULL where a pointer must be given, in every call: refused by the argument's name.
 */
#include "refusal.h"

using namespace support;

namespace
{

void refuse_null(const char *argument, auto function, auto... args)
{
    assert_refused(VMAFX_E_INVALID, argument, "NULL", function, args...);
}

/** Objects to give where something else is NULL. */
struct Objects {
    Device device = open_cpu_device();
    Context context = create_context(device);
    Model model;
    Fence fence;
    Frame frame;
    uint8_t samples[64 * 64] = {};

    Objects()
    {
        must(vmafx_model_load, nullptr, model.out());
        must(vmafx_fence_create, fence.out());
        VmafxFrameImport desc = VMAFX_FRAME_IMPORT_INIT;
        desc.layout = VMAFX_LAYOUT_400;
        desc.bits = 8;
        desc.width = desc.height = 64;
        desc.plane_count = 1;
        desc.plane[0].address = samples;
        desc.plane[0].pitch = 64;
        frame = import_frame(device, desc);
    }
};

} // namespace

START_TEST(devices_and_frames)
{
    const Objects o;
    const VmafxFrameImport desc = VMAFX_FRAME_IMPORT_INIT;
    VmafxFrame *frame = nullptr;
    refuse_null("device", vmafx_device_open, nullptr, nullptr);
    refuse_null("device", vmafx_device_get_info, nullptr, nullptr);
    refuse_null("info", vmafx_device_get_info, o.device.get(), nullptr);
    refuse_null("device", vmafx_device_get_counters, nullptr, nullptr);
    refuse_null("counters", vmafx_device_get_counters, o.device.get(), nullptr);
    refuse_null("device", vmafx_device_empty_import_cache, nullptr);
    refuse_null("device", vmafx_frame_import, nullptr, &desc, &frame);
    refuse_null("desc", vmafx_frame_import, o.device.get(), nullptr, &frame);
    refuse_null("frame", vmafx_frame_import, o.device.get(), &desc, nullptr);
    refuse_null("device", vmafx_device_supports_modifier, nullptr, uint64_t{0}, VMAFX_LAYOUT_NV12,
                0u);
    refuse_null("frame", vmafx_frame_get_info, nullptr, nullptr);
    refuse_null("info", vmafx_frame_get_info, o.frame.get(), nullptr);
}
END_TEST

START_TEST(frame_pools)
{
    const Objects o;
    VmafxFramePoolDesc desc = VMAFX_FRAME_POOL_DESC_INIT;
    desc.layout = VMAFX_LAYOUT_NV12;
    desc.width = desc.height = 64;
    desc.frames = 1;
    VmafxFramePool *pool = nullptr;
    VmafxPoolFrame *picture = nullptr;
    VmafxFrame *frame = nullptr;
    refuse_null("device", vmafx_frame_pool_create, nullptr, &desc, &pool);
    refuse_null("desc", vmafx_frame_pool_create, o.device.get(), nullptr, &pool);
    refuse_null("pool", vmafx_frame_pool_create, o.device.get(), &desc, nullptr);
    refuse_null("pool", vmafx_frame_pool_acquire, nullptr, &picture);
    refuse_null("frame", vmafx_pool_frame_get_info, nullptr, nullptr);
    refuse_null("frame", vmafx_pool_frame_wait, nullptr, uint64_t{0});
    refuse_null("picture", vmafx_pool_frame_submit, nullptr, nullptr, &frame);
    refuse_null("picture", vmafx_pool_frame_submit, &picture, nullptr, &frame);
    must(vmafx_frame_pool_create, o.device.get(), &desc, &pool);
    refuse_null("frame", vmafx_frame_pool_acquire, pool, nullptr);
    must(vmafx_frame_pool_acquire, pool, &picture);
    refuse_null("info", vmafx_pool_frame_get_info, picture, nullptr);
    refuse_null("frame", vmafx_pool_frame_submit, &picture, nullptr, nullptr);
    vmafx_pool_frame_close(&picture);
    vmafx_pool_frame_close(&picture);
    vmafx_pool_frame_close(nullptr);
    vmafx_frame_pool_close(&pool);
    vmafx_frame_pool_close(&pool);
    vmafx_frame_pool_close(nullptr);
}
END_TEST

START_TEST(contexts)
{
    const Objects o;
    const VmafxFrameImport desc = VMAFX_FRAME_IMPORT_INIT;
    VmafxContext *context = nullptr, *good = o.context.get();
    VmafxFrame *frame = nullptr;
    refuse_null("device", vmafx_context_create, nullptr, nullptr, &context);
    refuse_null("context", vmafx_context_create, o.device.get(), nullptr, nullptr);
    refuse_null("context", vmafx_context_use_model, nullptr, o.model.get());
    refuse_null("model", vmafx_context_use_model, good, nullptr);
    refuse_null("context", vmafx_context_use_feature, nullptr, "vif", nullptr);
    refuse_null("feature", vmafx_context_use_feature, good, nullptr, nullptr);
    refuse_null("context", vmafx_context_import_frame, nullptr, &desc, uint64_t{0}, &frame);
    refuse_null("desc", vmafx_context_import_frame, good, nullptr, uint64_t{0}, &frame);
    refuse_null("frame", vmafx_context_import_frame, good, &desc, uint64_t{0}, nullptr);
    refuse_null("context", vmafx_context_submit, nullptr, o.frame.get(), o.frame.get(),
                uint64_t{0});
    refuse_null("reference", vmafx_context_submit, good, nullptr, o.frame.get(), uint64_t{0});
    refuse_null("distorted", vmafx_context_submit, good, o.frame.get(), nullptr, uint64_t{0});
    refuse_null("context", vmafx_context_flush, nullptr);
}
END_TEST

START_TEST(models_and_fences)
{
    const Objects o;
    VmafxModel *model = o.model.get();
    refuse_null("model", vmafx_model_load, nullptr, nullptr);
    refuse_null("model", vmafx_model_set_option, nullptr, "vif", "debug", "true");
    refuse_null("extractor", vmafx_model_set_option, model, nullptr, "debug", "true");
    refuse_null("option", vmafx_model_set_option, model, "vif", nullptr, "true");
    refuse_null("value", vmafx_model_set_option, model, "vif", "debug", nullptr);
    ck_assert_ptr_null(vmafx_model_name(nullptr));
    refuse_null("fence", vmafx_fence_create, nullptr);
    refuse_null("fence", vmafx_fence_signal, nullptr);
    refuse_null("fence", vmafx_fence_query, nullptr);
    refuse_null("fence", vmafx_fence_wait, nullptr, uint64_t{0});
}
END_TEST

START_TEST(scores)
{
    const Objects o;
    VmafxContext *context = o.context.get();
    double score = 0;
    const uint64_t zero = 0;
    refuse_null("context", vmafx_score_at, nullptr, "vmaf", zero, &score);
    refuse_null("name", vmafx_score_at, context, nullptr, zero, &score);
    refuse_null("score", vmafx_score_at, context, "vmaf", zero, nullptr);
    refuse_null("context", vmafx_score_pooled, nullptr, "vmaf", VMAFX_POOL_MEAN, zero, zero,
                &score);
    refuse_null("name", vmafx_score_pooled, context, nullptr, VMAFX_POOL_MEAN, zero, zero, &score);
    refuse_null("score", vmafx_score_pooled, context, "vmaf", VMAFX_POOL_MEAN, zero, zero, nullptr);
    refuse_null("context", vmafx_score_aggregate, nullptr, "apsnr_y", &score);
    refuse_null("name", vmafx_score_aggregate, context, nullptr, &score);
    refuse_null("score", vmafx_score_aggregate, context, "apsnr_y", nullptr);
    VmafxProfileEntry entry = VMAFX_PROFILE_ENTRY_INIT;
    refuse_null("context", vmafx_context_profile_at, nullptr, zero, 0u, &entry);
    refuse_null("out", vmafx_context_profile_at, context, zero, 0u, nullptr);
    refuse_null("device", vmafx_device_profile_sum, nullptr, 0u, &entry);
    refuse_null("out", vmafx_device_profile_sum, o.device.get(), 0u, nullptr);
    refuse_null("context", vmafx_report_write, nullptr, "/dev/null", VMAFX_REPORT_JSON);
    refuse_null("path", vmafx_report_write, context, nullptr, VMAFX_REPORT_JSON);
    ck_assert_ptr_null(vmafx_score_name(nullptr, 0));
    ck_assert_ptr_null(vmafx_score_aggregate_name(nullptr, 0));
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("null");
    tcase_add_test(tcase, devices_and_frames);
    tcase_add_test(tcase, frame_pools);
    tcase_add_test(tcase, contexts);
    tcase_add_test(tcase, models_and_fences);
    tcase_add_test(tcase, scores);
    return run_tests(tcase, "null");
}
