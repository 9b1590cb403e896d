/* SPDX-License-Identifier: BSD-2-Clause
 *
 * External memory of a descriptor. The driver takes a descriptor that it imports, and this
 * interface leaves it to the caller: the driver gets a duplicate.
 */
#include <memory>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "errors.h"
#include "pointers.h"

namespace vmafx::cuda
{

namespace
{

using namespace hip;

/** What a hipExternalMemory_t points to; one of the two. */
struct ExternalMemory {
    CUexternalMemory driver = nullptr;
    std::shared_ptr<MappedFile> file;
    uint64_t bytes = 0;
};

ExternalMemory *object(hipExternalMemory_t handle)
{
    return reinterpret_cast<ExternalMemory *>(handle);
}

hipError_t import_exported(const DriverFunctions &cu, const hipExternalMemoryHandleDesc &desc,
                           ExternalMemory &memory)
{
    const int duplicate = fcntl(desc.handle.fd, F_DUPFD_CLOEXEC, 0);
    if (duplicate < 0)
        return hipErrorOperatingSystem;
    ExternalMemoryHandleDesc wanted = {};
    wanted.type = external_opaque_fd;
    wanted.handle.fd = duplicate;
    wanted.size = desc.size;
    wanted.flags = desc.flags;
    const CUresult result = cu.cuImportExternalMemory(&memory.driver, &wanted);
    if (result != kSuccess)
        close(duplicate);
    return answer(result, "cuImportExternalMemory");
}

hipError_t import(const DriverFunctions &cu, const hipExternalMemoryHandleDesc &desc,
                  ExternalMemory &memory)
{
    if (desc.type != hipExternalMemoryHandleTypeOpaqueFd || desc.size == 0 ||
        (desc.flags & ~external_memory_dedicated) != 0)
        return hipErrorInvalidValue;
    struct stat status = {};
    if (desc.handle.fd < 0 || fstat(desc.handle.fd, &status) != 0)
        return hipErrorInvalidValue;
    memory.bytes = desc.size;
    if (S_ISREG(status.st_mode))
        return MappedFile::map(cu, desc.handle.fd, desc.size, memory.file);
    return import_exported(cu, desc, memory);
}

hipError_t map(Driver &driver, const ExternalMemory &memory,
               const hipExternalMemoryBufferDesc &desc, void *&mapped)
{
    if (desc.flags != 0 || desc.size == 0 || desc.offset > memory.bytes ||
        desc.size > memory.bytes - desc.offset)
        return hipErrorInvalidValue;
    if (memory.file) {
        mapped = pointer(memory.file->address() + desc.offset);
        driver.mapped_files.add(mapped, memory.file);
        return hipSuccess;
    }
    ExternalMemoryBufferDesc wanted = {};
    wanted.offset = desc.offset;
    wanted.size = desc.size;
    CUdeviceptr made = 0;
    const hipError_t error =
        answer(driver.cu.cuExternalMemoryGetMappedBuffer(&made, memory.driver, &wanted),
               "cuExternalMemoryGetMappedBuffer");
    if (error == hipSuccess)
        mapped = pointer(made);
    return error;
}

} // namespace

} // namespace vmafx::cuda

namespace vmafx::hip
{

using cuda::DriverFunctions;
using cuda::in_context;

extern "C" hipError_t hipImportExternalMemory(hipExternalMemory_t *memory,
                                              const hipExternalMemoryHandleDesc *desc)
{
    return in_context([&](const DriverFunctions &cu) -> hipError_t {
        if (!memory || !desc)
            return hipErrorInvalidValue;
        auto imported = std::make_unique<cuda::ExternalMemory>();
        const hipError_t error = cuda::import(cu, *desc, *imported);
        if (error == hipSuccess)
            *memory = reinterpret_cast<hipExternalMemory_t>(imported.release());
        return error;
    });
}

extern "C" hipError_t hipExternalMemoryGetMappedBuffer(void **mapped, hipExternalMemory_t memory,
                                                       const hipExternalMemoryBufferDesc *desc)
{
    return in_context([&](const DriverFunctions &) -> hipError_t {
        if (!mapped || !desc)
            return hipErrorInvalidValue;
        if (!memory)
            return hipErrorInvalidHandle;
        return cuda::map(cuda::Driver::get(), *cuda::object(memory), *desc, *mapped);
    });
}

extern "C" hipError_t hipDestroyExternalMemory(hipExternalMemory_t memory)
{
    return in_context([&](const DriverFunctions &cu) -> hipError_t {
        if (!memory)
            return hipErrorInvalidHandle;
        const std::unique_ptr<cuda::ExternalMemory> owned(cuda::object(memory));
        if (!owned->driver)
            return hipSuccess;
        return cuda::answer(cu.cuDestroyExternalMemory(owned->driver), "cuDestroyExternalMemory");
    });
}

} // namespace vmafx::hip
