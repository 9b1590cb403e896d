/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The public functions on models.
 */
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include <libvmafx/model.h>

#include "model/handle.h"

#include "check_text.h"

namespace
{

std::string models; /* folder of model files */

/** A temporary folder. */
class Folder
{
  public:
    Folder()
    {
        char name[] = "/tmp/vmafx-model-XXXXXX";
        ck_assert_ptr_nonnull(mkdtemp(name));
        path_ = name;
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    const std::string &path() const { return path_; }

    std::string write(const char *name, const std::string &text) const
    {
        std::ofstream(path_ + "/" + name) << text;
        return path_ + "/" + name;
    }

  private:
    std::string path_;
};

struct Load {
    VmafxModel *model = nullptr;
    VmafxError error = VMAFX_ERROR_INIT;
    int32_t status;

    explicit Load(const VmafxModelDesc &desc) { status = vmafx_model_load(&desc, &model, &error); }
    ~Load() { vmafx_model_close(&model); }
};

VmafxModelDesc desc_of_path(const std::string &path)
{
    VmafxModelDesc desc = VMAFX_MODEL_DESC_INIT;
    desc.path = path.c_str();
    return desc;
}

} // namespace

START_TEST(defaults)
{
    VmafxModel *model = nullptr;
    ck_assert_int_eq(vmafx_model_load(nullptr, &model, nullptr), VMAFX_OK);
    assert_text(vmafx_model_name(model), "vmaf");
    vmafx_model_close(&model);
    ck_assert_ptr_null(model);
    vmafx_model_close(&model);
    vmafx_model_close(nullptr);
    ck_assert_ptr_null(vmafx_model_name(nullptr));
}
END_TEST

START_TEST(every_builtin_loads)
{
    uint32_t count = 0;
    for (; vmafx_model_builtin(count); count++) {
        VmafxModelDesc desc = VMAFX_MODEL_DESC_INIT;
        desc.version = desc.name = vmafx_model_builtin(count);
        const Load load(desc);
        ck_assert_msg(load.status == VMAFX_OK, "%s: %s", desc.name, load.error.message);
        assert_text(vmafx_model_name(load.model), desc.name);
    }
    ck_assert_uint_eq(count, 17);
    assert_text(vmafx_model_builtin(0), VMAFX_MODEL_DEFAULT);
    ck_assert_ptr_null(vmafx_model_builtin(UINT32_MAX));
}
END_TEST

START_TEST(bad_descriptions)
{
    const struct {
        VmafxModelDesc desc;
        int32_t status;
        const char *subject;
    } cases[] = {
        {{sizeof(VmafxModelDesc), 4, 0, 0, 0}, VMAFX_E_INVALID, "desc.flags"},
        {{sizeof(VmafxModelDesc), 0, "vmaf_v0.6.1", "x", 0}, VMAFX_E_INVALID, "desc.version"},
        {{sizeof(VmafxModelDesc), 0, "vmaf_v9", 0, 0}, VMAFX_E_NOTFOUND, "desc.version"},
        {{sizeof(VmafxModelDesc), 0, "", 0, 0}, VMAFX_E_NOTFOUND, "desc.version"},
        {{sizeof(VmafxModelDesc), 0, 0, "", 0}, VMAFX_E_INVALID, "desc.path"},
        {{sizeof(VmafxModelDesc), 0, 0, "/nonexistent/x.json", 0}, VMAFX_E_NOTFOUND, "desc.path"},
        {{sizeof(VmafxModelDesc), 0, 0, "/", 0}, VMAFX_E_IO, "desc.path"},
        {{sizeof(VmafxModelDesc), 0, 0, "/dev/zero", 0}, VMAFX_E_IO, "desc.path"},
        {{sizeof(VmafxModelDesc), 0, 0, 0, ""}, VMAFX_E_INVALID, "desc.name"},
        {{sizeof(VmafxModelDesc), 0, 0, 0, "a b"}, VMAFX_E_INVALID, "desc.name"},
        {{4, 0, 0, 0, 0}, VMAFX_E_ABI, "desc"},
    };
    for (const auto &c : cases) {
        const Load load(c.desc);
        ck_assert_msg(load.status == c.status, "%s: status %d", c.subject, load.status);
        assert_text(load.error.subject, c.subject);
        assert_text(load.error.function, "vmafx_model_load");
        ck_assert_ptr_null(load.model);
    }
    VmafxError error = VMAFX_ERROR_INIT;
    ck_assert_int_eq(vmafx_model_load(nullptr, nullptr, &error), VMAFX_E_INVALID);
    assert_text(error.subject, "model");
}
END_TEST

START_TEST(unknown_version_lists_the_known)
{
    VmafxModelDesc desc = VMAFX_MODEL_DESC_INIT;
    desc.version = "vmaf_v9";
    const Load load(desc);
    ck_assert_ptr_nonnull(std::strstr(load.error.message, "vmaf_v9"));
    ck_assert_ptr_nonnull(std::strstr(load.error.message, "vmaf_4k_v0.6.1neg"));
}
END_TEST

START_TEST(relative_paths_are_searched)
{
    setenv("VMAFX_MODEL_PATH", ("/nonexistent::" + models).c_str(), 1);
    const Load found(desc_of_path("vmaf_v0.6.1neg.json"));
    ck_assert_msg(found.status == VMAFX_OK, "%s", found.error.message);
    const Load missing(desc_of_path("vmaf_v9.json"));
    ck_assert_int_eq(missing.status, VMAFX_E_NOTFOUND);
    ck_assert_ptr_nonnull(std::strstr(missing.error.message, "/nonexistent/vmaf_v9.json"));
    unsetenv("VMAFX_MODEL_PATH");
    const Load without(desc_of_path("vmaf_v0.6.1neg.json"));
    ck_assert_int_eq(without.status, VMAFX_E_NOTFOUND);
}
END_TEST

START_TEST(broken_files_name_file_and_place)
{
    const Folder folder;
    const std::string path = folder.write("broken.json", "{\"model_dict\":{}}");
    const Load broken(desc_of_path(path));
    ck_assert_int_eq(broken.status, VMAFX_E_INVALID);
    assert_text(broken.error.subject, "desc.path");
    assert_text(broken.error.message,
                "model " + path + ": model_dict has no member \"feature_names\"");
    const std::string large = folder.write("large.json", "");
    std::filesystem::resize_file(large, 9 << 20);
    const Load too_large(desc_of_path(large));
    ck_assert_int_eq(too_large.status, VMAFX_E_INVALID);
}
END_TEST

START_TEST(options_of_models)
{
    Load load(VMAFX_MODEL_DESC_INIT);
    VmafxError error = VMAFX_ERROR_INIT;
    const auto set = [&](const char *extractor, const char *option, const char *value) {
        return vmafx_model_set_option(load.model, extractor, option, value, &error);
    };
    ck_assert_int_eq(set("vif", "vif_enhn_gain_limit", "1.0"), VMAFX_OK);
    assert_text(load.model->model->required_features()[2].options.at("vif_enhn_gain_limit"), "1");
    ck_assert_int_eq(set("psnr", "a", "b"), VMAFX_E_NOTFOUND);
    assert_text(error.subject, "extractor");
    ck_assert_int_eq(set(nullptr, "a", "b"), VMAFX_E_INVALID);
    ck_assert_int_eq(set("vif", nullptr, "b"), VMAFX_E_INVALID);
    ck_assert_int_eq(set("vif", "", "b"), VMAFX_E_INVALID);
    ck_assert_int_eq(set("vif", "a", nullptr), VMAFX_E_INVALID);
    ck_assert_int_eq(vmafx_model_set_option(nullptr, "vif", "a", "b", &error), VMAFX_E_INVALID);
    {
        const auto used_by_a_context = load.model->model;
        ck_assert_int_eq(set("vif", "vif_enhn_gain_limit", "2"), VMAFX_E_BUSY);
    }
    ck_assert_int_eq(set("vif", "vif_enhn_gain_limit", "2"), VMAFX_OK);
}
END_TEST

int main(int, char **argv)
{
    models = argv[1];
    TCase *tcase = tcase_create("model api");
    tcase_add_test(tcase, defaults);
    tcase_add_test(tcase, every_builtin_loads);
    tcase_add_test(tcase, bad_descriptions);
    tcase_add_test(tcase, unknown_version_lists_the_known);
    tcase_add_test(tcase, relative_paths_are_searched);
    tcase_add_test(tcase, broken_files_name_file_and_place);
    tcase_add_test(tcase, options_of_models);
    return run_tests(tcase, "model api");
}
