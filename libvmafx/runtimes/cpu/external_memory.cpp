/* SPDX-License-Identifier: BSD-2-Clause
 *
 * External memory of a descriptor, dma-buf or memfd, by mapping it. As with ROCm the descriptor
 * stays the caller's, and may be closed after the import.
 *
 * Reads of a dma-buf are not bracketed with DMA_BUF_IOCTL_SYNC: device writes are coherent with CPU
 * caches on x86-64, and the begin of a bracket would wait for the buffer's fences, which an import
 * must never do. Who imports sees to the fences.
 */
#include "external_memory.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine.h"
#include "errors.h"

namespace vmafx::cpu
{

ExternalMemory::~ExternalMemory()
{
    munmap(address, bytes);
}

namespace
{

using namespace hip;

constexpr int kGarbage = 0xa5;
constexpr size_t kMaxGarbageBytes = size_t{64} << 20;

/** Bytes behind a descriptor, or -1 where it cannot tell. A dma-buf tells by seeking only; of a
 * regular file the position belongs to the caller. */
off_t size_of(int fd, const struct stat &status)
{
    if (S_ISREG(status.st_mode))
        return status.st_size;
    const off_t end = lseek(fd, 0, SEEK_END);
    if (end >= 0)
        lseek(fd, 0, SEEK_SET);
    return end;
}

/** Maps a file, at an address if one is given; writable is false where it can only be read. */
void *map_file(int fd, size_t bytes, void *at, bool &writable)
{
    const int flags = at ? MAP_SHARED | MAP_FIXED : MAP_SHARED;
    writable = true;
    void *address = mmap(at, bytes, PROT_READ | PROT_WRITE, flags, fd, 0);
    if (address != MAP_FAILED)
        return address;
    writable = false;
    return mmap(at, bytes, PROT_READ, flags, fd, 0);
}

hipError_t keep(void *address, size_t bytes, bool writable, std::shared_ptr<ExternalMemory> &memory)
{
    if (address == MAP_FAILED)
        return errno == ENOMEM ? hipErrorOutOfMemory : hipErrorInvalidValue;
    memory = std::make_shared<ExternalMemory>(address, bytes, writable);
    return hipSuccess;
}

/** As ROCm does: the import of a size beyond the buffer's succeeds, and what is there is not the
 * buffer's. */
hipError_t map_with_garbage(int fd, size_t file_bytes, size_t bytes,
                            std::shared_ptr<ExternalMemory> &memory)
{
    void *room = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (const hipError_t error = keep(room, bytes, true, memory); error != hipSuccess)
        return error;
    std::memset(room, kGarbage, std::min(bytes, kMaxGarbageBytes));
    bool writable = true;
    if (file_bytes == 0 || map_file(fd, file_bytes, room, writable) != MAP_FAILED)
        return hipSuccess;
    memory.reset();
    return hipErrorInvalidValue;
}

hipError_t import(const hipExternalMemoryHandleDesc &desc, std::shared_ptr<ExternalMemory> &memory)
{
    if (desc.type != hipExternalMemoryHandleTypeOpaqueFd || desc.size == 0 ||
        (desc.flags & ~external_memory_dedicated) != 0)
        return hipErrorInvalidValue;
    const int fd = desc.handle.fd;
    struct stat status = {};
    if (fd < 0 || fstat(fd, &status) != 0)
        return hipErrorInvalidValue;
    const off_t size = size_of(fd, status);
    const bool too_large = size >= 0 && desc.size > static_cast<unsigned long long>(size);
    if (too_large && Engine::get().scheduler.has(cpu_hostile_any_size))
        return map_with_garbage(fd, static_cast<size_t>(size), desc.size, memory);
    /* A mapping past the end would be there, and kill whoever reads it. */
    if (too_large)
        return hipErrorInvalidValue;
    bool writable = true;
    void *address = map_file(fd, desc.size, nullptr, writable);
    return keep(address, desc.size, writable, memory);
}

} // namespace

} // namespace vmafx::cpu

namespace vmafx::hip
{

using cpu::Engine;
using cpu::entry;

extern "C" hipError_t hipImportExternalMemory(hipExternalMemory_t *memory,
                                              const hipExternalMemoryHandleDesc *desc)
{
    return entry([&] {
        if (!memory || !desc)
            return hipErrorInvalidValue;
        std::shared_ptr<cpu::ExternalMemory> imported;
        if (const hipError_t error = cpu::import(*desc, imported); error != hipSuccess)
            return error;
        *memory = reinterpret_cast<hipExternalMemory_t>(imported.get());
        Engine::get().external_memories.insert(std::move(imported));
        return hipSuccess;
    });
}

extern "C" hipError_t hipExternalMemoryGetMappedBuffer(void **mapped, hipExternalMemory_t memory,
                                                       const hipExternalMemoryBufferDesc *desc)
{
    return entry([&] {
        if (!mapped || !desc)
            return hipErrorInvalidValue;
        const auto found = Engine::get().external_memories.find(memory);
        if (!found)
            return hipErrorInvalidHandle;
        if (desc->flags != 0 || desc->size == 0 || desc->offset > found->bytes ||
            desc->size > found->bytes - desc->offset)
            return hipErrorInvalidValue;
        void *address = static_cast<std::byte *>(found->address) + desc->offset;
        cpu::Allocation allocation;
        allocation.kind = cpu::Allocation::Kind::mapped;
        allocation.bytes = desc->size;
        allocation.device = cpu::current_device();
        allocation.writable = found->writable;
        allocation.owner = found;
        Engine::get().allocations.add(address, std::move(allocation));
        *mapped = address;
        return hipSuccess;
    });
}

/* Buffers that were mapped keep the memory until each has been freed. */
extern "C" hipError_t hipDestroyExternalMemory(hipExternalMemory_t memory)
{
    return entry([&] {
        return Engine::get().external_memories.take(memory) ? hipSuccess : hipErrorInvalidHandle;
    });
}

} // namespace vmafx::hip
