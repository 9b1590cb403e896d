/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The CPU runtime, with a count of what profiling is about: events that take the time, and launches
 * by the kernel's name. Other entry points are found in the runtime that this library is linked to.
 */
#include "counting_runtime.h"

#include <map>
#include <mutex>
#include <set>
#include <string>

#include <dlfcn.h>

namespace
{

constexpr unsigned kDisableTiming = 2;

struct Counts {
    std::mutex lock;
    std::set<void *> timed;
    uint64_t created = 0, recorded = 0;
    std::map<void *, std::string> names;
    std::map<std::string, uint64_t> launches;

    static Counts &get()
    {
        static Counts counts;
        return counts;
    }
};

template <class Function> Function *next(const char *name)
{
    return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

} // namespace

extern "C" {

#define EXPORT __attribute__((visibility("default")))

/* A use by name: else the linker would drop the runtime. */
int hipInit(unsigned flags);
EXPORT int (*vmafx_test_runtime)(unsigned) = hipInit;

EXPORT int hipEventCreateWithFlags(void **event, unsigned flags)
{
    static auto *real = next<int(void **, unsigned)>("hipEventCreateWithFlags");
    const int error = real(event, flags);
    Counts &counts = Counts::get();
    std::lock_guard lock(counts.lock);
    if (error == 0 && !(flags & kDisableTiming)) {
        counts.timed.insert(*event);
        ++counts.created;
    }
    return error;
}

EXPORT int hipEventDestroy(void *event)
{
    static auto *real = next<int(void *)>("hipEventDestroy");
    {
        Counts &counts = Counts::get();
        std::lock_guard lock(counts.lock);
        counts.timed.erase(event);
    }
    return real(event);
}

EXPORT int hipEventRecord(void *event, void *stream)
{
    static auto *real = next<int(void *, void *)>("hipEventRecord");
    {
        Counts &counts = Counts::get();
        std::lock_guard lock(counts.lock);
        counts.recorded += counts.timed.count(event);
    }
    return real(event, stream);
}

EXPORT int hipModuleGetFunction(void **function, void *module, const char *name)
{
    static auto *real = next<int(void **, void *, const char *)>("hipModuleGetFunction");
    const int error = real(function, module, name);
    if (error == 0) {
        Counts &counts = Counts::get();
        std::lock_guard lock(counts.lock);
        counts.names[*function] = name;
    }
    return error;
}

EXPORT int hipModuleLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                 unsigned block_x, unsigned block_y, unsigned block_z,
                                 unsigned shared, void *stream, void **arguments, void **extra)
{
    static auto *real = next<int(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                 unsigned, void *, void **, void **)>("hipModuleLaunchKernel");
    {
        Counts &counts = Counts::get();
        std::lock_guard lock(counts.lock);
        ++counts.launches[counts.names[function]];
    }
    return real(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream,
                arguments, extra);
}

EXPORT void vmafx_test_counts(CountedEvents *events, void *opaque,
                              void (*kernel)(void *opaque, const char *name, uint64_t launches))
{
    Counts &counts = Counts::get();
    std::lock_guard lock(counts.lock);
    *events = {counts.created, counts.recorded};
    for (const auto &[name, launches] : counts.launches)
        kernel(opaque, name.c_str(), launches);
}

} // extern "C"
