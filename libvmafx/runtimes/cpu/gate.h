/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What every call from outside passes first: it is counted, and it may be made to fail. The
 * exported functions are written by gate_entries.py out of the list of entry points; those of this
 * runtime have the symbols inner_*, so that none can be reached past the gate.
 *
 * While no fault is set a call costs one relaxed increment and one predicted branch.
 */
#ifndef VMAFX_CPU_GATE_H
#define VMAFX_CPU_GATE_H

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "hip/hip_abi.h"

namespace vmafx::cpu
{

enum class Entry : uint32_t {
#define VMAFX_HIP_ENTRY(name, result, parameters, need) name,
#define VMAFX_HIP_OWN_ENTRY VMAFX_HIP_ENTRY
#include "hip/entry_points.def"
#undef VMAFX_HIP_OWN_ENTRY
#undef VMAFX_HIP_ENTRY
    count
};
constexpr size_t kEntries = static_cast<size_t>(Entry::count);

/* Calls are counted from the first one on, before there is an engine and after it is gone. */
struct CallLog {
    std::array<std::atomic<uint64_t>, kEntries> calls{};
    std::atomic<bool> watched{false}; /* a fault is set or goes on */
};
extern constinit CallLog call_log;

/** With a fault set: the error of this call, or hipSuccess. */
hip::hipError_t judge(Entry entry) noexcept;

inline void count(Entry entry) noexcept
{
    call_log.calls[static_cast<size_t>(entry)].fetch_add(1, std::memory_order_relaxed);
}

inline hip::hipError_t pass(Entry entry) noexcept
{
    count(entry);
    if (!call_log.watched.load(std::memory_order_relaxed)) [[likely]]
        return hip::hipSuccess;
    return judge(entry);
}

} // namespace vmafx::cpu

#endif
