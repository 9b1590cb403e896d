/* SPDX-License-Identifier: BSD-2-Clause */
#include "hip/block_pool.h"

namespace vmafx
{

namespace
{

constexpr size_t kGranule = size_t{1} << 16; /* sizes are rounded up so that they match again */
constexpr size_t kKept = 32;                 /* free blocks kept per pool when a new one is made */

size_t rounded(size_t bytes)
{
    return (bytes + kGranule - 1) / kGranule * kGranule;
}

size_t size_of(const Block &block)
{
    return block.memory.size();
}
size_t size_of(const Staging &staging)
{
    return staging.memory.bytes().size();
}

/** Takes the smallest fitting element that ready() accepts; an empty one if there is none. */
template <class Item, class Ready>
Item take_best(std::vector<Item> &items, size_t bytes, Ready ready)
{
    auto best = items.end();
    for (auto i = items.begin(); i != items.end(); ++i) {
        const size_t size = size_of(*i);
        /* A block of more than twice the size serves a larger picture better. */
        if (size < bytes || size > 2 * bytes || !ready(*i))
            continue;
        if (best == items.end() || size < size_of(*best))
            best = i;
    }
    if (best == items.end())
        return Item();
    Item item = std::move(*best);
    items.erase(best);
    return item;
}

bool idle(const Block &block)
{
    return !block.used || block.free_after.done();
}
bool idle(const Staging &staging)
{
    return !staging.used || staging.busy_until.done();
}

/** Takes out what is left of other sizes, oldest first. Freeing may wait for the device, so that it
 *  is done where a block is allocated, which may wait too, and not where one comes back; and it may
 *  log, so that the caller does it without the lock. */
template <class Item> std::vector<Item> surplus(std::vector<Item> &items)
{
    std::vector<Item> taken;
    for (auto i = items.begin(); items.size() > kKept && i != items.end();) {
        if (!idle(*i)) {
            ++i;
            continue;
        }
        taken.push_back(std::move(*i));
        i = items.erase(i);
    }
    return taken;
}

} // namespace

Block BlockPool::take(size_t bytes)
{
    bytes = rounded(bytes);
    std::vector<Block> freed;
    {
        std::lock_guard lock(lock_);
        Block block = take_best(free_, bytes, [](const Block &) { return true; });
        if (block.memory)
            return block;
        freed = surplus(free_);
    }
    freed.clear();
    Block block;
    block.memory = hip::DeviceMemory(runtime_, bytes);
    block.free_after = hip::Event(runtime_, hip::event_disable_timing);
    return block;
}

void BlockPool::give_back(Block block) noexcept
try {
    block.free_after.record(stream_.get());
    block.used = true;
    std::lock_guard lock(lock_);
    free_.push_back(std::move(block));
} catch (...) {
    /* A device that cannot record an event is lost; freeing the block waits for it. */
}

Staging StagingPool::take(size_t bytes)
{
    bytes = rounded(bytes);
    std::vector<Staging> freed;
    {
        std::lock_guard lock(lock_);
        Staging staging = take_best(free_, bytes, [](const Staging &s) { return idle(s); });
        if (staging.memory)
            return staging;
        freed = surplus(free_);
    }
    freed.clear();
    Staging staging;
    staging.memory = hip::PinnedMemory(runtime_, bytes);
    staging.busy_until = hip::Event(runtime_, hip::event_disable_timing);
    return staging;
}

void StagingPool::give_back(Staging staging) noexcept
try {
    std::lock_guard lock(lock_);
    free_.push_back(std::move(staging));
} catch (...) {
    /* Out of host memory: freeing the block waits for its copy. */
}

} // namespace vmafx
