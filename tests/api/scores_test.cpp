/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What is answered before and after the flush: scores, pooled scores, names, reports.
 */
#include <filesystem>
#include <fstream>

#include "session.h"

using namespace support;

START_TEST(scores_before_and_after_the_flush)
{
    Session s;
    double score = -1;
    VmafxError error = VMAFX_ERROR_INIT;
    assert_refused(VMAFX_E_NOTFOUND, "name", "psnr_y", vmafx_score_at, s.context.get(), "psnr_y",
                   uint64_t{0}, &score);
    s.submit_good(0);
    /* motion2 of a frame needs the next frame or the end. */
    ck_assert_int_eq(vmafx_score_at(s.context.get(), "integer_motion2", 0, &score, &error),
                     VMAFX_PENDING);
    ck_assert_int_eq(vmafx_score_pooled(s.context.get(), "integer_motion2", VMAFX_POOL_MEAN, 0, 0,
                                        &score, &error),
                     VMAFX_PENDING);
    ck_assert_int_eq(vmafx_score_aggregate(s.context.get(), "apsnr_y", &score, &error),
                     VMAFX_PENDING);
    ck_assert_int_eq(error.status, VMAFX_OK);
    const auto path = scratch_file("early.json");
    assert_refused(VMAFX_E_INVALID, "context", "flush", vmafx_report_write, s.context.get(),
                   path.c_str(), VMAFX_REPORT_JSON);
    ck_assert(!std::filesystem::exists(path));
    s.flush();
    must(vmafx_score_at, s.context.get(), "integer_motion2", uint64_t{0}, &score);
    ck_assert_double_eq(score, 0);
    must(vmafx_score_at, s.context.get(), "VMAF_integer_feature_motion2_score", uint64_t{0},
         &score);
    must(vmafx_score_aggregate, s.context.get(), "apsnr_y", &score);
    assert_refused(VMAFX_E_NOTFOUND, "name", "nonsense", vmafx_score_at, s.context.get(),
                   "nonsense", uint64_t{0}, &score);
    assert_refused(VMAFX_E_NOTFOUND, "index", "1", vmafx_score_at, s.context.get(), "psnr_y",
                   uint64_t{1}, &score);
    assert_refused(VMAFX_E_NOTFOUND, "name", "nonsense", vmafx_score_aggregate, s.context.get(),
                   "nonsense", &score);
}
END_TEST

START_TEST(pooling)
{
    Session s;
    for (uint64_t i = 0; i < 3; ++i)
        s.submit_good(i);
    s.flush();
    double score = -1;
    const auto pool = vmafx_score_pooled;
    for (uint32_t method = VMAFX_POOL_MIN; method <= VMAFX_POOL_HARMONIC_MEAN; ++method)
        must(pool, s.context.get(), "psnr_y", method, uint64_t{0}, uint64_t{2}, &score);
    ck_assert_double_eq(score, 60);
    for (const uint32_t method : {0u, 5u, 99u})
        assert_refused(VMAFX_E_INVALID, "method", "VMAFX_POOL_", pool, s.context.get(), "psnr_y",
                       method, uint64_t{0}, uint64_t{2}, &score);
    assert_refused(VMAFX_E_RANGE, "first", "2", pool, s.context.get(), "psnr_y", VMAFX_POOL_MEAN,
                   uint64_t{2}, uint64_t{1}, &score);
    assert_refused(VMAFX_E_NOTFOUND, "name", "psnr_y", pool, s.context.get(), "psnr_y",
                   VMAFX_POOL_MEAN, uint64_t{0}, uint64_t{3}, &score);
    assert_refused(VMAFX_E_NOTFOUND, "name", "nonsense", pool, s.context.get(), "nonsense",
                   VMAFX_POOL_MEAN, uint64_t{0}, uint64_t{2}, &score);
}
END_TEST

START_TEST(names_after_the_first_submit)
{
    const auto names_of = [](const Context &context) {
        std::vector<std::string> names;
        while (const char *name =
                   vmafx_score_name(context.get(), static_cast<uint32_t>(names.size())))
            names.push_back(name);
        return names;
    };
    const Device device = open_cpu_device();
    const Context context = create_context(device);
    use_everything(context);
    ck_assert(names_of(context).empty());
    const Frame frame = upload(device, picture_of(VMAFX_LAYOUT_420, 8, 96, 64));
    submit(context, frame, frame, 0);
    const std::vector<std::string> early = names_of(context);
    for (uint64_t i = 1; i < 4; ++i)
        submit(context, frame, frame, i);
    must(vmafx_context_flush, context.get());
    ck_assert(!early.empty() && early == names_of(context));
    double score = 0;
    for (const std::string &name : early)
        must(vmafx_score_at, context.get(), name.c_str(), uint64_t{3}, &score);
}
END_TEST

