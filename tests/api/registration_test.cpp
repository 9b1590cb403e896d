/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a context is asked to compute: features, options, models, and when they may be added.
 */
#include "session.h"

using namespace support;

START_TEST(features_and_options)
{
    const Device device = open_cpu_device();
    const Context context = create_context(device);
    VmafxContext *c = context.get();
    const auto use = vmafx_context_use_feature;
    assert_refused(VMAFX_E_NOTFOUND, "feature", "motion", use, c, "nonsense", nullptr);
    assert_refused(VMAFX_E_NOTFOUND, "feature", "vif", use, c, "", nullptr);
    assert_refused(VMAFX_E_NOTFOUND, "options.nonsense", "vif_enhn_gain_limit", use, c, "vif",
                   "nonsense=1");
    assert_refused(VMAFX_E_RANGE, "options.vif_enhn_gain_limit", "1..100", use, c, "vif",
                   "vif_enhn_gain_limit=101");
    assert_refused(VMAFX_E_RANGE, "options.vif_enhn_gain_limit", "0.5", use, c, "vif",
                   "debug=true:vif_enhn_gain_limit=0.5");
    assert_refused(VMAFX_E_RANGE, "options.adm_csf_mode", "4", use, c, "adm", "adm_csf_mode=4");
    assert_refused(VMAFX_E_INVALID, "options.debug", "true or false", use, c, "vif", "debug=yes");
    assert_refused(VMAFX_E_INVALID, "options.motion_max_val", "number", use, c, "motion",
                   "motion_max_val=much");
    assert_refused(VMAFX_E_INVALID, "options", "name=value", use, c, "vif", "debug");
    assert_refused(VMAFX_E_INVALID, "options", "name=value", use, c, "vif", "=true");
    /* What was refused was not registered. */
    const Frame frame = upload(device, picture_of(VMAFX_LAYOUT_420, 8, 96, 64));
    assert_refused(VMAFX_E_INVALID, "context", "no model", vmafx_context_submit, c, frame.get(),
                   frame.get(), uint64_t{0});
}
END_TEST

START_TEST(options_that_form_no_name)
{
    Session s; /* psnr with enable_apsnr */
    must(vmafx_context_use_feature, s.context.get(), "psnr", "enable_apsnr=true");
    assert_refused(VMAFX_E_INVALID, "options", "other options", vmafx_context_use_feature,
                   s.context.get(), "psnr", "enable_chroma=false");
}
END_TEST

/* Nothing of a feature that was refused may be computed: adm needs 33x33. */
START_TEST(refused_features_leave_nothing_behind)
{
    const Device device = open_cpu_device();
    const Context context = create_context(device);
    VmafxContext *c = context.get();
    assert_refused(VMAFX_E_RANGE, "options.adm_norm_view_dist", "at least",
                   vmafx_context_use_feature, c, "adm", "adm_norm_view_dist=1");
    Model model;
    must(vmafx_model_load, nullptr, model.out());
    must(vmafx_model_set_option, model.get(), "adm", "adm_norm_view_dist", "1");
    assert_refused(VMAFX_E_RANGE, "options.adm_norm_view_dist", "at least", vmafx_context_use_model,
                   c, model.get());
    must(vmafx_context_use_feature, c, "psnr", nullptr);
    const Frame small = upload(device, picture_of(VMAFX_LAYOUT_420, 8, 8, 8));
    submit(context, small, small, 0);
    must(vmafx_context_flush, c);
    ck_assert_ptr_null(vmafx_score_name(c, 3));
}
END_TEST

START_TEST(names_of_models)
{
    const Device device = open_cpu_device();
    const auto load = [](const char *version, const char *name) {
        VmafxModelDesc desc = VMAFX_MODEL_DESC_INIT;
        desc.version = version;
        desc.name = name;
        Model model;
        must(vmafx_model_load, &desc, model.out());
        return model;
    };
    const Frame frame = upload(device, picture_of(VMAFX_LAYOUT_420, 8, 96, 64));
    for (const char *name : {"psnr_y", "integer_adm2", "VMAF_integer_feature_adm2_score"}) {
        const Context context = create_context(device);
        const Model model = load("vmaf_v0.6.1", name);
        must(vmafx_context_use_feature, context.get(), "psnr", nullptr);
        must(vmafx_context_use_model, context.get(), model.get());
        for (int round = 0; round < 2; ++round)
            assert_refused(VMAFX_E_INVALID, "model.name", name, vmafx_context_submit, context.get(),
                           frame.get(), frame.get(), uint64_t{0});
    }
    const Context context = create_context(device);
    const Model set = load("vmaf_b_v0.6.3", "b"), other = load("vmaf_v0.6.1", "b_bagging");
    must(vmafx_context_use_model, context.get(), set.get());
    assert_refused(VMAFX_E_BUSY, "model.name", "b_bagging", vmafx_context_use_model, context.get(),
                   other.get());
}
END_TEST

START_TEST(registration_comes_first)
{
    Session s;
    Model model;
    must(vmafx_model_load, nullptr, model.out());
    s.submit_good(0);
    assert_refused(VMAFX_E_BUSY, "context", "before the first frame", vmafx_context_use_feature,
                   s.context.get(), "vif", nullptr);
    assert_refused(VMAFX_E_BUSY, "context", "before the first frame", vmafx_context_use_model,
                   s.context.get(), model.get());
    s.flush();
    assert_refused(VMAFX_E_BUSY, "context", "before the first frame", vmafx_context_use_feature,
                   s.context.get(), "vif", nullptr);
}
END_TEST

START_TEST(import_before_registration)
{
    const Device device = open_cpu_device();
    const Context context = create_context(device);
    const HostPicture host(picture_of(VMAFX_LAYOUT_420, 8, 96, 64), facts_of(VMAFX_LAYOUT_420));
    const VmafxFrameImport desc = host.desc();
    Frame frame;
    must(vmafx_context_import_frame, context.get(), &desc, uint64_t{0}, frame.out());
    must(vmafx_context_use_feature, context.get(), "psnr", nullptr);
    submit(context, frame, frame, 0);
    must(vmafx_context_flush, context.get());
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("registration");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, features_and_options);
    tcase_add_test(tcase, options_that_form_no_name);
    tcase_add_test(tcase, refused_features_leave_nothing_behind);
    tcase_add_test(tcase, names_of_models);
    tcase_add_test(tcase, registration_comes_first);
    tcase_add_test(tcase, import_before_registration);
    return run_tests(tcase, "registration");
}
