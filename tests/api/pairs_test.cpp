/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which pairs of frames a context takes, and what a refused one leaves behind.
 */
#include "session.h"

using namespace support;

START_TEST(nothing_to_score)
{
    const Device device = open_cpu_device();
    const Context context = create_context(device);
    const Frame frame = upload(device, picture_of(VMAFX_LAYOUT_420, 8, 96, 64));
    assert_refused(VMAFX_E_INVALID, "context", "no model and no feature", vmafx_context_submit,
                   context.get(), frame.get(), frame.get(), uint64_t{0});
}
END_TEST

START_TEST(pairs_that_differ)
{
    Session s;
    const struct {
        Picture picture;
        const char *word;
    } others[] = {
        {picture_of(VMAFX_LAYOUT_420, 8, 64, 64), "64x64"},
        {picture_of(VMAFX_LAYOUT_420, 10, 96, 64), "10 bits"},
        {picture_of(VMAFX_LAYOUT_444, 8, 96, 64), "4:4:4"},
        {picture_of(VMAFX_LAYOUT_400, 8, 96, 64), "4:0:0"},
    };
    for (const auto &other : others) {
        const Frame frame = upload(s.device, other.picture);
        assert_refused(VMAFX_E_INVALID, "distorted", other.word, vmafx_context_submit,
                       s.context.get(), s.frame.get(), frame.get(), uint64_t{0});
        assert_refused(VMAFX_E_INVALID, "distorted", "96x64", vmafx_context_submit, s.context.get(),
                       frame.get(), s.frame.get(), uint64_t{0});
    }
    s.submit_good(0);
    for (const auto &other : others) {
        const Frame frame = upload(s.device, other.picture);
        assert_refused(VMAFX_E_INVALID, "reference", other.word, vmafx_context_submit,
                       s.context.get(), frame.get(), frame.get(), uint64_t{1});
    }
    s.submit_good(1);
    s.flush();
}
END_TEST

START_TEST(luma_alone_for_chroma_features)
{
    Session s;
    const Frame luma = upload_luma(s.device, picture_of(VMAFX_LAYOUT_420, 8, 96, 64));
    assert_refused(VMAFX_E_INVALID, "reference", "chroma", vmafx_context_submit, s.context.get(),
                   luma.get(), s.frame.get(), uint64_t{0});
    assert_refused(VMAFX_E_INVALID, "distorted", "chroma", vmafx_context_submit, s.context.get(),
                   s.frame.get(), luma.get(), uint64_t{0});
    s.submit_good(0);
    s.flush();
}
END_TEST

START_TEST(index_must_rise)
{
    const Device device = open_cpu_device();
    const Context context = create_context(device);
    must(vmafx_context_use_feature, context.get(), "psnr", nullptr);
    const Frame frame = upload(device, picture_of(VMAFX_LAYOUT_420, 8, 96, 64));
    submit(context, frame, frame, 5);
    for (const uint64_t index : {uint64_t{5}, uint64_t{4}, uint64_t{0}})
        assert_refused(VMAFX_E_RANGE, "index", "5", vmafx_context_submit, context.get(),
                       frame.get(), frame.get(), index);
    submit(context, frame, frame, 9);
    must(vmafx_context_flush, context.get());
    double score = 0;
    must(vmafx_score_at, context.get(), "psnr_y", uint64_t{9}, &score);
    assert_refused(VMAFX_E_NOTFOUND, "index", "7", vmafx_score_at, context.get(), "psnr_y",
                   uint64_t{7}, &score);
}
END_TEST

/* Motion compares with the frame before, which has to be there. */
START_TEST(motion_needs_the_frame_before)
{
    Session s;
    assert_refused(VMAFX_E_INVALID, "index", "motion of frame 5", vmafx_context_submit,
                   s.context.get(), s.frame.get(), s.frame.get(), uint64_t{5});
}
END_TEST

/* A refused pair fixes nothing and enqueues nothing. */
START_TEST(refused_pairs_leave_the_session_as_it_was)
{
    const Device device = open_cpu_device();
    const Context context = create_context(device);
    VmafxContext *c = context.get();
    must(vmafx_context_use_feature, c, "psnr", nullptr);
    must(vmafx_context_use_feature, c, "motion", nullptr);
    must(vmafx_context_use_feature, c, "vif", nullptr);
    const Frame good = upload(device, picture_of(VMAFX_LAYOUT_420, 8, 96, 64));
    const Frame luma = upload_luma(device, picture_of(VMAFX_LAYOUT_420, 8, 64, 64));
    const Frame small = upload(device, picture_of(VMAFX_LAYOUT_420, 8, 15, 15));
    for (int round = 0; round < 2; ++round) {
        assert_refused(VMAFX_E_INVALID, "reference", "chroma", vmafx_context_submit, c, luma.get(),
                       luma.get(), uint64_t{0});
        assert_refused(VMAFX_E_RANGE, "width", "15x15", vmafx_context_submit, c, small.get(),
                       small.get(), uint64_t{0});
        assert_refused(VMAFX_E_INVALID, "index", "motion of frame 5", vmafx_context_submit, c,
                       good.get(), good.get(), uint64_t{5});
    }
    must(vmafx_context_use_feature, c, "adm", nullptr); /* no frame was taken */
    for (uint64_t i = 0; i < 3; ++i)
        submit(context, good, good, i);
    must(vmafx_context_flush, c);
    double score = 0;
    for (const char *name : {"psnr_y", "integer_motion2", "integer_vif_scale0", "integer_adm2"})
        must(vmafx_score_at, c, name, uint64_t{2}, &score);
}
END_TEST

START_TEST(pictures_too_small)
{
    const Device device = open_cpu_device();
    for (const char *feature : {"vif", "adm"}) {
        const Context context = create_context(device);
        must(vmafx_context_use_feature, context.get(), feature, nullptr);
        const Frame frame = upload(device, picture_of(VMAFX_LAYOUT_420, 8, 7, 7));
        VmafxError error = VMAFX_ERROR_INIT;
        ck_assert_int_eq(vmafx_context_submit(context.get(), frame.get(), frame.get(), 0, &error),
                         VMAFX_E_RANGE);
        ck_assert_msg(strstr(error.message, feature) && strstr(error.message, "7x7"),
                      "%s says neither feature nor size", error.message);
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("pairs");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, nothing_to_score);
    tcase_add_test(tcase, pairs_that_differ);
    tcase_add_test(tcase, luma_alone_for_chroma_features);
    tcase_add_test(tcase, index_must_rise);
    tcase_add_test(tcase, motion_needs_the_frame_before);
    tcase_add_test(tcase, refused_pairs_leave_the_session_as_it_was);
    tcase_add_test(tcase, pictures_too_small);
    return run_tests(tcase, "pairs");
}
