/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The host fence object and the checks of acquire fences.
 */
#ifndef VMAFX_CORE_FENCE_H
#define VMAFX_CORE_FENCE_H

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include <libvmafx/fence.h>

/** Reference counted; see fence.h of the API. */
struct VmafxFence {
  public:
    static VmafxFence *create();
    VmafxFence *ref();
    void unref();

    void signal();
    bool signalled() const;
    /** false: the time ran out. */
    bool wait(std::chrono::nanoseconds timeout);

  private:
    VmafxFence() = default;
    ~VmafxFence() = default;

    std::atomic<uint32_t> references_{1};
    mutable std::mutex lock_;
    std::condition_variable changed_;
    bool signalled_ = false;
};

namespace vmafx
{

/** A reference to a host fence; may be empty. */
class FenceRef
{
  public:
    FenceRef() = default;
    explicit FenceRef(VmafxFence *fence) : fence_(fence ? fence->ref() : nullptr) {}
    FenceRef(FenceRef &&other) noexcept : fence_(other.fence_) { other.fence_ = nullptr; }
    FenceRef &operator=(FenceRef &&other) noexcept
    {
        std::swap(fence_, other.fence_);
        return *this;
    }
    FenceRef(const FenceRef &) = delete;
    FenceRef &operator=(const FenceRef &) = delete;
    ~FenceRef()
    {
        if (fence_)
            fence_->unref();
    }
    VmafxFence *get() const { return fence_; }

  private:
    VmafxFence *fence_ = nullptr;
};

} // namespace vmafx

#endif
