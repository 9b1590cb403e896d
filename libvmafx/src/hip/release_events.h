/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The producers' events that frames of a device still have to record as release fences. A runtime
 * says of an event that was never recorded, or was recorded for an earlier frame, that it is done:
 * only this table knows better.
 */
#ifndef VMAFX_HIP_RELEASE_EVENTS_H
#define VMAFX_HIP_RELEASE_EVENTS_H

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>

#include "hip/hip_abi.h"

namespace vmafx
{

/** Thread-safe. Events belong to the producers; none is touched here. */
class ReleaseEvents
{
  public:
    enum class State {
        kUnknown, /* recorded, or never handed over: what the runtime says is true */
        kPending, /* a frame is going to record it */
        kLost,    /* it could not be recorded, and nobody knows what the device still reads */
    };

    /** Takes note of an event. false: another frame is going to record it. */
    bool hand_over(hip::hipEvent_t event);
    /** The frame was not imported after all. */
    void withdraw(hip::hipEvent_t event) noexcept;
    void recorded(hip::hipEvent_t event) noexcept { withdraw(event); }
    void lost(hip::hipEvent_t event) noexcept;

    State state(hip::hipEvent_t event) const;
    /** The state once it is no longer pending, or after the timeout. */
    State wait(hip::hipEvent_t event, std::chrono::nanoseconds timeout) const;

  private:
    State state_locked(hip::hipEvent_t event) const;

    mutable std::mutex lock_;
    mutable std::condition_variable changed_;
    std::map<hip::hipEvent_t, State> events_; /* kPending and kLost */
};

} // namespace vmafx

#endif
