/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A session's lanes: the work of successive pairs is dealt out to several streams, so that it
 * overlaps on the device. A pair of small pictures does not fill a GPU.
 */
#ifndef VMAFX_CORE_LANES_H
#define VMAFX_CORE_LANES_H

#include <chrono>
#include <memory>
#include <vector>

#include <libvmafx/context.h>

#include "core/plan_runner.h"
#include "core/plan_set.h"

namespace vmafx
{

/** A stream, and plans with planes of their own: two lanes share nothing but the pictures. */
struct Lane {
    /** plans: registered, not prepared. */
    Lane(const std::shared_ptr<Device> &device, hip::Stream &on, PlanSet &registered)
        : stream(on), runner(device, on), plans(registered)
    {
    }
    Lane(const Lane &) = delete;
    Lane &operator=(const Lane &) = delete;

    hip::Stream &stream;
    PlanRunner runner; /* outlives the plans, which hold its memory */
    PlanSet &plans;
};

/** One thread. */
class Lanes
{
  public:
    Lanes(std::shared_ptr<Device> device, size_t count) : device_(std::move(device)), count_(count)
    {
    }

    /** Prepares the plans, which the first lane uses, and others like them. Throws; clear() then.
     */
    void prepare(PlanSet &plans, const PictureFormat &format);
    /** Frees everything but the plans that were given. Waits for the device. */
    void clear() noexcept;

    /** The lane of the pair with that many scored ones before it, and of skipped ones in between:
     *  whole pairs take turns, whatever n_subsample is. Once prepared. */
    Lane &of(uint64_t scored) { return *lanes_[scored % lanes_.size()]; }
    const Lane &first() const { return *lanes_.front(); }
    /** Device and pinned memory of all plans. */
    size_t bytes() const;

    /** Waits, within the limit, until the library stream and the lanes are done. */
    bool wait(std::chrono::nanoseconds limit);

  private:
    const std::shared_ptr<Device> device_;
    const size_t count_;
    std::vector<std::unique_ptr<Lane>> lanes_;
    std::vector<std::unique_ptr<PlanSet>> more_plans_; /* of the second lane and so on */
};

/** How much of a session goes on at once. */
struct Overlap {
    size_t lanes;
    size_t in_flight; /* pairs, at least as many */

    /** What the description asks for, or the device gains from. Throws E_RANGE
     *  "desc.frames_in_flight" or "desc.lanes", E_INVALID "desc.reserved". */
    static Overlap choose(const VmafxContextDesc &desc, Device &device);
};

} // namespace vmafx

#endif
