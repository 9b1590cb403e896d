/* SPDX-License-Identifier: BSD-2-Clause */
#include "hip/release_events.h"

namespace vmafx
{

bool ReleaseEvents::hand_over(hip::hipEvent_t event)
{
    std::lock_guard lock(lock_);
    State &state = events_.try_emplace(event, State::kUnknown).first->second;
    if (state == State::kPending)
        return false;
    state = State::kPending;
    return true;
}

void ReleaseEvents::withdraw(hip::hipEvent_t event) noexcept
{
    std::lock_guard lock(lock_);
    events_.erase(event);
    changed_.notify_all();
}

void ReleaseEvents::lost(hip::hipEvent_t event) noexcept
{
    std::lock_guard lock(lock_);
    const auto found = events_.find(event);
    if (found != events_.end())
        found->second = State::kLost;
    changed_.notify_all();
}

ReleaseEvents::State ReleaseEvents::state(hip::hipEvent_t event) const
{
    std::lock_guard lock(lock_);
    return state_locked(event);
}

ReleaseEvents::State ReleaseEvents::wait(hip::hipEvent_t event,
                                         std::chrono::nanoseconds timeout) const
{
    std::unique_lock lock(lock_);
    changed_.wait_for(lock, timeout, [&] { return state_locked(event) != State::kPending; });
    return state_locked(event);
}

ReleaseEvents::State ReleaseEvents::state_locked(hip::hipEvent_t event) const
{
    const auto found = events_.find(event);
    return found == events_.end() ? State::kUnknown : found->second;
}

} // namespace vmafx
