/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the core gives to plans: scratch memory and kernels of a device, launches on a stream.
 */
#ifndef VMAFX_CORE_PLAN_RUNNER_H
#define VMAFX_CORE_PLAN_RUNNER_H

#include <memory>
#include <span>
#include <vector>

#include "core/marks.h"
#include "features/feature.h"
#include "hip/device.h"

namespace vmafx
{

class PlanRunner final : public PlanDevice, public PlanStream
{
  public:
    /** stream: of the launches. Uploads go over the library stream, which the stream has to wait
     *  for before it is used. */
    PlanRunner(std::shared_ptr<Device> device, const hip::Stream &stream,
               ProfileKind kind = ProfileKind::kKernel)
        : device_(std::move(device)), stream_(stream), kind_(kind)
    {
    }

    bool cpu_tiles() const override { return device_->is_cpu(); }
    uint32_t multiprocessors() const override { return device_->facts().multiprocessors; }
    const Kernel *kernel(const char *name) override { return device_->kernel(name); }
    bool has_kernel(const char *name) override { return device_->has_kernel(name); }
    void *allocate(size_t bytes) override;
    void *upload(const void *data, size_t bytes) override;

    /** Launches from here on leave their marks there; nullptr: they leave none. */
    void leave_marks(MarkList *marks) { marks_ = marks; }

    using PlanStream::launch;
    void launch(const Kernel *kernel, const Grid &grid, const void *args, size_t size) override;
    void clear(void *device, size_t bytes) override { clear(device, bytes, {}); }
    /** clear(), and copies stamps, as they are at that moment, to the marks. */
    void clear(void *device, size_t bytes, std::span<const Stamp> stamps);

    /** Stamps of the uploads that no frame has seen yet. */
    void add_stamps(std::vector<Stamp> &stamps) const;
    size_t uploads() const { return uploads_.size(); }
    /** Device and pinned memory of plans. */
    size_t bytes() const;
    /** Enqueues those again whose stamp is among the lost ones. */
    void upload_again(std::span<const uint64_t> lost);
    /** These stamps have arrived. */
    void settle(std::span<const uint64_t> seen);

  private:
    struct Upload {
        hip::PinnedMemory from; /* until the device has read it */
        void *to = nullptr;
        size_t bytes = 0; /* the stamp follows */
        uint64_t stamp = 0;
        bool settled = false;
    };
    void enqueue(Upload &upload);
    void launch(const Kernel *kernel, const Grid &grid, const void *args, size_t size,
                ProfileKind kind);

    std::shared_ptr<Device> device_;
    const hip::Stream &stream_;
    ProfileKind kind_; /* of what is launched */
    MarkList *marks_ = nullptr;
    std::vector<hip::DeviceMemory> scratch_;
    std::vector<Upload> uploads_;
};

} // namespace vmafx

#endif
