/* SPDX-License-Identifier: BSD-2-Clause */
#include "hip/runtime.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>
#include <vector>

#include "core/failure.h"
#include "hip/attempts.h"
#include "hip/runtime_files.h"

namespace vmafx::hip
{

namespace
{

struct CloseLibrary {
    void operator()(void *handle) const { dlclose(handle); }
};
using Library = std::unique_ptr<void, CloseLibrary>;

constexpr bool required = true;
constexpr bool optional = false;

template <typename Function> bool resolve(void *library, const char *name, Function &function)
{
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
}

/** Fills the table; "" or the required symbols that are missing. */
std::string fill(void *library, EntryPoints &hip)
{
    std::vector<const char *> missing;
#define VMAFX_HIP_ENTRY(name, result, params, need)                                                \
    if (!resolve(library, #name, hip.name) && (need))                                              \
        missing.push_back(#name);
#define VMAFX_HIP_OWN_ENTRY VMAFX_HIP_ENTRY
#include "hip/entry_points.def"
#undef VMAFX_HIP_ENTRY
#undef VMAFX_HIP_OWN_ENTRY
    if (missing.empty())
        return "";
    std::string text = missing.size() == 1 ? "lacks the symbol " : "lacks the symbols ";
    const size_t shown = std::min<size_t>(missing.size(), 4);
    for (size_t i = 0; i < shown; i++)
        text += std::string(i ? ", " : "") + missing[i];
    if (shown < missing.size())
        text += format(" and %zu more", missing.size() - shown);
    return text;
}

/** dlerror() without the file's own name in front. */
std::string open_error(const std::string &file)
{
    const char *error = dlerror();
    std::string text = error ? error : "unknown error of the dynamic linker";
    if (text.starts_with(file + ": "))
        text.erase(0, file.size() + 2);
    return text;
}

/** Whether the file itself does not exist; a missing library that it needs is another answer. */
bool is_absent(const std::string &file, const std::string &answer)
{
    if (file.find('/') != std::string::npos)
        return access(file.c_str(), F_OK) != 0 && errno == ENOENT;
    return answer.ends_with(std::strerror(ENOENT)) && answer.starts_with("cannot open");
}

/** ROCm's own library is the one that does not name itself. */
std::string name_of(const EntryPoints &hip)
{
    const char *name = hip.vmafx_hip_runtime_name ? hip.vmafx_hip_runtime_name() : "rocm";
    return name ? name : "";
}

uint32_t kind_of(const std::string &name)
{
    for (const uint32_t kind : {VMAFX_RUNTIME_ROCM, VMAFX_RUNTIME_CUDA, VMAFX_RUNTIME_CPU})
        if (name == runtime_kind_name(kind))
            return kind;
    return VMAFX_RUNTIME_AUTO;
}

/** ROCm says no more than "no device" when the kernel's side is at fault. */
const char *rocm_hint()
{
    if (access("/dev/kfd", R_OK | W_OK) == 0)
        return "";
    return errno == EACCES ? "; no access to /dev/kfd: join the group that owns it"
                           : "; there is no /dev/kfd: the amdgpu driver is not loaded";
}

std::string path_of(void *library, const std::string &file)
{
    struct link_map *map = nullptr;
    if (dlinfo(library, RTLD_DI_LINKMAP, &map) || !map || !map->l_name || !*map->l_name)
        return file;
    return map->l_name;
}

class Loader
{
  public:
    explicit Loader(uint32_t workers) : workers_(workers) {}

    /** kind is the runtime the file has to be, or auto for any. */
    std::shared_ptr<const Runtime> try_file(const std::string &file, uint32_t kind);

    std::shared_ptr<const Runtime> try_kind(uint32_t kind)
    {
        for (const std::string &file : runtime_files(kind))
            if (auto runtime = try_file(file, kind))
                return runtime;
        return nullptr;
    }

    const Attempts &attempts() const { return attempts_; }
    hipError_t native() const { return native_; }

  private:
    Library open(const std::string &file);
    bool answers(Runtime &runtime, const std::string &file);
    void set_workers(const Runtime &runtime) const;

    uint32_t workers_;
    hipError_t native_ = hipSuccess; /* what the last runtime without a device answered */
    Attempts attempts_;
    std::vector<Library> seen_; /* keeps handles alive so that one library is not tried twice */
};

Library Loader::open(const std::string &file)
{
    Library library(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL));
    if (library)
        return library;
    const std::string error = open_error(file);
    if (is_absent(file, error))
        attempts_.absent(file);
    else
        attempts_.refused(file, error);
    return nullptr;
}

void Loader::set_workers(const Runtime &runtime) const
{
    if (!workers_ || runtime.kind != VMAFX_RUNTIME_CPU)
        return;
    if (!runtime.hip.vmafx_cpu_set_workers)
        fail(VMAFX_E_NOTSUP, "desc.workers", "%s takes no number of workers: leave desc.workers 0",
             runtime.file.c_str());
    const hipError_t error = runtime.hip.vmafx_cpu_set_workers(workers_);
    if (error == hipErrorNotSupported)
        throw Failure(VMAFX_E_BUSY, "desc.workers",
                      format("the CPU runtime of this process already runs with a number of "
                             "workers other than %u: ask for the same number, or for 0",
                             workers_),
                      error);
    if (error == hipErrorInvalidValue)
        throw Failure(VMAFX_E_INVALID, "desc.workers",
                      format("the CPU runtime refuses %u workers: %s", workers_,
                             describe_error(runtime.hip, error).c_str()),
                      error);
    check(runtime, error, "vmafx_cpu_set_workers");
}

bool Loader::answers(Runtime &runtime, const std::string &file)
{
    int count = 0;
    const hipError_t error = runtime.hip.hipGetDeviceCount(&count);
    if (error == hipSuccess && count > 0) {
        runtime.device_count = count;
        return true;
    }
    native_ = error;
    (void)runtime.hip.hipGetLastError();
    if (error == hipSuccess || error == hipErrorNoDevice)
        attempts_.refused(file, "no device (" + describe_error(runtime.hip, hipErrorNoDevice) +
                                    (runtime.kind == VMAFX_RUNTIME_ROCM ? rocm_hint() : "") + ")");
    else
        attempts_.refused(file, "hipGetDeviceCount: " + describe_error(runtime.hip, error));
    return false;
}

std::shared_ptr<const Runtime> Loader::try_file(const std::string &file, uint32_t kind)
{
    Library library = open(file);
    if (!library)
        return nullptr;
    const auto same = [&](const Library &other) { return other.get() == library.get(); };
    if (std::any_of(seen_.begin(), seen_.end(), same))
        return nullptr; /* another name of a library that has answered */
    seen_.push_back(std::move(library));
    void *handle = seen_.back().get();

    auto runtime = std::make_shared<Runtime>();
    const std::string missing = fill(handle, runtime->hip);
    if (!missing.empty()) {
        attempts_.refused(file, missing);
        return nullptr;
    }
    const std::string name = name_of(runtime->hip);
    runtime->kind = kind_of(name);
    if (runtime->kind == VMAFX_RUNTIME_AUTO || (kind && kind != runtime->kind)) {
        const char *wanted = kind ? runtime_kind_name(kind) : "rocm, cuda or cpu";
        attempts_.refused(file, "is the runtime " + name + ", not " + wanted);
        return nullptr;
    }
    /* From the first call on it may have threads and exit handlers: it must not be unmapped. */
    const Library pin(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD | RTLD_NODELETE));
    if (!pin) {
        attempts_.refused(file, open_error(file));
        return nullptr;
    }
    runtime->file = path_of(handle, file);
    set_workers(*runtime);
    if (!answers(*runtime, file))
        return nullptr;
    if (runtime->hip.hipRuntimeGetVersion(&runtime->version) != hipSuccess)
        runtime->version = 0;
    return runtime;
}

std::shared_ptr<const Runtime> load_override(Loader &loader, const RuntimeRequest &request,
                                             const std::string &file, bool from_environment)
{
    if (auto runtime = loader.try_file(file, request.kind))
        return runtime;
    const char *origin = from_environment ? " (named by VMAFX_HIP_LIBRARY)" : "";
    throw Failure(VMAFX_E_NOTFOUND, from_environment ? "desc.runtime" : "desc.runtime_path",
                  loader.attempts().text() + origin, loader.native());
}

std::string environment_file()
{
    const char *file = secure_getenv("VMAFX_HIP_LIBRARY");
    return file ? file : "";
}

void check_request(const RuntimeRequest &request)
{
    if (request.kind > VMAFX_RUNTIME_CPU)
        fail(VMAFX_E_INVALID, "desc.runtime", "%u is no runtime: use VMAFX_RUNTIME_*",
             request.kind);
    if (!request.path.empty() && request.kind == VMAFX_RUNTIME_AUTO)
        fail(VMAFX_E_INVALID, "desc.runtime_path",
             "a runtime's file needs its kind: set desc.runtime to ROCM, CUDA or CPU");
}

} // namespace

const char *runtime_kind_name(uint32_t kind)
{
    switch (kind) {
    case VMAFX_RUNTIME_AUTO:
        return "auto";
    case VMAFX_RUNTIME_ROCM:
        return "rocm";
    case VMAFX_RUNTIME_CUDA:
        return "cuda";
    case VMAFX_RUNTIME_CPU:
        return "cpu";
    default:
        return "unknown";
    }
}

std::shared_ptr<const Runtime> load_runtime(const RuntimeRequest &request)
{
    check_request(request);
    Loader loader(request.workers);
    if (!request.path.empty())
        return load_override(loader, request, request.path, false);
    const std::string file = environment_file();
    if (!file.empty())
        return load_override(loader, request, file, true);

    const uint32_t first = request.kind ? request.kind : VMAFX_RUNTIME_ROCM;
    const uint32_t last = request.kind ? request.kind : VMAFX_RUNTIME_CPU;
    for (uint32_t kind = first; kind <= last; kind++)
        if (auto runtime = loader.try_kind(kind))
            return runtime;
    throw Failure(VMAFX_E_NOTFOUND, "desc.runtime",
                  std::string("no HIP runtime with a device for ") +
                      runtime_kind_name(request.kind) + ": " + loader.attempts().text(),
                  loader.native());
}

} // namespace vmafx::hip
