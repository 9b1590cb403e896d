/* SPDX-License-Identifier: BSD-2-Clause */
#include "hip/runtime_files.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <memory>
#include <span>

#include <libvmafx/device.h>

namespace vmafx::hip
{

namespace
{

/* The library's interface is that of release 5 and later; the newest goes first. */
constexpr const char *rocm_names[] = {"libamdhip64.so.8", "libamdhip64.so.7", "libamdhip64.so.6",
                                      "libamdhip64.so.5", "libamdhip64.so"};
/* "" is the dynamic linker's own search. */
constexpr const char *rocm_folders[] = {"", "/opt/rocm/lib/", "/opt/rocm/lib64/",
                                        "/opt/rocm/hip/lib/"};

constexpr const char *cuda_names[] = {"libvmafx-hip-cuda.so.0", "libvmafx-hip-cuda.so"};
constexpr const char *cpu_names[] = {"libvmafx-hip-cpu.so.0", "libvmafx-hip-cpu.so"};

/** The folder, with a slash at its end, of the file that holds this very code; "" if unknown. */
std::string own_folder()
{
    static const char here = 0;
    Dl_info info{};
    if (!dladdr(&here, &info) || !info.dli_fname)
        return "";
    /* The main program is named as it was called: without a slash that says nothing of its place.
     */
    const std::string name = info.dli_fname;
    if (name.find('/') == std::string::npos)
        return "";
    const std::unique_ptr<char, decltype(&std::free)> full(realpath(name.c_str(), nullptr),
                                                           &std::free);
    if (!full)
        return "";
    const std::string path = full.get();
    return path.substr(0, path.rfind('/') + 1);
}

std::vector<std::string> own_runtime_folders(const char *build_folder)
{
    std::vector<std::string> folders;
    const std::string own = own_folder();
    if (!own.empty()) {
        folders.push_back(own);
        folders.push_back(own + "../runtimes/" + build_folder + "/"); /* not installed yet */
    }
    folders.push_back(VMAFX_LIBDIR "/");
    folders.push_back("");
    return folders;
}

template <typename Folders>
std::vector<std::string> combine(const Folders &folders, std::span<const char *const> names)
{
    std::vector<std::string> files;
    for (const auto &folder : folders)
        for (const char *name : names) {
            std::string file = std::string(folder) + name;
            if (std::find(files.begin(), files.end(), file) == files.end())
                files.push_back(std::move(file));
        }
    return files;
}

} // namespace

std::vector<std::string> runtime_files(uint32_t kind)
{
    switch (kind) {
    case VMAFX_RUNTIME_ROCM:
        return combine(rocm_folders, rocm_names);
    case VMAFX_RUNTIME_CUDA:
        return combine(own_runtime_folders("cuda"), cuda_names);
    case VMAFX_RUNTIME_CPU:
        return combine(own_runtime_folders("cpu"), cpu_names);
    default:
        return {};
    }
}

} // namespace vmafx::hip
