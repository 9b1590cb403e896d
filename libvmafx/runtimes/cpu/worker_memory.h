/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Aligned memory that grows: the tile memory of a worker thread.
 */
#ifndef VMAFX_CPU_WORKER_MEMORY_H
#define VMAFX_CPU_WORKER_MEMORY_H

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace vmafx::cpu
{

struct AlignedDelete {
    void operator()(void *memory) const { std::free(memory); }
};
using AlignedMemory = std::unique_ptr<void, AlignedDelete>;

/** Memory of at least one byte at a multiple of alignment; empty when there is none. */
inline AlignedMemory allocate_aligned(size_t alignment, size_t bytes)
{
    const size_t rounded = (bytes + alignment - 1) & ~(alignment - 1);
    if (rounded < bytes)
        return nullptr;
    return AlignedMemory(std::aligned_alloc(alignment, rounded ? rounded : alignment));
}

class WorkerMemory
{
  public:
    static constexpr size_t kAlignment = 64;

    /** Contents are undefined. nullptr when memory is out. */
    void *tile(size_t bytes)
    {
        if (bytes <= size_ && memory_)
            return memory_.get();
        memory_ = allocate_aligned(kAlignment, bytes);
        size_ = memory_ ? bytes : 0;
        return memory_.get();
    }

  private:
    AlignedMemory memory_;
    size_t size_ = 0;
};

} // namespace vmafx::cpu

#endif
