/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The device's work for one pair: enqueued, found complete or not, enqueued again, let go.
 */
#ifndef VMAFX_CORE_FRAME_WORK_H
#define VMAFX_CORE_FRAME_WORK_H

#include <chrono>
#include <memory>
#include <vector>

#include "core/frame_ring.h"
#include "core/lanes.h"

namespace vmafx
{

class FrameWork
{
  public:
    /** What it refers to outlives it. wait_limit: bound of the wait where streams cannot wait. */
    FrameWork(std::shared_ptr<Device> device, Lanes &lanes, FrameRing &ring,
              std::chrono::nanoseconds wait_limit)
        : device_(std::move(device)), lanes_(lanes), ring_(ring), wait_limit_(wait_limit)
    {
    }

    /** Marks of a frame at most. Valid after the lanes' prepare(). */
    size_t mark_words() const;
    /** Enqueues all of it: what the pictures still need, on the library stream; the plans and the
     *  way back, on the slot's lane. */
    void enqueue(InFlight &slot);
    /** Notes what the slot's marks say about the pictures; the slot is complete, and its reads are
     *  done. */
    void settle(const InFlight &slot);
    /** Enqueues again what is missing, and then the plans. */
    void enqueue_again(InFlight &slot);

    /** Lets the pictures of a slot go whose reads nobody has seen to be done. They go all the same
     *  when it throws. */
    void let_go(InFlight &slot);
    /** The same for all slots: there will be no other run. */
    void let_all_go() noexcept;

  private:
    FrameJob job_of(InFlight &slot);
    void follow_library_stream(InFlight &slot);
    void enqueue_plans(FrameJob &job, InFlight &slot);
    void await_reads() noexcept;

    const std::shared_ptr<Device> device_;
    Lanes &lanes_;
    FrameRing &ring_;
    const std::chrono::nanoseconds wait_limit_;
    std::vector<Stamp> stamps_; /* of the frame that is being enqueued */
};

} // namespace vmafx

#endif
