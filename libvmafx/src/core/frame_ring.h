/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The pairs that are on the device, and their results on the way back.
 */
#ifndef VMAFX_CORE_FRAME_RING_H
#define VMAFX_CORE_FRAME_RING_H

#include <array>
#include <chrono>
#include <deque>
#include <memory>
#include <vector>

#include "core/frame.h"
#include "core/lanes.h"
#include "core/marks.h"
#include "hip/device.h"

namespace vmafx
{

/** Pictures of one and two submissions earlier, of one side. */
typedef std::array<FrameRef, 2> EarlierPictures;

/** What a frame's work reads. */
struct Pictures {
    FrameRef reference, distorted;
    EarlierPictures previous, previous_distorted;

    std::array<VmafxFrame *, 6> all() const
    {
        return {reference.get(),
                distorted.get(),
                previous[0].get(),
                previous[1].get(),
                previous_distorted[0].get(),
                previous_distorted[1].get()};
    }
};

/** One pair on the device. */
struct InFlight {
    uint64_t index = 0;
    bool skipped = false; /* by n_subsample: only what sees every frame ran */
    uint32_t runs = 0;    /* how often its work was enqueued */
    Pictures pictures;    /* kept for another run */
    hip::DeviceMemory device_results;
    hip::PinnedMemory results; /* the marks follow */
    size_t result_words = 0;
    MarkList marks;
    Lane *lane = nullptr; /* of the pair that is on the device */
    hip::Event ready;     /* the library stream's part is done */
    hip::Event done;

    uint64_t *device_words() const { return static_cast<uint64_t *>(device_results.get()); }
    const uint64_t *words() const { return static_cast<const uint64_t *>(results.get()); }
    const uint64_t *mark_words() const { return words() + result_words; }
};

/** Slots in submission order. One thread. */
class FrameRing
{
  public:
    FrameRing(std::shared_ptr<Device> device, size_t capacity)
        : device_(std::move(device)), capacity_(capacity)
    {
    }
    /** Sizes the blocks of results and marks; before the first begin(). */
    void allocate(size_t result_words, size_t mark_words);
    /** Device and pinned memory of one slot. */
    size_t frame_bytes() const { return frame_bytes_; }

    bool full() const { return busy_.size() == capacity_; }
    bool empty() const { return busy_.empty(); }

    /** The slot of the next pair. Not when full(). */
    InFlight &begin();
    /** Enqueues the way back of a slot's results on its lane, and submits. */
    void commit(InFlight &slot);
    /** Frees the result blocks; while empty(). */
    void clear()
    {
        idle_.clear();
        frame_bytes_ = 0;
    }

    /** The oldest pair if the device is done with it, else nullptr. */
    InFlight *oldest_if_done();
    /** The oldest pair, waited for. Throws E_TIMEOUT naming the frame. */
    InFlight &wait_oldest(std::chrono::nanoseconds limit);
    /** Lets the oldest pair go. */
    void pop();
    /** All pairs, the oldest first. */
    const std::deque<std::unique_ptr<InFlight>> &pairs() const { return busy_; }

  private:
    std::shared_ptr<Device> device_;
    size_t capacity_;
    size_t frame_bytes_ = 0;
    std::vector<std::unique_ptr<InFlight>> idle_;
    std::deque<std::unique_ptr<InFlight>> busy_;
};

} // namespace vmafx

#endif
