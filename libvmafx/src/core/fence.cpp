/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/fence.h"

#include <memory>

VmafxFence *VmafxFence::create()
{
    return new VmafxFence; /* owned by its reference count */
}

VmafxFence *VmafxFence::ref()
{
    references_.fetch_add(1, std::memory_order_relaxed);
    return this;
}

void VmafxFence::unref()
{
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1)
        delete this;
}

void VmafxFence::signal()
{
    std::lock_guard lock(lock_);
    signalled_ = true;
    changed_.notify_all();
}

bool VmafxFence::signalled() const
{
    std::lock_guard lock(lock_);
    return signalled_;
}

bool VmafxFence::wait(std::chrono::nanoseconds timeout)
{
    std::unique_lock lock(lock_);
    return changed_.wait_for(lock, timeout, [this] { return signalled_; });
}
