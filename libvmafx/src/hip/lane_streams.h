/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Streams beside the library stream, on which the work of successive frames overlaps. The contexts
 * of a device share them: GPUs have few queues.
 */
#ifndef VMAFX_HIP_LANE_STREAMS_H
#define VMAFX_HIP_LANE_STREAMS_H

#include <memory>
#include <mutex>
#include <vector>

#include "hip/objects.h"

namespace vmafx
{

/** Thread-safe. A stream lives as long as this. */
class LaneStreams
{
  public:
    explicit LaneStreams(const hip::Runtime &runtime) : runtime_(runtime) {}

    /** The stream of a number from 0 on; made when it is first asked for. */
    hip::Stream &get(size_t number)
    {
        std::lock_guard lock(lock_);
        while (streams_.size() <= number)
            streams_.push_back(std::make_unique<hip::Stream>(runtime_));
        return *streams_[number];
    }

    /** Those there are. */
    std::vector<hip::Stream *> all() const
    {
        std::lock_guard lock(lock_);
        std::vector<hip::Stream *> streams;
        streams.reserve(streams_.size());
        for (const auto &stream : streams_)
            streams.push_back(stream.get());
        return streams;
    }

    /** Whether nothing is left to do on any of them. */
    bool idle() const
    {
        std::lock_guard lock(lock_);
        for (const auto &stream : streams_)
            if (!stream->idle())
                return false;
        return true;
    }

  private:
    const hip::Runtime &runtime_;
    mutable std::mutex lock_;
    std::vector<std::unique_ptr<hip::Stream>> streams_;
};

} // namespace vmafx

#endif
