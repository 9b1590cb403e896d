/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Reused memory of frames: device blocks in the order of the library stream, pinned staging blocks.
 */
#ifndef VMAFX_HIP_BLOCK_POOL_H
#define VMAFX_HIP_BLOCK_POOL_H

#include <cstddef>
#include <mutex>
#include <vector>

#include "hip/objects.h"

namespace vmafx
{

/** Device memory. A block that comes back may still be in use by work enqueued on the library
 * stream: free_after marks that point, and whoever writes from another stream waits for it there.
 */
struct Block {
    hip::DeviceMemory memory;
    hip::Event free_after;
    bool used = false; /* free_after was recorded */
};

/** Thread-safe. Own slabs in place of the runtime's stream-ordered allocator, which had defects in
 *  several releases. */
class BlockPool
{
  public:
    BlockPool(const hip::Runtime &runtime, hip::Stream &stream) : runtime_(runtime), stream_(stream)
    {
    }
    /** A block of at least this many bytes, 256-byte aligned, contents undefined. */
    Block take(size_t bytes);
    /** Returns it behind the work enqueued on the library stream so far. Never throws. */
    void give_back(Block block) noexcept;

  private:
    const hip::Runtime &runtime_;
    hip::Stream &stream_;
    std::mutex lock_;
    std::vector<Block> free_;
};

/** Pinned host memory; busy_until is the copy that reads it. */
struct Staging {
    hip::PinnedMemory memory;
    hip::Event busy_until;
    bool used = false; /* busy_until was recorded */
};

class StagingPool
{
  public:
    explicit StagingPool(const hip::Runtime &runtime) : runtime_(runtime) {}
    /** A block whose last copy is complete. */
    Staging take(size_t bytes);
    void give_back(Staging staging) noexcept;

  private:
    const hip::Runtime &runtime_;
    std::mutex lock_;
    std::vector<Staging> free_;
};

} // namespace vmafx

#endif
