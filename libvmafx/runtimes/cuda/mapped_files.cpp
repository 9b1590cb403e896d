/* SPDX-License-Identifier: BSD-2-Clause */
#include "mapped_files.h"

#include <cerrno>

#include <sys/mman.h>
#include <sys/stat.h>

#include "errors.h"

namespace vmafx::cuda
{

namespace
{

using namespace hip;

constexpr unsigned int kLockFlags = mem_host_portable | mem_host_device_map;

} // namespace

hipError_t MappedFile::map(const DriverFunctions &cu, int fd, size_t bytes,
                           std::shared_ptr<MappedFile> &file)
{
    struct stat status = {};
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))
        return hipErrorInvalidValue;
    /* A mapping past the end would be there, and kill whoever reads it. */
    if (status.st_size < 0 || bytes > static_cast<uint64_t>(status.st_size))
        return hipErrorInvalidValue;
    unsigned int flags = kLockFlags;
    void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) {
        flags |= mem_register_read_only;
        memory = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, fd, 0);
    }
    if (memory == MAP_FAILED)
        return errno == ENOMEM ? hipErrorOutOfMemory : hipErrorInvalidValue;
    file = std::make_shared<MappedFile>(cu, memory, bytes);
    return file->lock(flags);
}

hipError_t MappedFile::lock(unsigned int flags)
{
    if (const CUresult result = cu_.cuMemHostRegister(memory_, bytes_, flags); result != kSuccess)
        return answer(result, "cuMemHostRegister");
    const CUresult result = cu_.cuMemHostGetDevicePointer(&address_, memory_, 0);
    if (result != kSuccess) {
        address_ = 0;
        cu_.cuMemHostUnregister(memory_);
    }
    return answer(result, "cuMemHostGetDevicePointer");
}

MappedFile::~MappedFile()
{
    if (address_ != 0)
        cu_.cuMemHostUnregister(memory_);
    munmap(memory_, bytes_);
}

void MappedFiles::add(const void *address, std::shared_ptr<MappedFile> file)
{
    const std::lock_guard lock(mutex_);
    buffers_.emplace(address, std::move(file));
}

bool MappedFiles::take(const void *address)
{
    std::shared_ptr<MappedFile> file; /* unmapped outside of the lock */
    const std::lock_guard lock(mutex_);
    const auto found = buffers_.find(address);
    if (found == buffers_.end())
        return false;
    file = std::move(found->second);
    buffers_.erase(found);
    return true;
}

} // namespace vmafx::cuda
