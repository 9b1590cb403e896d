/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The entry points of streams, and of functions of the caller on them.
 */
#include "engine.h"
#include "errors.h"

namespace vmafx::cpu
{

namespace
{

class HostFunction final : public Work
{
  public:
    HostFunction(hip::hipHostFn_t function, void *opaque) : function_(function), opaque_(opaque) {}
    Place place() const override { return Place::host; }
    void run(uint64_t, uint64_t, WorkerMemory &) override { function_(opaque_); }

  private:
    hip::hipHostFn_t function_;
    void *opaque_;
};

class Callback final : public Work
{
  public:
    Callback(hip::hipStreamCallback_t callback, hip::hipStream_t stream, void *opaque)
        : callback_(callback), stream_(stream), opaque_(opaque)
    {
    }
    Place place() const override { return Place::host; }
    void run(uint64_t, uint64_t, WorkerMemory &) override
    {
        callback_(stream_, hip::hipSuccess, opaque_);
    }

  private:
    hip::hipStreamCallback_t callback_;
    hip::hipStream_t stream_;
    void *opaque_;
};

} // namespace

} // namespace vmafx::cpu

namespace vmafx::hip
{

using cpu::Engine;
using cpu::entry;
using cpu::StreamRef;

extern "C" hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned int flags)
{
    return entry([&] {
        if (!stream || (flags & ~stream_non_blocking) != 0)
            return hipErrorInvalidValue;
        const cpu::StreamKind kind =
            flags == stream_default ? cpu::StreamKind::blocking : cpu::StreamKind::non_blocking;
        auto created = std::make_shared<cpu::Stream>(cpu::current_device(), kind);
        Engine &engine = Engine::get();
        engine.scheduler.add(created);
        *stream = reinterpret_cast<hipStream_t>(created.get());
        engine.streams.insert(std::move(created));
        return hipSuccess;
    });
}

extern "C" hipError_t hipStreamDestroy(hipStream_t stream)
{
    return entry([&] {
        const StreamRef found = Engine::get().streams.take(stream);
        if (!found)
            return hipErrorInvalidHandle;
        Engine::get().scheduler.retire(found);
        return hipSuccess;
    });
}

extern "C" hipError_t hipStreamQuery(hipStream_t stream)
{
    return entry([&]() -> hipError_t {
        const StreamRef found = Engine::get().stream(stream);
        return found ? Engine::get().scheduler.query(*found) : hipErrorInvalidHandle;
    });
}

extern "C" hipError_t hipStreamSynchronize(hipStream_t stream)
{
    return entry([&]() -> hipError_t {
        const StreamRef found = Engine::get().stream(stream);
        return found ? Engine::get().scheduler.wait(*found) : hipErrorInvalidHandle;
    });
}

extern "C" hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned int flags)
{
    return entry([&]() -> hipError_t {
        Engine &engine = Engine::get();
        const StreamRef found = engine.stream(stream);
        const auto awaited = engine.events.find(event);
        if (!found || !awaited)
            return hipErrorInvalidHandle;
        if (flags != 0)
            return hipErrorInvalidValue;
        const cpu::CommandRef marker = awaited->recorded();
        if (!marker)
            return hipSuccess;
        return engine.scheduler.submit(*found, std::make_shared<cpu::Command>(nullptr), marker);
    });
}

extern "C" hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t *device)
{
    return entry([&] {
        const StreamRef found = Engine::get().stream(stream);
        if (!found)
            return hipErrorInvalidHandle;
        if (!device)
            return hipErrorInvalidValue;
        *device = found->device;
        return hipSuccess;
    });
}

extern "C" hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t function, void *opaque)
{
    return entry([&]() -> hipError_t {
        const StreamRef found = Engine::get().stream(stream);
        if (!found)
            return hipErrorInvalidHandle;
        if (!function)
            return hipErrorInvalidValue;
        return Engine::get().submit(*found, std::make_unique<cpu::HostFunction>(function, opaque));
    });
}

extern "C" hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback,
                                           void *opaque, unsigned int flags)
{
    return entry([&]() -> hipError_t {
        const StreamRef found = Engine::get().stream(stream);
        if (!found)
            return hipErrorInvalidHandle;
        if (!callback || flags != 0)
            return hipErrorInvalidValue;
        return Engine::get().submit(*found,
                                    std::make_unique<cpu::Callback>(callback, stream, opaque));
    });
}

} // namespace vmafx::hip
