/* SPDX-License-Identifier: BSD-2-Clause */
#include "hip/import_cache.h"

#include <algorithm>
#include <optional>

#include "core/failure.h"
#include "hip/planted.h"

namespace vmafx
{

namespace
{

/** All opaque descriptors of a driver have one identity; a buffer is known by being a duplicate. */
bool is_of(const Mapping &mapping, int fd, const BufferInfo &info)
{
    return mapping.identity == info.identity &&
           (info.kind != BufferKind::kOpaque || same_open_file(mapping.fd.get(), fd));
}

} // namespace

std::shared_ptr<Mapping> ImportCache::map(int fd, const BufferInfo &info, const char *subject)
{
    std::optional<hip::DeviceGuard> guard;
    std::vector<Buried> reaped; /* unmapped, which may log, outside of the lock */
    std::lock_guard lock(lock_);
    if (!buried_.empty()) {
        guard.emplace(runtime_, ordinal_);
        reaped = reap();
    }
    return map_locked(fd, info, subject);
}

std::shared_ptr<Mapping> ImportCache::map_locked(int fd, const BufferInfo &info,
                                                 const char *subject)
{
    const auto found = std::find_if(used_.begin(), used_.end(),
                                    [&](const auto &mapping) { return is_of(*mapping, fd, info); });
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
    hip::DeviceGuard guard(runtime_, ordinal_);
    mapping->memory = import_memory(*mapping, fd, info, subject);
    used_.push_front(mapping);
    evict_surplus();
    return mapping;
}

/** The runtime's own error is misleading where the exporter is another driver: it says, for one,
 * that memory ran out. A memfd has no exporter. fd: the caller's, for messages. */
hip::ExternalMemory ImportCache::import_memory(const Mapping &mapping, int fd,
                                               const BufferInfo &info, const char *subject)
{
    const uint64_t size = info.size;
    if (size == 0)
        fail(VMAFX_E_INVALID, subject, "descriptor %d does not tell its buffer's size", fd);
    try {
        return hip::ExternalMemory(runtime_, mapping.fd.get(), size);
    } catch (const Failure &failure) {
        if (info.kind == BufferKind::kMemfd)
            throw Failure(failure.status(), subject,
                          format("device %s cannot map the memfd of descriptor %d (%llu bytes), "
                                 "which has to be open for reading: %s",
                                 device_.c_str(), fd, static_cast<unsigned long long>(size),
                                 failure.what()),
                          failure.native());
        const std::string exporter = exporter_of(fd);
        throw Failure(
            VMAFX_E_DEVICE, subject,
            format("device %s cannot import the buffer of descriptor %d (%llu bytes, exporter %s); "
                   "it must come from the driver of the same GPU: %s",
                   device_.c_str(), fd, static_cast<unsigned long long>(size),
                   exporter.empty() ? "unknown" : exporter.c_str(), failure.what()),
            failure.native());
    }
}

void ImportCache::empty()
{
    std::vector<Buried> reaped;
    std::lock_guard lock(lock_);
    while (!used_.empty()) {
        bury(used_.front());
        used_.pop_front();
    }
    reaped = reap();
}

ImportCache::Counters ImportCache::counters() const
{
    std::lock_guard lock(lock_);
    Counters counters = counters_;
    counters.buffers = used_.size();
    counters.mapped = used_.size() + buried_.size();
    return counters;
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

/** Takes out the mappings that can be freed. */
std::vector<ImportCache::Buried> ImportCache::reap()
{
    std::vector<Buried> reaped;
    reaped.reserve(buried_.size());
    const bool at_rest = idle();
    for (auto i = buried_.begin(); i != buried_.end();) {
        if (i->mapping.use_count() > 1) {
            ++i; /* a frame may still enqueue reads */
            continue;
        }
        if (!i->last_use) {
            /* Kept only once it is recorded: an event never recorded would count as done. */
            hip::Event last_use(runtime_, hip::event_disable_timing);
            last_use.record(stream_.get());
            i->last_use = std::move(last_use);
        }
        const bool free = at_rest || buried_.size() > kMaxBuried;
        const bool hasty = planted(Planted::kHastyUnmap);
        if (!hasty && (!free || !i->last_use.done())) {
            ++i;
            continue;
        }
        reaped.push_back(std::move(*i));
        i = buried_.erase(i);
    }
    return reaped;
}

/** Whether freeing would wait for nothing. */
bool ImportCache::idle()
{
    return stream_.idle() && copies_.idle() && lanes_.idle();
}

} // namespace vmafx
