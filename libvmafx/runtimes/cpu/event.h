/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef VMAFX_CPU_EVENT_H
#define VMAFX_CPU_EVENT_H

#include <mutex>

#include "command.h"

namespace vmafx::cpu
{

/** Stands for the marker of its latest record; for nothing, which counts as done, before that. */
class Event
{
  public:
    explicit Event(bool timed) : timed_(timed) {}

    bool timed() const { return timed_; }

    CommandRef recorded() const
    {
        std::lock_guard lock(mutex_);
        return recorded_;
    }

    void set_recorded(CommandRef marker)
    {
        std::lock_guard lock(mutex_);
        recorded_.swap(marker);
    }

  private:
    const bool timed_;
    mutable std::mutex mutex_;
    CommandRef recorded_;
};

} // namespace vmafx::cpu

#endif
