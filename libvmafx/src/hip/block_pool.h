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

    static Block make(const hip::Runtime &runtime, size_t bytes);
    size_t bytes() const { return memory.size(); }
    bool idle() const { return !used || free_after.done(); }
    /** The stream keeps the order between the work of one frame and that of the next. */
    bool reusable() const { return true; }
    /** What came back first is waited for least. */
    static constexpr bool kNewestFirst = false;
};

/** Pinned host memory; busy_until is the copy that reads it. */
struct Staging {
    hip::PinnedMemory memory;
    hip::Event busy_until;
    bool used = false; /* busy_until was recorded */

    static Staging make(const hip::Runtime &runtime, size_t bytes);
    size_t bytes() const { return memory.bytes().size(); }
    bool idle() const { return !used || busy_until.done(); }
    /** The host writes it. */
    bool reusable() const { return idle(); }
    /** What came back last is in the host's caches. */
    static constexpr bool kNewestFirst = true;
};

/** Blocks that came back, for those who need one of about the same size. Thread-safe. */
template <class Item> class ReuseList
{
  public:
    explicit ReuseList(const hip::Runtime &runtime) : runtime_(runtime) {}
    /** A reusable item of at least this many bytes, or a new one. */
    Item take(size_t bytes);
    void put(Item item);

  private:
    Item take_best(size_t bytes);
    std::vector<Item> take_surplus();

    const hip::Runtime &runtime_;
    std::mutex lock_;
    std::vector<Item> free_;
};

/** Thread-safe. Own slabs in place of the runtime's stream-ordered allocator, which had defects in
 *  several releases. */
class BlockPool
{
  public:
    BlockPool(const hip::Runtime &runtime, hip::Stream &stream) : stream_(stream), free_(runtime) {}
    /** A block of at least this many bytes, 256-byte aligned, contents undefined. */
    Block take(size_t bytes) { return free_.take(bytes); }
    /** Returns it behind the work enqueued on the library stream so far. Never throws. */
    void give_back(Block block) noexcept;
    /** Returns it; all work with it is seen to be done. */
    void give_back_idle(Block block) noexcept;

  private:
    hip::Stream &stream_;
    ReuseList<Block> free_;
};

class StagingPool
{
  public:
    explicit StagingPool(const hip::Runtime &runtime) : free_(runtime) {}
    /** A block whose last copy is complete. */
    Staging take(size_t bytes) { return free_.take(bytes); }
    void give_back(Staging staging) noexcept;

  private:
    ReuseList<Staging> free_;
};

} // namespace vmafx

#endif
