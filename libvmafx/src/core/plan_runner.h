/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the core gives to plans: scratch memory and kernels of a device, launches on its library
 * stream.
 */
#ifndef VMAFX_CORE_PLAN_RUNNER_H
#define VMAFX_CORE_PLAN_RUNNER_H

#include <memory>
#include <vector>

#include "features/feature.h"
#include "hip/device.h"
#include "hip/transfers.h"

namespace vmafx
{

class PlanRunner final : public PlanDevice, public PlanStream
{
  public:
    explicit PlanRunner(std::shared_ptr<Device> device, ProfileKind kind = ProfileKind::kKernel)
        : device_(std::move(device)), kind_(kind)
    {
    }

    bool cpu_tiles() const override { return device_->is_cpu(); }
    const Kernel *kernel(const char *name) override { return device_->kernel(name); }
    void *allocate(size_t bytes) override;
    void *upload(const void *data, size_t bytes) override;

    void launch(const Kernel *kernel, const Grid &grid, const void *args, size_t size) override
    {
        device_->launch(*kernel, grid, args, size, kind_);
    }
    void clear(void *device, size_t bytes) override
    {
        timed(device_->profiler(), ProfileKind::kClear, "clear", device_->stream(),
              [&] { hip::clear(device_->stream(), device, bytes); });
    }

    /** Frees all of it. Waits for the device. */
    void release() noexcept;

  private:
    std::shared_ptr<Device> device_;
    ProfileKind kind_; /* of what is launched */
    std::vector<hip::DeviceMemory> scratch_;
    std::vector<hip::PinnedMemory> staged_; /* what upload() copies, until the device has read it */
};

} // namespace vmafx

#endif
