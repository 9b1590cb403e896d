/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The device's work for one pair: enqueued, found complete or not, enqueued again.
 */
#ifndef VMAFX_CORE_FRAME_WORK_H
#define VMAFX_CORE_FRAME_WORK_H

#include <chrono>
#include <memory>
#include <vector>

#include "core/frame_ring.h"
#include "core/plan_runner.h"
#include "core/plan_set.h"

namespace vmafx
{

class FrameWork
{
  public:
    /** What it refers to outlives it. wait_limit: bound of the wait where streams cannot wait. */
    FrameWork(std::shared_ptr<Device> device, PlanRunner &runner, PlanSet &plans, FrameRing &ring,
              std::chrono::nanoseconds wait_limit)
        : device_(std::move(device)), runner_(runner), plans_(plans), ring_(ring),
          wait_limit_(wait_limit)
    {
    }

    /** Marks of a frame at most. Valid after the plans' prepare(). */
    size_t mark_words() const;
    /** Enqueues all of it: what the pictures still need, the plans, the way back. */
    void enqueue(InFlight &slot);
    /** Notes what the slot's marks say about the pictures; the slot is complete, and its reads are
     *  done. */
    void settle(const InFlight &slot);
    /** Enqueues again what is missing, and then the plans. */
    void enqueue_again(InFlight &slot);

  private:
    void enqueue_plans(FrameJob &job, InFlight &slot);
    void await_reads() noexcept;

    const std::shared_ptr<Device> device_;
    PlanRunner &runner_;
    PlanSet &plans_;
    FrameRing &ring_;
    const std::chrono::nanoseconds wait_limit_;
    std::vector<Stamp> stamps_; /* of the frame that is being enqueued */
};

} // namespace vmafx

#endif
