/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Everything the runtime holds for the process, made by the first call and ended when the library
 * is unloaded.
 */
#ifndef VMAFX_CPU_ENGINE_H
#define VMAFX_CPU_ENGINE_H

#include <array>
#include <optional>

#include "allocations.h"
#include "array.h"
#include "event.h"
#include "external_memory.h"
#include "handles.h"
#include "launch_log.h"
#include "module.h"
#include "scheduler.h"
#include "settings.h"

namespace vmafx::cpu
{

class Engine
{
  public:
    static Engine &get();

    hip::hipError_t state() const;
    const Settings &settings() const { return settings_; }
    /** Whether undefined memory is filled with garbage. */
    bool poison() const { return settings_.poison || scheduler.hostile(); }

    /** The stream of a handle; the null stream of the current device for a null handle. */
    StreamRef stream(hip::hipStream_t handle) const;
    StreamRef null_stream() const;

    /** Appends work, or a marker without any, to a stream. */
    hip::hipError_t submit(Stream &stream, std::unique_ptr<Work> work);
    /** The same on the null stream, and waits for it. */
    hip::hipError_t run_and_wait(std::unique_ptr<Work> work);

    void shut_down();

    Scheduler scheduler;
    Handles<Stream> streams;
    Handles<Event> events;
    Handles<Array> arrays;
    Handles<ExternalMemory> external_memories;
    Handles<Module> modules;
    Handles<const Function> functions;
    Allocations allocations;
    LaunchLog launches;

  private:
    Engine();

    const Settings settings_;
    mutable std::array<std::optional<Stream>, kMaxDevices> null_streams_;
};

/** The device that the calling thread works on. */
int current_device();

} // namespace vmafx::cpu

#endif