START_TEST(skipped_frames_have_no_scores)
{
    const Device device = open_cpu_device();
    VmafxContextDesc desc = VMAFX_CONTEXT_DESC_INIT;
    desc.n_subsample = 3;
    const Context context = create_context(device, &desc);
    must(vmafx_context_use_feature, context.get(), "vif", nullptr);
    const Frame frame = upload(device, picture_of(VMAFX_LAYOUT_420, 8, 96, 64));
    for (uint64_t i = 0; i < 7; ++i)
        submit(context, frame, frame, i);
    must(vmafx_context_flush, context.get());
    double score = 0;
    for (uint64_t i = 0; i < 7; ++i) {
        const int32_t status =
            vmafx_score_at(context.get(), "integer_vif_scale0", i, &score, nullptr);
        ck_assert_int_eq(status, i % 3 ? VMAFX_E_NOTFOUND : VMAFX_OK);
    }
    must(vmafx_score_pooled, context.get(), "integer_vif_scale0", VMAFX_POOL_MEAN, uint64_t{0},
         uint64_t{6}, &score);
}
END_TEST

/* A score that can never come is not waited for. */
START_TEST(scores_that_never_come)
{
    const Device device = open_cpu_device();
    VmafxContextDesc desc = VMAFX_CONTEXT_DESC_INIT;
    desc.n_subsample = 2;
    const Context context = create_context(device, &desc);
    VmafxContext *c = context.get();
    Model model;
    must(vmafx_model_load, nullptr, model.out());
    must(vmafx_context_use_model, c, model.get());
    const Frame frame = upload(device, picture_of(VMAFX_LAYOUT_420, 8, 96, 64));
    double score = 0;
    const auto at = [&](const char *name, uint64_t index) {
        return vmafx_score_at(c, name, index, &score, nullptr);
    };
    for (const uint64_t index : {0, 1, 2, 6, 7})
        submit(context, frame, frame, index);
    for (const char *name : {"vmaf", "integer_vif_scale0"})
        for (const uint64_t index : {1, 3, 4, 7, 8})
            ck_assert_int_eq(at(name, index), VMAFX_E_NOTFOUND);
    ck_assert_int_eq(at("integer_motion2", 3), VMAFX_E_NOTFOUND);
    ck_assert_int_eq(at("integer_motion2", 2), VMAFX_PENDING);
    ck_assert_int_eq(at("vmaf", 2), VMAFX_PENDING);
    ck_assert_int_eq(at("nonsense", 0), VMAFX_E_NOTFOUND);
    const auto pool = [&](uint64_t last) {
        return vmafx_score_pooled(c, "vmaf", VMAFX_POOL_MEAN, 0, last, &score, nullptr);
    };
    ck_assert_int_eq(pool(2), VMAFX_PENDING);
    must(vmafx_context_flush, c);
    ck_assert_int_eq(at("vmaf", 2), VMAFX_OK);
    ck_assert_int_eq(pool(3), VMAFX_OK);
    ck_assert_int_eq(pool(4), VMAFX_E_NOTFOUND);
    ck_assert_int_eq(at("vmaf", 6), VMAFX_E_NOTFOUND); /* it has no motion2 after the gap */
    ck_assert_int_eq(at("integer_vif_scale0", 6), VMAFX_OK);
}
END_TEST

START_TEST(reports)
{
    Session s;
    s.submit_good(0);
    s.flush();
    for (uint32_t format = VMAFX_REPORT_JSON; format <= VMAFX_REPORT_SUB; ++format) {
        const auto path = scratch_file("report");
        must(vmafx_report_write, s.context.get(), path.c_str(), format);
        std::ifstream file(path);
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        ck_assert_msg(text.find("psnr_y") != std::string::npos, "format %u: %s", format,
                      text.c_str());
        std::filesystem::remove(path);
    }
    const auto write = vmafx_report_write;
    for (const uint32_t format : {0u, 5u})
        assert_refused(VMAFX_E_INVALID, "format", "VMAFX_REPORT_", write, s.context.get(),
                       "/tmp/unused", format);
    assert_refused(VMAFX_E_IO, "path", "/no/such/folder/report", write, s.context.get(),
                   "/no/such/folder/report", VMAFX_REPORT_JSON);
    assert_refused(VMAFX_E_IO, "path", "/", write, s.context.get(), "/", VMAFX_REPORT_CSV);
    /* A full disk is noticed. */
    if (std::filesystem::exists("/dev/full"))
        assert_refused(VMAFX_E_IO, "path", "/dev/full", write, s.context.get(), "/dev/full",
                       VMAFX_REPORT_XML);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("scores");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, scores_before_and_after_the_flush);
    tcase_add_test(tcase, pooling);
    tcase_add_test(tcase, names_after_the_first_submit);
    tcase_add_test(tcase, skipped_frames_have_no_scores);
    tcase_add_test(tcase, scores_that_never_come);
    tcase_add_test(tcase, reports);
    return run_tests(tcase, "scores");
}
