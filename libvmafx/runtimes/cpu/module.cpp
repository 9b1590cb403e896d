/* SPDX-License-Identifier: BSD-2-Clause */
#include "module.h"

#include <cerrno>
#include <cstdio>

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include "engine.h"
#include "errors.h"
#include "image_file.h"

namespace vmafx::cpu
{

using namespace hip;

namespace
{

constexpr uint64_t kMaxArgumentBytes = 4096;
constexpr uint64_t kMaxTileBytes = uint64_t{16} << 20;

bool sound(const vx::CpuKernel *kernel)
{
    return kernel && kernel->name && kernel->run && kernel->args_size <= kMaxArgumentBytes &&
           kernel->tile_size <= kMaxTileBytes;
}

/** The dynamic loader opens a descriptor and does not tell when there was none. */
bool descriptor_left()
{
    const int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    if (fd < 0)
        return errno != EMFILE && errno != ENFILE;
    close(fd);
    return true;
}

} // namespace

hipError_t Module::load(const void *image, std::shared_ptr<Module> &module)
{
    auto loaded = std::make_shared<Module>();
    if (const hipError_t error = copy_image_to_file(image, loaded->fd_); error != hipSuccess)
        return error;
    /* The dynamic loader takes an object of a known name for the one it has: the descriptor stays
     * open with the module, so that its number, and this name, are not used again. */
    char path[64];
    std::snprintf(path, sizeof(path), "/proc/self/fd/%d", loaded->fd_);
    loaded->object_ = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!loaded->object_)
        return descriptor_left() ? hipErrorInvalidImage : hipErrorOutOfMemory;
    if (const hipError_t error = loaded->read_descriptor(); error != hipSuccess)
        return error;
    module = std::move(loaded);
    return hipSuccess;
}

Module::~Module()
{
    if (object_)
        dlclose(object_);
    if (fd_ >= 0)
        close(fd_);
}

hipError_t Module::read_descriptor()
{
    const auto *image = static_cast<const vx::CpuImage *>(dlsym(object_, VX_CPU_IMAGE_SYMBOL));
    if (!image || image->magic != vx::kCpuImageMagic || image->abi != vx::kCpuImageAbi)
        return hipErrorInvalidImage;
    if (!image->begin || !image->end || image->begin > image->end)
        return hipErrorInvalidImage;
    for (const vx::CpuKernel *const *entry = image->begin; entry != image->end; ++entry) {
        if (!sound(*entry))
            return hipErrorInvalidImage;
        functions_.push_back({*entry, Engine::get().launches.of((*entry)->name)});
    }
    return hipSuccess;
}

const Function *Module::find(std::string_view name) const
{
    for (const Function &function : functions_) {
        if (name == function.kernel->name)
            return &function;
    }
    return nullptr;
}

} // namespace vmafx::cpu

namespace vmafx::hip
{

using cpu::Engine;
using cpu::entry;

extern "C" hipError_t hipModuleLoadData(hipModule_t *module, const void *image)
{
    return entry([&] {
        if (!module || !image)
            return hipErrorInvalidValue;
        std::shared_ptr<cpu::Module> loaded;
        if (const hipError_t error = cpu::Module::load(image, loaded); error != hipSuccess)
            return error;
        *module = reinterpret_cast<hipModule_t>(loaded.get());
        Engine::get().modules.insert(std::move(loaded));
        return hipSuccess;
    });
}

/* Launches that are still queued keep the code. */
extern "C" hipError_t hipModuleUnload(hipModule_t module)
{
    return entry([&] {
        const auto taken = Engine::get().modules.take(module);
        if (!taken)
            return hipErrorInvalidHandle;
        for (const cpu::Function &function : taken->functions())
            Engine::get().functions.take(&function);
        return hipSuccess;
    });
}

extern "C" hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module,
                                           const char *name)
{
    return entry([&] {
        if (!function || !name)
            return hipErrorInvalidValue;
        const auto found = Engine::get().modules.find(module);
        if (!found)
            return hipErrorInvalidHandle;
        const cpu::Function *kernel = found->find(name);
        if (!kernel)
            return hipErrorNotFound;
        /* Shares the ownership of the module. */
        std::shared_ptr<const cpu::Function> handle(found, kernel);
        *function = reinterpret_cast<hipFunction_t>(const_cast<cpu::Function *>(kernel));
        Engine::get().functions.insert(std::move(handle));
        return hipSuccess;
    });
}

} // namespace vmafx::hip
