/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/runtime_calls.h"

#include <stdexcept>

#include <dlfcn.h>

#include "hip/hip_abi.h"
#include "support/handles.h"

namespace support
{

using namespace vmafx::hip;

namespace
{

constexpr const char *kKinds[] = {"streams",       "events",        "arrays",          "modules",
                                  "device memory", "pinned memory", "external memory", "mappings"};

} // namespace

struct RuntimeCalls::Table {
#define VMAFX_HIP_ENTRY(name, result, parameters, need)
#define VMAFX_HIP_CONTROL_ENTRY(name, result, parameters, need) result(*name) parameters = nullptr;
#include "hip/entry_points.def"
#undef VMAFX_HIP_CONTROL_ENTRY

    explicit Table(void *library)
    {
#define VMAFX_HIP_CONTROL_ENTRY(name, result, parameters, need)                                    \
    name = reinterpret_cast<decltype(name)>(dlsym(library, #name));                                \
    if (!name)                                                                                     \
        throw std::runtime_error("the runtime lacks " #name);
#include "hip/entry_points.def"
#undef VMAFX_HIP_CONTROL_ENTRY
#undef VMAFX_HIP_ENTRY
    }

    static const Table &get()
    {
        static const Table table(open());
        return table;
    }

  private:
    static void *open()
    {
        const std::string file = info_of(open_cpu_device()).runtime_file;
        void *library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!library)
            throw std::runtime_error(dlerror());
        return library;
    }
};

RuntimeCalls::RuntimeCalls() : table_(&Table::get()) {}

const RuntimeCalls &RuntimeCalls::get()
{
    static const RuntimeCalls calls;
    return calls;
}

void RuntimeCalls::reset() const
{
    table_->vmafx_cpu_reset_calls();
}

std::vector<std::string> RuntimeCalls::entries() const
{
    std::vector<std::string> names;
    for (uint32_t i = 0; const char *name = table_->vmafx_cpu_entry_name(i); ++i)
        names.emplace_back(name);
    return names;
}

CallCounts RuntimeCalls::counts() const
{
    CallCounts counts;
    for (const std::string &name : entries())
        if (const uint64_t n = count(name.c_str()))
            counts[name] = n;
    return counts;
}

uint64_t RuntimeCalls::count(const char *entry) const
{
    return table_->vmafx_cpu_call_count(entry);
}

uint64_t RuntimeCalls::launches(const std::string &kernel) const
{
    return table_->vmafx_cpu_launch_count(kernel.empty() ? nullptr : kernel.c_str());
}

void RuntimeCalls::fail(const std::string &entry, uint64_t n, int error) const
{
    if (table_->vmafx_cpu_set_fault(entry.c_str(), n, static_cast<hipError_t>(error)) != hipSuccess)
        throw std::runtime_error("no such fault: " + entry);
}

uint64_t RuntimeCalls::failed() const
{
    return table_->vmafx_cpu_fault_count();
}

std::map<std::string, uint64_t> RuntimeCalls::live() const
{
    std::map<std::string, uint64_t> live;
    for (const char *kind : kKinds)
        live[kind] = table_->vmafx_cpu_live_count(kind);
    return live;
}

uint64_t RuntimeCalls::allocated_bytes() const
{
    return table_->vmafx_cpu_allocated_bytes();
}

} // namespace support
