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

} // namespace

Block Block::make(const hip::Runtime &runtime, size_t bytes)
{
    return {hip::DeviceMemory(runtime, bytes), hip::Event(runtime, hip::event_disable_timing)};
}

Staging Staging::make(const hip::Runtime &runtime, size_t bytes)
{
    return {hip::PinnedMemory(runtime, bytes), hip::Event(runtime, hip::event_disable_timing)};
}

template <class Item> Item ReuseList<Item>::take(size_t bytes)
{
    bytes = rounded(bytes);
    std::vector<Item> surplus; /* freed, which may log, outside of the lock */
    {
        std::lock_guard lock(lock_);
        Item item = take_best(bytes);
        if (item.memory)
            return item;
        surplus = take_surplus();
    }
    surplus.clear();
    return Item::make(runtime_, bytes);
}

template <class Item> void ReuseList<Item>::put(Item item)
{
    std::lock_guard lock(lock_);
    free_.push_back(std::move(item));
}

/** The smallest one that fits; an empty one if there is none. */
template <class Item> Item ReuseList<Item>::take_best(size_t bytes)
{
    auto best = free_.end();
    for (auto i = free_.begin(); i != free_.end(); ++i) {
        const size_t size = i->bytes();
        /* A block of more than twice the size serves a larger picture better. */
        if (size < bytes || size > 2 * bytes || !i->reusable())
            continue;
        if (best == free_.end() || size < best->bytes() ||
            (Item::kNewestFirst && size == best->bytes()))
            best = i;
    }
    if (best == free_.end())
        return Item();
    Item item = std::move(*best);
    free_.erase(best);
    return item;
}

/** What is left of other sizes, oldest first. Freeing may wait for the device, so that it is done
 *  where a block is allocated, which may wait too, and not where one comes back. */
template <class Item> std::vector<Item> ReuseList<Item>::take_surplus()
{
    std::vector<Item> taken;
    for (auto i = free_.begin(); free_.size() > kKept && i != free_.end();) {
        if (!i->idle()) {
            ++i;
            continue;
        }
        taken.push_back(std::move(*i));
        i = free_.erase(i);
    }
    return taken;
}

template class ReuseList<Block>;
template class ReuseList<Staging>;

void BlockPool::give_back(Block block) noexcept
try {
    block.free_after.record(stream_.get());
    block.used = true;
    free_.put(std::move(block));
} catch (...) {
    /* A device that cannot record an event is lost; freeing the block waits for it. */
}

void BlockPool::give_back_idle(Block block) noexcept
try {
    block.used = false;
    free_.put(std::move(block));
} catch (...) {
    /* Out of host memory: the block is freed. */
}

void StagingPool::give_back(Staging staging) noexcept
try {
    free_.put(std::move(staging));
} catch (...) {
    /* Out of host memory: freeing the block waits for its copy. */
}

} // namespace vmafx
