/* SPDX-License-Identifier: BSD-2-Clause */
#include <libvmafx/model.h>

#include <cctype>

#include "api/boundary.h"
#include "core/failure.h"
#include "model/builtin.h"
#include "model/handle.h"

using namespace vmafx;

namespace
{

constexpr uint32_t kKnownFlags = VMAFX_MODEL_DISABLE_CLIP | VMAFX_MODEL_ENABLE_TRANSFORM;
constexpr size_t kMaxNameLength = 128;

/** Score names go into reports and metadata keys unescaped. */
void check_name(const std::string &name)
{
    if (name.empty() || name.size() > kMaxNameLength)
        fail(VMAFX_E_INVALID, "desc.name", "a model's name has 1 to %zu characters",
             kMaxNameLength);
    for (const char c : name)
        if (!std::isalnum(static_cast<unsigned char>(c)) && !std::strchr("_-.", c))
            fail(VMAFX_E_INVALID, "desc.name",
                 "name \"%.100s\" has a character other than letters, digits, '_', '-' and '.'",
                 name.c_str());
}

std::shared_ptr<Model> load(const VmafxModelDesc &desc)
{
    if (desc.flags & ~kKnownFlags)
        fail(VMAFX_E_INVALID, "desc.flags", "unknown flags 0x%x", desc.flags & ~kKnownFlags);
    if (desc.version && desc.path)
        fail(VMAFX_E_INVALID, "desc.version", "version and path are both given; leave one NULL");
    const std::string name = desc.name ? desc.name : "vmaf";
    check_name(name);
    if (desc.path && !*desc.path)
        fail(VMAFX_E_INVALID, "desc.path", "the path is empty");
    if (desc.path)
        return load_model_file(desc.path, name, desc.flags);
    return load_builtin_model(desc.version ? desc.version : VMAFX_MODEL_DEFAULT, name, desc.flags);
}

} // namespace

int32_t vmafx_model_load(const VmafxModelDesc *desc, VmafxModel **model, VmafxError *error)
{
    return guard("vmafx_model_load", error, [&] {
        check_not_null(model, "model");
        *model = nullptr;
        const VmafxModelDesc defaults = VMAFX_MODEL_DESC_INIT;
        auto handle = std::make_unique<VmafxModel>();
        handle->model = load(desc ? read_struct(desc, "desc") : defaults);
        *model = handle.release();
    });
}

int32_t vmafx_model_set_option(VmafxModel *model, const char *extractor, const char *option,
                               const char *value, VmafxError *error)
{
    return guard("vmafx_model_set_option", error, [&] {
        check_not_null(model, "model");
        check_not_null(extractor, "extractor");
        check_not_null(option, "option");
        check_not_null(value, "value");
        if (!*option)
            fail(VMAFX_E_INVALID, "option", "the option's name is empty");
        if (model->model.use_count() > 1)
            fail(VMAFX_E_BUSY, "model", "a context uses model %s; set its options before",
                 model->model->name().c_str());
        model->model->set_option(extractor, option, normalise_number(value));
    });
}

const char *vmafx_model_name(const VmafxModel *model)
{
    return model ? model->model->name().c_str() : nullptr;
}

const char *vmafx_model_builtin(uint32_t index)
{
    const auto models = builtin_models();
    return index < models.size() ? models[index].name : nullptr;
}

void vmafx_model_close(VmafxModel **model)
{
    if (!model)
        return;
    delete *model;
    *model = nullptr;
}
