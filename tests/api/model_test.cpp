/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Loading models and giving them to a context: what is refused and what the refusal says.
 */
#include <filesystem>
#include <fstream>
#include <vector>

#include <unistd.h>

#include "refusal.h"
#include "support/picture.h"
#include "support/scores.h"
#include "support/shared_memory.h"

using namespace support;

namespace
{

/** A file that is removed again. */
class ScratchFile
{
  public:
    explicit ScratchFile(const std::string &text)
        : path_(std::filesystem::temp_directory_path() / (std::to_string(getpid()) + "-model.json"))
    {
        std::ofstream(path_) << text;
    }
    ~ScratchFile() { std::filesystem::remove(path_); }
    const char *path() const { return path_.c_str(); }

  private:
    std::filesystem::path path_;
};

VmafxModelDesc by_path(const char *path)
{
    VmafxModelDesc desc = VMAFX_MODEL_DESC_INIT;
    desc.path = path;
    return desc;
}

VmafxModelDesc by_version(const char *version, const char *name = nullptr)
{
    VmafxModelDesc desc = VMAFX_MODEL_DESC_INIT;
    desc.version = version;
    desc.name = name;
    return desc;
}

Model load(const VmafxModelDesc &desc)
{
    Model model;
    must(vmafx_model_load, &desc, model.out());
    return model;
}

void refuse(int32_t status, const char *subject, const char *word, const VmafxModelDesc &desc)
{
    VmafxModel *model = reinterpret_cast<VmafxModel *>(1);
    assert_refused(status, subject, word, vmafx_model_load, &desc, &model);
    ck_assert_ptr_null(model);
}

/** A model of one support vector on one feature. */
std::string small_model(const std::string &feature, const std::string &svm)
{
    return R"({"param_dict": {"C": 4.0, "norm_type": "none", "nu": 0.9, "gamma": 0.04},
               "model_dict": {"model": ")" +
           svm + R"(", "model_type": "LIBSVMNUSVR", "norm_type": "none",
               "feature_names": [")" +
           feature + R"("], "feature_dict": {"x": ["y"]}}})";
}

const std::string kSvm = "svm_type nu_svr\\nkernel_type rbf\\ngamma 0.04\\nnr_class 2\\n"
                         "total_sv 1\\nrho -1.5\\nSV\\n2 1:0.5 \\n";

} // namespace

START_TEST(built_in_models)
{
    for (const char *wanted :
         {"vmaf_v0.6.1", "vmaf_v0.6.1neg", "vmaf_4k_v0.6.1", "vmaf_4k_v0.6.1neg", "vmaf_b_v0.6.3",
          "vmaf_v1.0.16_3d0h", "vmaf_v1.0.16_3d0h_2160", "vmaf_v1.0.16_5d0h",
          "vmaf_v1.0.16_1d5h_2160", "vmaf_v1.0.16_hfr_3d0h", "vmaf_v1.0.16_hfr_3d0h_2160",
          "vmaf_v1.0.16_hfr_5d0h", "vmaf_v1.0.16_hfr_1d5h_2160", "vmaf_float_v0.6.1",
          "vmaf_float_v0.6.1neg", "vmaf_float_4k_v0.6.1", "vmaf_float_b_v0.6.3"}) {
        bool listed = false;
        for (uint32_t i = 0; const char *name = vmafx_model_builtin(i); ++i)
            listed = listed || !strcmp(name, wanted);
        ck_assert_msg(listed, "%s is not built in", wanted);
        assert_text(vmafx_model_name(load(by_version(wanted)).get()), "vmaf");
        assert_text(vmafx_model_name(load(by_version(wanted, "other")).get()), "other");
    }
}
END_TEST

START_TEST(descriptions)
{
    refuse(VMAFX_E_NOTFOUND, "desc.version", "vmaf_v0.6.1neg", by_version("vmaf_v9"));
    refuse(VMAFX_E_NOTFOUND, "desc.version", "by path", by_version(""));
    VmafxModelDesc desc = by_version("vmaf_v0.6.1");
    desc.path = "model.json";
    refuse(VMAFX_E_INVALID, "desc.version", "both", desc);
    desc = by_version("vmaf_v0.6.1");
    desc.flags = 64;
    refuse(VMAFX_E_INVALID, "desc.flags", "0x40", desc);
    desc = by_version("vmaf_v0.6.1");
    desc.struct_size = 1;
    refuse(VMAFX_E_ABI, "desc", "INIT", desc);
    refuse(VMAFX_E_INVALID, "desc.name", "character", by_version("vmaf_v0.6.1", ""));
    refuse(VMAFX_E_INVALID, "desc.name", "a\"b", by_version("vmaf_v0.6.1", "a\"b"));
    refuse(VMAFX_E_INVALID, "desc.path", "empty", by_path(""));
    refuse(VMAFX_E_NOTFOUND, "desc.path", "/no/such/model.json", by_path("/no/such/model.json"));
    refuse(VMAFX_E_NOTFOUND, "desc.path", "VMAFX_MODEL_PATH", by_path("no-such-model.json"));
}
END_TEST

