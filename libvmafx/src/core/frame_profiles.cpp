/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/frame_profiles.h"

#include <algorithm>

#include <libvmafx/profile.h>

namespace vmafx
{

namespace
{

template <class Frames> auto find_frame(Frames &frames, uint64_t index)
{
    return std::find_if(frames.begin(), frames.end(),
                        [&](const auto &frame) { return frame.index == index; });
}

} // namespace

static_assert(static_cast<uint32_t>(ProfileKind::kFrame) == VMAFX_PROFILE_FRAME &&
              static_cast<uint32_t>(ProfileKind::kKernel) == VMAFX_PROFILE_KERNEL &&
              static_cast<uint32_t>(ProfileKind::kConversion) == VMAFX_PROFILE_CONVERSION &&
              static_cast<uint32_t>(ProfileKind::kUpload) == VMAFX_PROFILE_UPLOAD &&
              static_cast<uint32_t>(ProfileKind::kClear) == VMAFX_PROFILE_CLEAR &&
              static_cast<uint32_t>(ProfileKind::kReadback) == VMAFX_PROFILE_READBACK);

Profiler::Scope FrameProfiles::trace(uint64_t index)
{
    if (!profiler_)
        return {nullptr, nullptr};
    const auto known = find_frame(traces_, index);
    FrameTrace &trace =
        known != traces_.end() ? known->content : traces_.emplace_back(index, FrameTrace()).content;
    return {profiler_, &trace};
}

void FrameProfiles::collect(uint64_t index)
{
    const auto found = find_frame(traces_, index);
    if (found == traces_.end())
        return;
    finished_.push_back({index, profiler_->read(std::move(found->content))});
    traces_.erase(found);
    if (finished_.size() > VMAFX_PROFILE_FRAMES)
        finished_.pop_front();
}

const ProfileTable *FrameProfiles::find(uint64_t index) const
{
    const auto found = find_frame(finished_, index);
    return found == finished_.end() ? nullptr : &found->content;
}

bool FrameProfiles::pending(uint64_t index) const
{
    return find_frame(traces_, index) != traces_.end();
}

} // namespace vmafx
