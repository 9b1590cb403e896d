/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A device: a HIP runtime, one of its devices, the library stream and what frames and contexts
 * share on it.
 */
#ifndef VMAFX_HIP_DEVICE_H
#define VMAFX_HIP_DEVICE_H

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include <libvmafx/device.h>

#include "features/feature.h"
#include "hip/device_probe.h"
#include "hip/lane_streams.h"
#include "hip/objects.h"
#include "hip/profiler.h"
#include "hip/release_events.h"
#include "hip/runtime.h"
#include "kernels/images.h"

namespace vmafx
{

struct Kernel {
    std::string name;
    hip::hipFunction_t function = nullptr;
};

class BlockPool;
class StagingPool;
class ImportCache;

struct DeviceCounters {
    std::atomic<uint64_t> frames_imported{0};
    std::atomic<uint64_t> frames_uploaded{0};
    std::atomic<uint64_t> planes_converted{0};
    std::atomic<uint64_t> planes_detiled{0};
    std::atomic<uint64_t> planes_copied{0};
    std::atomic<uint64_t> host_plane_copies{0};
    std::atomic<uint64_t> kernels_launched{0};
    std::atomic<uint64_t> frames_rerun{0};
    std::atomic<uint64_t> marks_missing{0};
};

/** Thread-safe. Frames and contexts hold it by shared_ptr. */
class Device
{
  public:
    static std::shared_ptr<Device> open(const VmafxDeviceDesc &desc);
    ~Device();
    Device(const Device &) = delete;
    Device &operator=(const Device &) = delete;

    const hip::Runtime &runtime() const { return *runtime_; }
    int ordinal() const { return ordinal_; }
    const hip::DeviceFacts &facts() const { return facts_; }
    bool is_cpu() const;
    /** true: staging memory is as near to kernels as any, and need not be copied. */
    bool reads_staging() const;
    /** true: a memfd serves as a dma-buf does. */
    bool takes_memfds() const;
    /** true: memory that Vulkan exported as an opaque descriptor serves too, where such a
     * descriptor is no dma-buf. */
    bool takes_opaque_descriptors() const;
    /** true if both handles drive the same device of the same runtime. */
    bool same_gpu(const Device &other) const;

    /** All work on producer memory is on this stream, or joined into it before the memory is let
     * go without the host having seen the end of that work. */
    hip::Stream &stream() { return stream_; }
    bool stream_is_callers() const { return stream_is_callers_; }
    /** Uploads, so that they overlap with kernels. */
    hip::Stream &copy_stream() { return copy_stream_; }
    /** Work of frames that overlaps with that of others. */
    LaneStreams &lanes() { return *lanes_; }

    /** Kernel by name; throws E_INTERNAL if the code object lacks it. */
    const Kernel *kernel(const char *name);
    bool has_kernel(const char *name);
    void launch(const hip::Stream &stream, const Kernel &kernel, const Grid &grid, const void *args,
                size_t size, ProfileKind kind);

    BlockPool &blocks() { return *blocks_; }
    StagingPool &staging() { return *staging_; }
    ImportCache &imports() { return *imports_; }
    ReleaseEvents &release_events() { return release_events_; }
    const ReleaseEvents &release_events() const { return release_events_; }
    DeviceCounters &counters() { return counters_; }
    /** nullptr without VMAFX_DEVICE_PROFILING. */
    Profiler *profiler() { return profiler_.get(); }

    /** A number that is not 0 and that memory of the device does not hold yet. */
    uint64_t new_stamp();

    /** Hands what is on the library stream to the device; what fails is logged. */
    void submit() noexcept;

    /** Calls function(opaque), once, on a thread of the runtime when all work enqueued on the
     * library stream so far is done. It must not call into HIP. If the runtime refuses, it is
     * called at once after a wait. */
    void after_stream(hip::hipHostFn_t function, void *opaque) noexcept;

    /** Polls an event until it has completed. false: the limit passed. */
    bool wait(const hip::Event &event, std::chrono::nanoseconds limit) const
    {
        return wait(event.get(), limit);
    }
    bool wait(hip::hipEvent_t event, std::chrono::nanoseconds limit) const;
    /** Waits, within a bound, until the streams are done. false: they are not, or nobody knows. */
    bool drain() noexcept;
    /** later waits for all that is enqueued on earlier so far. */
    void join(hip::Stream &earlier, hip::Stream &later);
    hip::Event event() const { return hip::Event(*runtime_, hip::event_disable_timing); }

  private:
    Device() = default;
    void select(const VmafxDeviceDesc &desc);
    void adopt_stream(hip::hipStream_t stream);
    void load_code_object();

    std::shared_ptr<const hip::Runtime> runtime_;
    int ordinal_ = 0;
    hip::DeviceFacts facts_;
    DeviceCounters counters_;
    std::atomic<uint64_t> last_stamp_{0};
    hip::Stream stream_;
    bool stream_is_callers_ = false;
    hip::Stream copy_stream_;
    std::unique_ptr<LaneStreams> lanes_;
    UnpackedImage image_;
    hip::Module module_;
    std::mutex kernels_lock_;
    std::map<std::string, Kernel, std::less<>> kernels_;
    std::unique_ptr<BlockPool> blocks_;
    std::unique_ptr<StagingPool> staging_;
    std::unique_ptr<ImportCache> imports_;
    std::unique_ptr<Profiler> profiler_;
    ReleaseEvents release_events_;
};

} // namespace vmafx

#endif