START_TEST(broken_files)
{
    const std::string whole = small_model("VMAF_integer_feature_motion2_score", kSvm);
    {
        const ScratchFile file(whole); /* the pattern of the broken ones is good */
        load(by_path(file.path()));
    }
    const std::vector<std::string> texts = {
        "",
        " ",
        "{",
        "[]",
        "null",
        "no JSON at all",
        std::string("{\"model_dict\": \0}", 16),
        "{\"model_dict\": 5}",
        "{\"model_dict\": {}}",
        whole.substr(0, whole.size() / 2),
        whole + "{}",
        small_model("VMAF_integer_feature_motion2_score", ""),
        small_model("VMAF_integer_feature_motion2_score", "svm_type"),
        small_model("VMAF_integer_feature_motion2_score", kSvm.substr(0, 60)),
        small_model("VMAF_integer_feature_motion2_score",
                    "svm_type nu_svr\\nkernel_type rbf\\ngamma 0.04\\nnr_class 2\\n"
                    "total_sv 1000000000\\nrho -1.5\\nSV\\n2 1:0.5 \\n"),
        small_model("VMAF_integer_feature_motion2_score",
                    "svm_type nu_svr\\nkernel_type rbf\\ngamma 0.04\\nnr_class 2\\n"
                    "total_sv 1\\nrho -1.5\\nSV\\n2 77:0.5 \\n"),
        std::string(100000, '['),
    };
    const size_t before = open_descriptors();
    for (const std::string &text : texts) {
        const ScratchFile file(text);
        VmafxModelDesc desc = by_path(file.path());
        VmafxModel *model = nullptr;
        VmafxError error = VMAFX_ERROR_INIT;
        const int32_t status = vmafx_model_load(&desc, &model, &error);
        ck_assert_msg(status == VMAFX_E_INVALID, "%s (%s) for: %.200s", vmafx_status_name(status),
                      error.message, text.c_str());
        assert_text(error.subject, "desc.path");
        ck_assert_msg(strstr(error.message, "-model.json") != nullptr, "no file named: %s",
                      error.message);
    }
    ck_assert_uint_eq(open_descriptors(), before);
}
END_TEST

START_TEST(models_of_another_kind)
{
    for (const char *svm : {"svm_type c_svc\\n", "svm_type nu_svr\\nkernel_type linear\\n"}) {
        const ScratchFile file(small_model("VMAF_integer_feature_motion2_score", svm));
        refuse(VMAFX_E_NOTSUP, "desc.path", "this library", by_path(file.path()));
    }
}
END_TEST

START_TEST(unreadable_files)
{
    refuse(VMAFX_E_IO, "desc.path", "not a regular file", by_path("/"));
    refuse(VMAFX_E_IO, "desc.path", "/dev/null", by_path("/dev/null"));
}
END_TEST

START_TEST(folders_of_models)
{
    const ScratchFile file(small_model("VMAF_integer_feature_motion2_score", kSvm));
    const std::filesystem::path path(file.path());
    const std::string folders = "/no/such/folder:" + path.parent_path().string();
    setenv("VMAFX_MODEL_PATH", folders.c_str(), 1);
    load(by_path(path.filename().c_str()));
    unsetenv("VMAFX_MODEL_PATH");
    refuse(VMAFX_E_NOTFOUND, "desc.path", path.filename().c_str(),
           by_path(path.filename().c_str()));
}
END_TEST

START_TEST(missing_feature_is_named)
{
    const ScratchFile file(small_model("Nonsense_feature_nonsense_score", kSvm));
    const VmafxModelDesc desc = by_path(file.path());
    const Device device = open_cpu_device();
    const Context context = create_context(device);
    VmafxModel *model = nullptr;
    VmafxError error = VMAFX_ERROR_INIT;
    int32_t status = vmafx_model_load(&desc, &model, &error);
    if (status == VMAFX_OK)
        status = vmafx_context_use_model(context.get(), model, &error);
    ck_assert_int_eq(status, VMAFX_E_NOTFOUND);
    ck_assert_msg(strstr(error.message, "Nonsense_feature_nonsense_score") != nullptr, "%s",
                  error.message);
    vmafx_model_close(&model);
}
END_TEST

