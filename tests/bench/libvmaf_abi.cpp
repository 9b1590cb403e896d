/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/libvmaf_abi.h"

#include <stdexcept>

#include <dlfcn.h>

namespace bench::libvmaf
{

namespace
{

template <class Function> void find(void *library, const char *name, Function *&function)
{
    void *symbol = dlsym(library, name);
    if (!symbol)
        throw std::runtime_error(std::string("the libvmaf library lacks ") + name);
    function = reinterpret_cast<Function *>(symbol);
}

} // namespace

Api load(const std::string &path)
{
    void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
        throw std::runtime_error(dlerror());
    Api api;
    find(library, "vmaf_version", api.version);
    const std::string version = api.version();
    /* Structs are laid out as in 3.2; another version may differ. */
    if (version.find("3.2.") == std::string::npos)
        throw std::runtime_error("libvmaf 3.2 is needed, this is " + version);
    find(library, "vmaf_init", api.init);
    find(library, "vmaf_close", api.close);
    find(library, "vmaf_model_load", api.model_load);
    find(library, "vmaf_model_destroy", api.model_destroy);
    find(library, "vmaf_use_features_from_model", api.use_model);
    find(library, "vmaf_use_feature", api.use_feature);
    find(library, "vmaf_preallocate_pictures", api.preallocate);
    find(library, "vmaf_fetch_preallocated_picture", api.fetch_picture);
    find(library, "vmaf_picture_unref", api.unref_picture);
    find(library, "vmaf_read_pictures", api.read_pictures);
    find(library, "vmaf_score_at_index", api.model_at);
    find(library, "vmaf_feature_score_at_index", api.feature_at);
    find(library, "vmaf_score_pooled", api.model_pooled);
    find(library, "vmaf_feature_score_pooled", api.feature_pooled);
    return api;
}

} // namespace bench::libvmaf
