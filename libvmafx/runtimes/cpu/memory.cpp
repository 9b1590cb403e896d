/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Device memory, stream-ordered memory and pinned memory: all of it is host memory.
 */
#include <sys/sysinfo.h>

#include "engine.h"
#include "errors.h"

namespace vmafx::cpu
{

namespace
{

using namespace hip;

/* The pinned memory flags of the official header; none of them changes anything here. */
constexpr unsigned int kHostMallocFlags = 0xe0000007u;

hipError_t allocate(void **memory, size_t bytes, Allocation::Kind kind, int device)
{
    if (!memory)
        return hipErrorInvalidValue;
    *memory = nullptr;
    if (bytes == 0)
        return hipSuccess;
    Engine &engine = Engine::get();
    /* The system would promise more memory than there is. */
    struct sysinfo info = {};
    if (sysinfo(&info) != 0)
        return hipErrorOutOfMemory;
    const uint64_t total = static_cast<uint64_t>(info.totalram) * info.mem_unit;
    if (bytes > total || engine.allocations.bytes() > total - bytes)
        return hipErrorOutOfMemory;
    *memory = engine.allocations.allocate(kind, bytes, device, engine.poison());
    return *memory ? hipSuccess : hipErrorOutOfMemory;
}

/** Like the real one, it waits for everything the device has been given. */
hipError_t release(void *memory, Allocation::Kind kind, Allocation::Kind other_kind)
{
    if (!memory)
        return hipSuccess;
    if (on_host_thread())
        return hipErrorNotSupported;
    Engine &engine = Engine::get();
    Allocation taken;
    if (!engine.allocations.take(memory, kind, taken) &&
        !engine.allocations.take(memory, other_kind, taken))
        return hipErrorInvalidValue;
    if (taken.kind == Allocation::Kind::mapped && !engine.scheduler.has(cpu_hostile_free_waits))
        return hipSuccess;
    return engine.scheduler.wait_device(taken.device);
}

/** Keeps memory until the stream has come to the command. */
class FreeWork final : public Work
{
  public:
    explicit FreeWork(Allocation allocation) : allocation_(std::move(allocation)) {}
    Place place() const override { return Place::none; }
    void run(uint64_t, uint64_t, WorkerMemory &) override {}

  private:
    Allocation allocation_;
};

} // namespace

} // namespace vmafx::cpu

namespace vmafx::hip
{

using cpu::Allocation;
using cpu::Engine;
using cpu::entry;

extern "C" hipError_t hipMalloc(void **memory, size_t bytes)
{
    return entry([&] {
        return cpu::allocate(memory, bytes, Allocation::Kind::device, cpu::current_device());
    });
}

extern "C" hipError_t hipFree(void *memory)
{
    return entry(
        [&] { return cpu::release(memory, Allocation::Kind::device, Allocation::Kind::mapped); });
}

extern "C" hipError_t hipMallocAsync(void **memory, size_t bytes, hipStream_t stream)
{
    return entry([&] {
        const cpu::StreamRef found = Engine::get().stream(stream);
        if (!found)
            return hipErrorInvalidHandle;
        /* Fresh memory is nobody's: it can be had ahead of the stream. */
        return cpu::allocate(memory, bytes, Allocation::Kind::device, found->device);
    });
}

extern "C" hipError_t hipFreeAsync(void *memory, hipStream_t stream)
{
    return entry([&]() -> hipError_t {
        Engine &engine = Engine::get();
        const cpu::StreamRef found = engine.stream(stream);
        if (!found)
            return hipErrorInvalidHandle;
        if (!memory)
            return hipSuccess;
        Allocation taken;
        if (!engine.allocations.take(memory, Allocation::Kind::device, taken))
            return hipErrorInvalidValue;
        return engine.submit(*found, std::make_unique<cpu::FreeWork>(std::move(taken)));
    });
}

extern "C" hipError_t hipHostMalloc(void **memory, size_t bytes, unsigned int flags)
{
    return entry([&] {
        if ((flags & ~cpu::kHostMallocFlags) != 0)
            return hipErrorInvalidValue;
        return cpu::allocate(memory, bytes, Allocation::Kind::host, cpu::current_device());
    });
}

extern "C" hipError_t hipHostFree(void *memory)
{
    return entry(
        [&] { return cpu::release(memory, Allocation::Kind::host, Allocation::Kind::host); });
}

extern "C" hipError_t hipMemGetInfo(size_t *free, size_t *total)
{
    return entry([&] {
        struct sysinfo info = {};
        if (!free || !total)
            return hipErrorInvalidValue;
        if (sysinfo(&info) != 0)
            return hipErrorOperatingSystem;
        *free = (info.freeram + info.bufferram) * info.mem_unit;
        *total = info.totalram * info.mem_unit;
        return hipSuccess;
    });
}

} // namespace vmafx::hip