START_TEST(two_models_of_one_name)
{
    const Device device = open_cpu_device();
    const Context context = create_context(device);
    const Model first = load(by_version("vmaf_v0.6.1")),
                second = load(by_version("vmaf_4k_v0.6.1"));
    must(vmafx_context_use_model, context.get(), first.get());
    assert_refused(VMAFX_E_BUSY, "model.name", "vmaf", vmafx_context_use_model, context.get(),
                   second.get());
    assert_refused(VMAFX_E_BUSY, "model.name", "vmaf", vmafx_context_use_model, context.get(),
                   first.get());
    const Model third = load(by_version("vmaf_4k_v0.6.1", "vmaf_4k"));
    must(vmafx_context_use_model, context.get(), third.get());
}
END_TEST

START_TEST(options_of_a_model)
{
    const Device device = open_cpu_device();
    const Context context = create_context(device);
    const Model model = load(by_version("vmaf_v0.6.1"));
    const auto set = vmafx_model_set_option;
    must(set, model.get(), "vif", "vif_enhn_gain_limit", "1.0");
    assert_refused(VMAFX_E_NOTFOUND, "extractor", "psnr", set, model.get(), "psnr", "enable_mse",
                   "true");
    assert_refused(VMAFX_E_INVALID, "option", "empty", set, model.get(), "vif", "", "1");
    must(vmafx_context_use_model, context.get(), model.get());
    assert_refused(VMAFX_E_BUSY, "model", "context", set, model.get(), "vif", "vif_enhn_gain_limit",
                   "2");
}
END_TEST

START_TEST(option_value_of_a_model_is_checked)
{
    const Device device = open_cpu_device();
    const Context context = create_context(device);
    const Model model = load(by_version("vmaf_v0.6.1"));
    must(vmafx_model_set_option, model.get(), "adm", "adm_enhn_gain_limit", "1000");
    VmafxError error = VMAFX_ERROR_INIT;
    ck_assert_int_eq(vmafx_context_use_model(context.get(), model.get(), &error), VMAFX_E_RANGE);
    ck_assert_ptr_nonnull(strstr(error.message, "adm_enhn_gain_limit"));
}
END_TEST

/* Limits of gain by option or by the model made for it: the same scores. */
START_TEST(options_turn_a_model_into_another)
{
    const Device device = open_cpu_device();
    const Context context = create_context(device);
    const Model neg = load(by_version("vmaf_v0.6.1neg", "neg"));
    const Model limited = load(by_version("vmaf_v0.6.1", "limited"));
    must(vmafx_model_set_option, limited.get(), "vif", "vif_enhn_gain_limit", "1.0");
    must(vmafx_model_set_option, limited.get(), "adm", "adm_enhn_gain_limit", "1");
    must(vmafx_context_use_model, context.get(), neg.get());
    must(vmafx_context_use_model, context.get(), limited.get());
    const Picture clean = natural_picture(VMAFX_LAYOUT_420, 8, 96, 64, 1);
    const LayoutFacts &layout = facts_of(VMAFX_LAYOUT_420);
    const Frame reference = import_frame(device, HostPicture(clean, layout).desc());
    const Frame bad = import_frame(device, HostPicture(distorted(clean, 2), layout).desc());
    submit(context, reference, bad, 0);
    must(vmafx_context_flush, context.get());
    double a = 0, b = 1;
    must(vmafx_score_at, context.get(), "neg", uint64_t{0}, &a);
    must(vmafx_score_at, context.get(), "limited", uint64_t{0}, &b);
    ck_assert_double_eq(a, b);
}
END_TEST

START_TEST(model_may_be_closed_early)
{
    const Device device = open_cpu_device();
    const Context context = create_context(device);
    use_builtin_model(context, "vmaf_b_v0.6.3"); /* closes its handle */
    const Frame frame =
        import_frame(device, HostPicture(natural_picture(VMAFX_LAYOUT_420, 8, 96, 64, 1),
                                         facts_of(VMAFX_LAYOUT_420))
                                 .desc());
    submit(context, frame, frame, 0);
    must(vmafx_context_flush, context.get());
    for (const char *name : {"vmaf_b_v0.6.3", "vmaf_b_v0.6.3_bagging", "vmaf_b_v0.6.3_ci_p95_hi"}) {
        double score = 0;
        must(vmafx_score_at, context.get(), name, uint64_t{0}, &score);
        ck_assert_double_gt(score, 0);
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("model");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, built_in_models);
    tcase_add_test(tcase, descriptions);
    tcase_add_test(tcase, broken_files);
    tcase_add_test(tcase, models_of_another_kind);
    tcase_add_test(tcase, unreadable_files);
    tcase_add_test(tcase, folders_of_models);
    tcase_add_test(tcase, missing_feature_is_named);
    tcase_add_test(tcase, two_models_of_one_name);
    tcase_add_test(tcase, options_of_a_model);
    tcase_add_test(tcase, option_value_of_a_model_is_checked);
    tcase_add_test(tcase, options_turn_a_model_into_another);
    tcase_add_test(tcase, model_may_be_closed_early);
    return run_tests(tcase, "model");
}
