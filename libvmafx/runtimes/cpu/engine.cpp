/* SPDX-License-Identifier: BSD-2-Clause */
#include "engine.h"

#include <cstddef>

namespace vmafx::cpu
{

using namespace hip;

namespace
{

/* hipStreamLegacy of the official header: the null stream by name. */
// NOLINTNEXTLINE(performance-no-int-to-ptr): the ABI has a number there
const auto kLegacyStream = reinterpret_cast<hipStream_t>(uintptr_t{1});

} // namespace

/* The engine is never destroyed, only emptied: threads of the process may still call in while it
 * exits, and must find a runtime that answers "shut down". */
Engine &Engine::get()
{
    struct Unload {
        ~Unload() { Engine::get().shut_down(); }
    };
    alignas(Engine) static std::byte storage[sizeof(Engine)];
    static Engine &engine = *new (storage) Engine;
    static const Unload unload;
    return engine;
}

Engine::Engine() : settings_(read_settings())
{
    scheduler.configure(settings_.workers);
    if (settings_.hostile)
        scheduler.become(&settings_.hostile_options);
    for (int device = 0; device < settings_.devices; ++device) {
        Stream &stream =
            null_streams_[static_cast<size_t>(device)].emplace(device, StreamKind::null);
        scheduler.add(StreamRef(StreamRef(), &stream));
    }
}

hipError_t Engine::state() const
{
    if (settings_.error[0] != '\0')
        return hipErrorNotInitialized;
    return scheduler.stopped() ? hipErrorDeinitialized : hipSuccess;
}

StreamRef Engine::null_stream() const
{
    /* Part of the engine: the reference owns nothing. */
    return StreamRef(StreamRef(), &*null_streams_[static_cast<size_t>(current_device())]);
}

StreamRef Engine::stream(hipStream_t handle) const
{
    return handle == nullptr || handle == kLegacyStream ? null_stream() : streams.find(handle);
}

hipError_t Engine::submit(Stream &stream, std::unique_ptr<Work> work)
{
    return scheduler.submit(stream, std::make_shared<Command>(std::move(work), false));
}

hipError_t Engine::run_and_wait(std::unique_ptr<Work> work)
{
    if (on_host_thread())
        return hipErrorNotSupported;
    const CommandRef command = std::make_shared<Command>(std::move(work));
    const hipError_t error = scheduler.submit(*null_stream(), command);
    return error != hipSuccess ? error : scheduler.wait(command);
}

void Engine::shut_down()
{
    scheduler.shut_down();
    if (!scheduler.stopped())
        return;
    functions.clear();
    modules.clear();
    launches.clear();
    external_memories.clear();
    arrays.clear();
    events.clear();
    streams.clear();
    allocations.forget();
}

} // namespace vmafx::cpu
