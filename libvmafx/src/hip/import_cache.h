/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Imported buffers, kept by identity: decoders cycle through a small pool of surfaces.
 */
#ifndef VMAFX_HIP_IMPORT_CACHE_H
#define VMAFX_HIP_IMPORT_CACHE_H

#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/sync_file.h"
#include "hip/lane_streams.h"
#include "hip/objects.h"

namespace vmafx
{

/** One buffer's mapping on the device. The descriptor is kept open so that the buffer lives, and
 * its inode number cannot be given to another buffer, as long as the mapping does. */
struct Mapping {
    BufferIdentity identity;
    uint64_t size = 0;
    UniqueFd fd;
    hip::ExternalMemory memory;

    const void *address() const { return memory.address(); }
};

/**
 * Thread-safe. Nothing here frees a mapping while the device may use it: what is evicted waits
 * behind an event on the library stream. Freeing makes the host wait for all that the device does,
 * so that it has to wait further for a moment when the device does nothing, or for the close;
 * beyond a bound a mapping whose event has completed goes all the same.
 */
class ImportCache
{
  public:
    static constexpr size_t kCapacity = 64;  /* mappings kept without a frame that uses them */
    static constexpr size_t kMaxBuried = 64; /* mappings that wait for an idle device */

    struct Counters {
        uint64_t hits = 0, misses = 0, evictions = 0;
        uint64_t buffers = 0, mapped = 0; /* now: in the cache; those and the ones to be freed */
    };

    /** copies, lanes: the other streams that the library has. */
    ImportCache(const hip::Runtime &runtime, int ordinal, std::string device, hip::Stream &stream,
                hip::Stream &copies, const LaneStreams &lanes)
        : runtime_(runtime), ordinal_(ordinal), device_(std::move(device)), stream_(stream),
          copies_(copies), lanes_(lanes)
    {
    }

    /** The mapping of the buffer behind fd. A known buffer costs no call of the runtime unless
     *  something waits to be freed. Throws E_INVALID, E_NOTSUP or E_DEVICE with the subject. */
    std::shared_ptr<Mapping> map(int fd, const BufferInfo &info, const char *subject);

    /** Drops all buffers. */
    void empty();

    Counters counters() const;

  private:
    hip::ExternalMemory import_memory(const Mapping &mapping, int fd, const BufferInfo &info,
                                      const char *subject);
    struct Buried {
        std::shared_ptr<Mapping> mapping;
        hip::Event last_use; /* recorded once no frame uses the mapping */
    };

    std::shared_ptr<Mapping> map_locked(int fd, const BufferInfo &info, const char *subject);
    void evict_surplus();
    void bury(const std::shared_ptr<Mapping> &mapping);
    std::vector<Buried> reap();
    bool idle();

    const hip::Runtime &runtime_;
    const int ordinal_;
    const std::string device_; /* its name */
    hip::Stream &stream_;
    hip::Stream &copies_;
    const LaneStreams &lanes_;
    mutable std::mutex lock_;
    std::list<std::shared_ptr<Mapping>> used_; /* most recently used first */
    std::deque<Buried> buried_;
    Counters counters_;
};

} // namespace vmafx

#endif
