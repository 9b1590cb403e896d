/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The memory that callers hold addresses of: device memory, pinned host memory, mapped buffers.
 */
#ifndef VMAFX_CPU_ALLOCATIONS_H
#define VMAFX_CPU_ALLOCATIONS_H

#include <map>
#include <memory>
#include <shared_mutex>

#include "worker_memory.h"

namespace vmafx::cpu
{

struct Allocation {
    enum class Kind { device, host, mapped };

    Kind kind = Kind::device;
    size_t bytes = 0;
    int device = 0;
    bool writable = true;
    unsigned uses = 1;           /* a buffer of external memory may be mapped more than once */
    std::shared_ptr<void> owner; /* of the memory */
};

class Allocations
{
  public:
    /** hipMalloc and its kin guarantee this much. */
    static constexpr size_t kAlignment = 256;

    /** New memory; nullptr when there is none. */
    void *allocate(Allocation::Kind kind, size_t bytes, int device, bool poison);
    /** Memory that somebody else owns. */
    void add(void *address, Allocation allocation);
    /** Takes one use of the allocation that begins at address; false when there is none of the
     * kind. The memory lives as long as `taken` does. */
    bool take(const void *address, Allocation::Kind kind, Allocation &taken);
    /** Whether the allocation at address is of the kind. */
    bool has(const void *address, Allocation::Kind kind) const;

    /** How many of the kind there are; a buffer mapped twice counts twice. */
    size_t count(Allocation::Kind kind) const;

    /** Bytes of all memory allocated here. */
    size_t bytes() const;

    /** Whether the address is in an allocation that is not the host's. */
    bool on_device(const void *address) const;

    /** False when bytes at address begin inside an allocation and leave it, or are written though
     * the allocation is read only. Memory that is not known is the caller's. */
    bool accessible(const void *address, size_t bytes, bool write) const;

    /** Gives up the records. Memory that was never freed is not: somebody may still use it. */
    void forget();

  private:
    mutable std::shared_mutex mutex_;
    std::map<uintptr_t, Allocation> allocations_;
};

} // namespace vmafx::cpu

#endif
