/* SPDX-License-Identifier: BSD-2-Clause */
#include "hip/import_cache.h"

#include <algorithm>

#include "core/failure.h"

namespace vmafx
{

std::shared_ptr<Mapping> ImportCache::map(int fd, const BufferInfo &info, const char *subject)
{
    std::vector<Buried> reaped; /* unmapped, which may log, outside of the lock */
    std::lock_guard lock(lock_);
    reaped = reap();
    return map_locked(fd, info, subject);
}

std::shared_ptr<Mapping> ImportCache::map_locked(int fd, const BufferInfo &info,
                                                 const char *subject)
{
    const auto found = std::find_if(used_.begin(), used_.end(), [&](const auto &mapping) {
        return mapping->identity == info.identity;
    });
    if (found != used_.end() && (*found)->size == info.size) {
        ++counters_.hits;
        used_.splice(used_.begin(), used_, found);
        return used_.front();
    }
    /* A memfd can change its size under the same identity. */
    if (found != used_.end()) {
        bury(*found);
        used_.erase(found);
    }
    ++counters_.misses;
    auto mapping = std::make_shared<Mapping>();
    mapping->identity = info.identity;
    mapping->size = info.size;
    mapping->fd = duplicate_fd(fd, subject);
    mapping->memory = import_memory(mapping->fd.get(), info.size, subject);
    used_.push_front(mapping);
    evict_surplus();
    return mapping;
}

/** The runtime's own error is misleading where the exporter is another driver: it says, for one,
 * that memory ran out. */
hip::ExternalMemory ImportCache::import_memory(int fd, uint64_t size, const char *subject)
{
    if (size == 0)
        fail(VMAFX_E_INVALID, subject, "descriptor %d does not tell its buffer's size", fd);
    try {
        return hip::ExternalMemory(runtime_, fd, size);
    } catch (const Failure &failure) {
        throw Failure(
            VMAFX_E_DEVICE, subject,
            format("the device cannot import the buffer of descriptor %d (%llu bytes); it "
                   "must come from the same GPU's driver: %s",
                   fd, static_cast<unsigned long long>(size), failure.what()),
            failure.native());
    }
}

ImportCache::Counters ImportCache::counters() const
{
    std::lock_guard lock(lock_);
    return counters_;
}

void ImportCache::evict_surplus()
{
    auto i = used_.end();
    while (used_.size() > kCapacity && i != used_.begin()) {
        --i;
        if (i->use_count() > 1)
            continue; /* a frame reads it */
        bury(*i);
        i = used_.erase(i);
        ++counters_.evictions;
    }
}

void ImportCache::bury(const std::shared_ptr<Mapping> &mapping)
{
    buried_.push_back({mapping, {}});
}

/** Takes out the mappings that nobody can use any more. */
std::vector<ImportCache::Buried> ImportCache::reap()
{
    std::vector<Buried> reaped;
    reaped.reserve(buried_.size());
    for (auto i = buried_.begin(); i != buried_.end();) {
        if (i->mapping.use_count() > 1) {
            ++i; /* a frame may still enqueue reads */
        } else if (!i->last_use) {
            /* Kept only once it is recorded: an event never recorded would count as done. */
            hip::Event last_use(runtime_, hip::event_disable_timing);
            last_use.record(stream_.get());
            i->last_use = std::move(last_use);
            ++i;
        } else if (i->last_use.done()) {
            reaped.push_back(std::move(*i));
            i = buried_.erase(i);
        } else {
            ++i;
        }
    }
    return reaped;
}

} // namespace vmafx
