/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The entry points by which tests read the call log and set faults.
 */
#include "gate_control.h"

#include <optional>
#include <string_view>
#include <type_traits>

#include "engine.h"
#include "errors.h"

namespace vmafx::cpu
{

namespace
{

using namespace hip;

struct EntryFacts {
    const char *name;
    bool fallible;
};

constexpr EntryFacts kFacts[] = {
#define VMAFX_HIP_ENTRY(name, result, parameters, need) {#name, std::is_same_v<result, hipError_t>},
#define VMAFX_HIP_OWN_ENTRY VMAFX_HIP_ENTRY
#include "hip/entry_points.def"
#undef VMAFX_HIP_OWN_ENTRY
#undef VMAFX_HIP_ENTRY
};
static_assert(std::size(kFacts) == kEntries);

std::optional<size_t> index_of(std::string_view name)
{
    for (size_t i = 0; i < kEntries; ++i)
        if (name == kFacts[i].name)
            return i;
    return std::nullopt;
}

uint64_t calls_of(size_t entry)
{
    return call_log.calls[entry].load(std::memory_order_relaxed);
}

struct Live {
    const char *kind;
    size_t count;
};

std::array<Live, 8> live_objects()
{
    using Kind = Allocation::Kind;
    const Engine &engine = Engine::get();
    return {{{"streams", engine.streams.size()},
             {"events", engine.events.size()},
             {"arrays", engine.arrays.size()},
             {"modules", engine.modules.size()},
             {"device memory", engine.allocations.count(Kind::device)},
             {"pinned memory", engine.allocations.count(Kind::host)},
             {"external memory", engine.external_memories.size()},
             {"mappings", engine.allocations.count(Kind::mapped)}}};
}

} // namespace

} // namespace vmafx::cpu

namespace vmafx::hip
{

using cpu::Engine;

extern "C" hipError_t vmafx_cpu_set_fault(const char *entry, uint64_t n, hipError_t error)
{
    if (n == 0 || error == hipSuccess)
        return hipErrorInvalidValue;
    if (!entry) {
        cpu::set_fault(cpu::Entry::count, n, error);
        return hipSuccess;
    }
    const auto index = cpu::index_of(entry);
    if (!index || !cpu::kFacts[*index].fallible)
        return hipErrorNotFound;
    cpu::set_fault(static_cast<cpu::Entry>(*index), n, error);
    return hipSuccess;
}

extern "C" uint64_t vmafx_cpu_fault_count()
{
    return cpu::failed_calls();
}

extern "C" uint64_t vmafx_cpu_call_count(const char *entry)
{
    if (entry) {
        const auto index = cpu::index_of(entry);
        return index ? cpu::calls_of(*index) : UINT64_MAX;
    }
    uint64_t sum = 0;
    for (size_t i = 0; i < cpu::kEntries; ++i)
        sum += cpu::calls_of(i);
    return sum;
}

extern "C" uint64_t vmafx_cpu_launch_count(const char *kernel)
{
    return Engine::get().launches.sum(kernel ? kernel : "");
}

extern "C" const char *vmafx_cpu_entry_name(uint32_t index)
{
    return index < cpu::kEntries ? cpu::kFacts[index].name : nullptr;
}

extern "C" uint64_t vmafx_cpu_live_count(const char *kind)
{
    uint64_t sum = 0;
    for (const cpu::Live &live : cpu::live_objects()) {
        if (kind && std::string_view(kind) == live.kind)
            return live.count;
        sum += live.count;
    }
    return kind ? UINT64_MAX : sum;
}

extern "C" uint64_t vmafx_cpu_allocated_bytes()
{
    return Engine::get().allocations.bytes();
}

extern "C" void vmafx_cpu_reset_calls()
{
    cpu::reset_faults();
    for (std::atomic<uint64_t> &calls : cpu::call_log.calls)
        calls.store(0, std::memory_order_relaxed);
    Engine::get().launches.reset();
}

} // namespace vmafx::hip
