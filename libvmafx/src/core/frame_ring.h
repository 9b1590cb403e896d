/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The pairs that are on the device, and their results on the way back.
 */
#ifndef VMAFX_CORE_FRAME_RING_H
#define VMAFX_CORE_FRAME_RING_H

#include <chrono>
#include <deque>
#include <memory>
#include <vector>

#include "hip/device.h"

namespace vmafx
{

/** One pair on the device. */
struct InFlight {
    uint64_t index = 0;
    bool skipped = false; /* by n_subsample: only what sees every frame ran */
    hip::DeviceMemory device_results;
    hip::PinnedMemory results;
    hip::Event done;

    uint64_t *device_words() const { return static_cast<uint64_t *>(device_results.get()); }
    const uint64_t *words() const { return static_cast<const uint64_t *>(results.get()); }
};

/** Slots in submission order. One thread. */
class FrameRing
{
  public:
    FrameRing(std::shared_ptr<Device> device, size_t capacity)
        : device_(std::move(device)), capacity_(capacity)
    {
    }
    /** Sizes the result blocks; before the first begin(). */
    void allocate(size_t result_words);

    bool full() const { return busy_.size() == capacity_; }
    bool empty() const { return busy_.empty(); }

    /** The slot of the next pair, its results cleared on the library stream. Not when full(). */
    InFlight &begin();
    /** Enqueues the way back of the results of the slot that begin() gave, and submits. */
    void commit();
    /** Frees the result blocks; while empty(). */
    void clear() { idle_.clear(); }

    /** The oldest pair if its results are there, else nullptr. */
    InFlight *oldest_if_done();
    /** The oldest pair, waited for. Throws E_TIMEOUT naming the frame. */
    InFlight &wait_oldest(std::chrono::nanoseconds limit);
    /** Lets the oldest pair go. */
    void pop();

  private:
    std::shared_ptr<Device> device_;
    size_t capacity_;
    size_t bytes_ = 0;
    std::vector<std::unique_ptr<InFlight>> idle_;
    std::deque<std::unique_ptr<InFlight>> busy_;
};

} // namespace vmafx

#endif
