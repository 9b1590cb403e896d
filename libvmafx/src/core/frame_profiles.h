/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The times of a context's frames: being taken, and of the latest ones that are finished.
 */
#ifndef VMAFX_CORE_FRAME_PROFILES_H
#define VMAFX_CORE_FRAME_PROFILES_H

#include <cstdint>
#include <deque>

#include "hip/profiler.h"

namespace vmafx
{

/** One thread. Does nothing without a profiler. */
class FrameProfiles
{
  public:
    explicit FrameProfiles(Profiler *profiler) : profiler_(profiler) {}

    /** Commands enqueued by this thread while it lives are those of the frame. */
    [[nodiscard]] Profiler::Scope trace(uint64_t index);
    /** The device has finished the frame. */
    void collect(uint64_t index);

    /** nullptr: not finished, not known, or no longer kept. */
    const ProfileTable *find(uint64_t index) const;
    /** true: submitted and not collected. */
    bool pending(uint64_t index) const;

  private:
    template <class Content> struct Of {
        uint64_t index;
        Content content;
    };

    Profiler *profiler_;
    std::deque<Of<FrameTrace>> traces_;
    std::deque<Of<ProfileTable>> finished_; /* the oldest first */
};

} // namespace vmafx

#endif
