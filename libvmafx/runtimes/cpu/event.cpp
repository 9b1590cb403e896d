/* SPDX-License-Identifier: BSD-2-Clause */
#include "event.h"

#include "engine.h"
#include "errors.h"

namespace vmafx::hip
{

using cpu::CommandRef;
using cpu::Engine;
using cpu::entry;

namespace
{

/* Blocking sync changes nothing, waits always sleep; the rest asks for what is not here. */
constexpr unsigned int kEventFlags = event_blocking_sync | event_disable_timing;

} // namespace

extern "C" hipError_t hipEventCreateWithFlags(hipEvent_t *event, unsigned int flags)
{
    return entry([&] {
        if (!event || (flags & ~kEventFlags) != 0)
            return hipErrorInvalidValue;
        auto created = std::make_shared<cpu::Event>((flags & event_disable_timing) == 0);
        *event = reinterpret_cast<hipEvent_t>(created.get());
        Engine::get().events.insert(std::move(created));
        return hipSuccess;
    });
}

extern "C" hipError_t hipEventDestroy(hipEvent_t event)
{
    return entry(
        [&] { return Engine::get().events.take(event) ? hipSuccess : hipErrorInvalidHandle; });
}

extern "C" hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream)
{
    return entry([&]() -> hipError_t {
        Engine &engine = Engine::get();
        const auto found = engine.events.find(event);
        const cpu::StreamRef on = engine.stream(stream);
        if (!found || !on)
            return hipErrorInvalidHandle;
        const CommandRef marker = std::make_shared<cpu::Command>(nullptr);
        const hipError_t error = engine.scheduler.submit(*on, marker);
        if (error == hipSuccess)
            found->set_recorded(marker);
        return error;
    });
}

extern "C" hipError_t hipEventQuery(hipEvent_t event)
{
    return entry([&]() -> hipError_t {
        const auto found = Engine::get().events.find(event);
        if (!found)
            return hipErrorInvalidHandle;
        return Engine::get().scheduler.query(found->recorded());
    });
}

extern "C" hipError_t hipEventSynchronize(hipEvent_t event)
{
    return entry([&]() -> hipError_t {
        const auto found = Engine::get().events.find(event);
        if (!found)
            return hipErrorInvalidHandle;
        return Engine::get().scheduler.wait(found->recorded());
    });
}

extern "C" hipError_t hipEventElapsedTime(float *milliseconds, hipEvent_t start, hipEvent_t stop)
{
    return entry([&] {
        if (!milliseconds)
            return hipErrorInvalidValue;
        const auto from = Engine::get().events.find(start);
        const auto to = Engine::get().events.find(stop);
        if (!from || !to || !from->timed() || !to->timed())
            return hipErrorInvalidHandle;
        const CommandRef begin = from->recorded();
        const CommandRef end = to->recorded();
        if (!begin || !end)
            return hipErrorInvalidHandle;
        if (!begin->done.load(std::memory_order_acquire) ||
            !end->done.load(std::memory_order_acquire))
            return hipErrorNotReady;
        *milliseconds =
            static_cast<float>(static_cast<double>(end->finished_ns - begin->finished_ns) * 1e-6);
        return hipSuccess;
    });
}

} // namespace vmafx::hip
