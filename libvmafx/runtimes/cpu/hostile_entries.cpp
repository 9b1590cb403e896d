/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The entry points of the hostile machine, and one that the library must never call.
 */
#include <cstdio>
#include <cstdlib>

#include "engine.h"
#include "errors.h"

namespace vmafx::hip
{

using cpu::Engine;
using cpu::entry;

extern "C" hipError_t vmafx_cpu_set_hostile(const CpuHostileOptions *options)
{
    return entry([&]() -> hipError_t {
        if (options && cpu::check_hostile(*options) != hipSuccess)
            return hipErrorInvalidValue;
        return Engine::get().scheduler.become(options);
    });
}

extern "C" uint64_t vmafx_cpu_lost_commands()
{
    return Engine::get().scheduler.lost_commands();
}

extern "C" hipError_t vmafx_cpu_reads_pinned_memory(int *answer)
{
    return entry([&] {
        if (!answer)
            return hipErrorInvalidValue;
        *answer = Engine::get().scheduler.hostile() ? 0 : 1;
        return hipSuccess;
    });
}

/* Exported, though no table of ours has it: real runtimes have it, and some abort over descriptors
 * that they do not know. */
extern "C" __attribute__((visibility("default"))) hipError_t
hipImportExternalSemaphore(void **semaphore, const void *desc)
{
    return entry([&] {
        if (!semaphore || !desc)
            return hipErrorInvalidValue;
        if (Engine::get().scheduler.has(cpu_hostile_semaphore_aborts)) {
            std::fputs("hipImportExternalSemaphore: a real runtime may abort here\n", stderr);
            std::abort();
        }
        return hipErrorNotSupported;
    });
}

} // namespace vmafx::hip
