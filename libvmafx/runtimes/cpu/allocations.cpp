/* SPDX-License-Identifier: BSD-2-Clause */
#include "allocations.h"

#include <algorithm>
#include <cstring>
#include <mutex>

namespace vmafx::cpu
{

namespace
{

constexpr int kGarbage = 0xa5;

uintptr_t key(const void *address)
{
    return reinterpret_cast<uintptr_t>(address);
}

} // namespace

void *Allocations::allocate(Allocation::Kind kind, size_t bytes, int device, bool poison)
{
    AlignedMemory memory = allocate_aligned(kAlignment, bytes);
    if (!memory)
        return nullptr;
    if (poison)
        std::memset(memory.get(), kGarbage, bytes);
    void *address = memory.get();
    Allocation allocation;
    allocation.kind = kind;
    allocation.bytes = bytes;
    allocation.device = device;
    allocation.owner = std::shared_ptr<void>(std::move(memory));
    add(address, std::move(allocation));
    return address;
}

void Allocations::add(void *address, Allocation allocation)
{
    std::unique_lock lock(mutex_);
    const auto at = allocations_.find(key(address));
    if (at == allocations_.end()) {
        allocations_.emplace(key(address), std::move(allocation));
        return;
    }
    ++at->second.uses;
    at->second.bytes = std::max(at->second.bytes, allocation.bytes);
}

bool Allocations::take(const void *address, Allocation::Kind kind, Allocation &taken)
{
    std::unique_lock lock(mutex_);
    const auto at = allocations_.find(key(address));
    if (at == allocations_.end() || at->second.kind != kind)
        return false;
    taken = at->second;
    if (--at->second.uses == 0)
        allocations_.erase(at);
    return true;
}

bool Allocations::has(const void *address, Allocation::Kind kind) const
{
    std::shared_lock lock(mutex_);
    const auto at = allocations_.find(key(address));
    return at != allocations_.end() && at->second.kind == kind;
}

size_t Allocations::count(Allocation::Kind kind) const
{
    std::shared_lock lock(mutex_);
    size_t found = 0;
    for (const auto &[address, allocation] : allocations_)
        found += allocation.kind == kind ? allocation.uses : 0;
    return found;
}

size_t Allocations::bytes() const
{
    std::shared_lock lock(mutex_);
    size_t sum = 0;
    for (const auto &[address, allocation] : allocations_)
        sum += allocation.kind == Allocation::Kind::mapped ? 0 : allocation.bytes;
    return sum;
}

bool Allocations::on_device(const void *address) const
{
    std::shared_lock lock(mutex_);
    auto at = allocations_.upper_bound(key(address));
    if (at == allocations_.begin())
        return false;
    --at;
    return key(address) - at->first < at->second.bytes && at->second.kind != Allocation::Kind::host;
}

bool Allocations::accessible(const void *address, size_t bytes, bool write) const
{
    std::shared_lock lock(mutex_);
    auto at = allocations_.upper_bound(key(address));
    if (at == allocations_.begin())
        return true;
    --at;
    const size_t offset = key(address) - at->first;
    const Allocation &allocation = at->second;
    if (offset >= allocation.bytes)
        return true;
    return bytes <= allocation.bytes - offset && (allocation.writable || !write);
}

void Allocations::forget()
{
    std::map<uintptr_t, Allocation> allocations;
    {
        std::unique_lock lock(mutex_);
        allocations.swap(allocations_);
    }
    for (auto &[address, allocation] : allocations) {
        /* The reference that keeps the memory is lost on purpose. */
        alignas(std::shared_ptr<void>) std::byte lost[sizeof(std::shared_ptr<void>)];
        new (lost) std::shared_ptr<void>(std::move(allocation.owner));
    }
}

} // namespace vmafx::cpu
