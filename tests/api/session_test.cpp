/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The order of calls of a session: what is refused, what is answered before and after the flush.
 */
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "refusal.h"
#include "support/scores.h"
#include "support/shared_memory.h"

using namespace support;

namespace
{

Picture picture_of(uint32_t chroma, uint32_t bits, uint32_t width, uint32_t height)
{
    return natural_picture(chroma, bits, width, height, 3);
}

Frame upload(const Device &device, const Picture &picture)
{
    return import_frame(device, HostPicture(picture, facts_of(picture.chroma)).desc());
}

Frame upload_luma(const Device &device, const Picture &picture)
{
    const HostPicture host(picture, facts_of(picture.chroma));
    VmafxFrameImport desc = host.desc();
    desc.plane_count = 1;
    return import_frame(device, desc);
}

/** A device, a context with psnr and motion, and one good frame. */
struct Session {
    Device device = open_cpu_device();
    Context context = create_context(device);
    Frame frame = upload(device, picture_of(VMAFX_LAYOUT_420, 8, 96, 64));

    Session()
    {
        must(vmafx_context_use_feature, context.get(), "psnr", "enable_apsnr=true");
        must(vmafx_context_use_feature, context.get(), "motion", nullptr);
    }
    void submit_good(uint64_t index) { submit(context, frame, frame, index); }
    void flush() { must(vmafx_context_flush, context.get()); }
};

std::filesystem::path scratch_file(const char *name)
{
    return std::filesystem::temp_directory_path() / (std::to_string(getpid()) + name);
}

} // namespace

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

START_TEST(options_that_form_no_name)
{
    Session s; /* psnr with enable_apsnr */
    must(vmafx_context_use_feature, s.context.get(), "psnr", "enable_apsnr=true");
    assert_refused(VMAFX_E_INVALID, "options", "other options", vmafx_context_use_feature,
                   s.context.get(), "psnr", "enable_chroma=false");
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

/* Motion compares with the frame before, which has to be there. */
START_TEST(motion_needs_the_frame_before)
{
    Session s;
    assert_refused(VMAFX_E_INVALID, "index", "motion of frame 5", vmafx_context_submit,
                   s.context.get(), s.frame.get(), s.frame.get(), uint64_t{5});
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
    desc.wait_limit_ns = UINT64_C(600'000'000'001);
    refused(VMAFX_E_RANGE, "desc.wait_limit_ns", "600000000000", desc);
    desc = VMAFX_CONTEXT_DESC_INIT;
    desc.flags = 1;
    refused(VMAFX_E_INVALID, "desc.flags", "0x1", desc);
    desc = VMAFX_CONTEXT_DESC_INIT;
    desc.struct_size = 4;
    refused(VMAFX_E_ABI, "desc", "INIT", desc);
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

/* One frame in flight is enough, and many give the same. */
START_TEST(frames_in_flight_change_nothing)
{
    const Device device = open_cpu_device();
    std::vector<Frame> frames;
    for (uint32_t i = 0; i < 10; ++i)
        frames.push_back(upload(device, natural_picture(VMAFX_LAYOUT_420, 8, 96, 64, i)));
    AllScores first;
    for (const uint32_t in_flight : {1u, 2u, 64u}) {
        VmafxContextDesc desc = VMAFX_CONTEXT_DESC_INIT;
        desc.frames_in_flight = in_flight;
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
    tcase_add_test(tcase, nothing_to_score);
    tcase_add_test(tcase, pairs_that_differ);
    tcase_add_test(tcase, luma_alone_for_chroma_features);
    tcase_add_test(tcase, index_must_rise);
    tcase_add_test(tcase, motion_needs_the_frame_before);
    tcase_add_test(tcase, refused_pairs_leave_the_session_as_it_was);
    tcase_add_test(tcase, refused_features_leave_nothing_behind);
    tcase_add_test(tcase, options_that_form_no_name);
    tcase_add_test(tcase, names_of_models);
    tcase_add_test(tcase, scores_that_never_come);
    tcase_add_test(tcase, names_after_the_first_submit);
    tcase_add_test(tcase, import_before_registration);
    tcase_add_test(tcase, frames_after_the_flush);
    tcase_add_test(tcase, flush_without_frames);
    tcase_add_test(tcase, registration_comes_first);
    tcase_add_test(tcase, features_and_options);
    tcase_add_test(tcase, pictures_too_small);
    tcase_add_test(tcase, scores_before_and_after_the_flush);
    tcase_add_test(tcase, pooling);
    tcase_add_test(tcase, reports);
    tcase_add_test(tcase, context_descriptions);
    tcase_add_test(tcase, skipped_frames_have_no_scores);
    tcase_add_test(tcase, frames_in_flight_change_nothing);
    tcase_add_test(tcase, handles_are_closed_in_any_order);
    tcase_add_test(tcase, closing_nothing);
    return run_tests(tcase, "session");
}
