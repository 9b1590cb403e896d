/* SPDX-License-Identifier: BSD-2-Clause */
#include "hip/device.h"

#include <algorithm>
#include <random>
#include <thread>
#include <vector>

#include "core/failure.h"
#include "hip/block_pool.h"
#include "hip/import_cache.h"
#include "hip/planted.h"
#include "kernels/images.h"

namespace vmafx
{

namespace
{

using namespace std::chrono_literals;
using std::chrono::steady_clock;

constexpr auto kFirstPause = 20us; /* between polls of an event, doubled up to kLongestPause */
constexpr auto kLongestPause = 500us;
constexpr auto kCloseLimit = 60s; /* wait for the device at close */

/* Values of a hipStream_t that are no pointer: the legacy default stream and the thread's. */
constexpr uintptr_t kLastNamedStream = 2;

hip::PciAddress read_pci_address(const char *text)
{
    hip::PciAddress address;
    if (!hip::parse_pci_address(text, address))
        fail(VMAFX_E_INVALID, "desc.pci_address",
             "pci_address is \"%s\"; it has the form 0000:03:00.0", text);
    return address;
}

int find_by_pci(const hip::Runtime &runtime, const char *text)
{
    const hip::PciAddress wanted = read_pci_address(text);
    std::string seen;
    for (int i = 0; i < runtime.device_count; ++i) {
        const hip::DeviceFacts facts = hip::probe_device(runtime, i);
        if (facts.pci == wanted)
            return i;
        seen += format("%s%04x:%02x:%02x.%x (%s)", i ? ", " : "", facts.pci.domain, facts.pci.bus,
                       facts.pci.device, facts.pci.function, facts.name.c_str());
    }
    fail(VMAFX_E_NOTFOUND, "desc.pci_address", "no device of runtime %s is at %s; there are: %s",
         hip::runtime_kind_name(runtime.kind), text, seen.c_str());
}

/** The fields that a caller's stream decides, and those that nothing reads. */
void check_fields(const VmafxDeviceDesc &desc)
{
    if (desc.flags & ~VMAFX_DEVICE_PROFILING)
        fail(VMAFX_E_INVALID, "desc.flags", "flags is 0x%x; see VMAFX_DEVICE_*", desc.flags);
    if (desc.reserved)
        fail(VMAFX_E_INVALID, "desc.reserved", "reserved is %u; it must be 0", desc.reserved);
    if (desc.external[1])
        fail(VMAFX_E_INVALID, "desc.external[1]", "external[1] is %p; it must be NULL",
             desc.external[1]);
    if (!desc.external[0])
        return;
    if (reinterpret_cast<uintptr_t>(desc.external[0]) <= kLastNamedStream)
        fail(VMAFX_E_INVALID, "desc.external[0]",
             "external[0] is %p, which names a default stream; give a stream made by "
             "hipStreamCreateWithFlags()",
             desc.external[0]);
    if (desc.runtime == VMAFX_RUNTIME_AUTO)
        fail(VMAFX_E_INVALID, "desc.runtime",
             "a stream belongs to one runtime: set runtime to the one that made external[0]");
    if (desc.index)
        fail(VMAFX_E_INVALID, "desc.index",
             "index is %u, but the device is that of the stream external[0]; set it to 0",
             desc.index);
    if (desc.pci_address)
        fail(VMAFX_E_INVALID, "desc.pci_address",
             "pci_address is \"%s\", but the device is that of the stream external[0]; set it to "
             "NULL",
             desc.pci_address);
}

/** The device of a caller's stream, which is asked for its state on the way: what is no stream is
 * refused here. Before release 5.6 a stream cannot tell its device; then it is the thread's current
 * one. */
int device_of_stream(const hip::Runtime &runtime, hip::hipStream_t stream)
{
    int ordinal = 0;
    hip::hipError_t error = runtime.hip.hipStreamQuery(stream);
    if (error == hip::hipErrorNotReady) {
        (void)runtime.hip.hipGetLastError();
        error = hip::hipSuccess;
    }
    if (error == hip::hipSuccess && runtime.hip.hipStreamGetDevice)
        error = runtime.hip.hipStreamGetDevice(stream, &ordinal);
    else if (error == hip::hipSuccess)
        error = runtime.hip.hipGetDevice(&ordinal);
    if (error == hip::hipSuccess)
        return ordinal;
    (void)runtime.hip.hipGetLastError();
    throw Failure(hip::status_of_handle(error), "desc.external[0]",
                  format("external[0] is %p, of which runtime %s (%s) says: %s; give a stream of "
                         "this runtime",
                         static_cast<void *>(stream), hip::runtime_kind_name(runtime.kind),
                         runtime.file.c_str(), describe_error(runtime.hip, error).c_str()),
                  error);
}

/** Memory may hold stamps of another device object or process: each starts somewhere else. */
uint64_t first_stamp()
{
    std::random_device random;
    return uint64_t{random()} << 32 | random();
}

ImageKind image_kind(uint32_t runtime)
{
    switch (runtime) {
    case VMAFX_RUNTIME_ROCM:
        return ImageKind::kAmd;
    case VMAFX_RUNTIME_CUDA:
        return ImageKind::kPtx;
    default:
        return ImageKind::kX86;
    }
}

} // namespace

std::shared_ptr<Device> Device::open(const VmafxDeviceDesc &desc)
{
    check_fields(desc);
    std::shared_ptr<Device> device(new Device);
    device->last_stamp_ = first_stamp();
    hip::RuntimeRequest request;
    request.kind = desc.runtime;
    request.path = desc.runtime_path ? desc.runtime_path : "";
    request.workers = desc.workers;
    device->runtime_ = hip::load_runtime(request);
    device->select(desc);
    hip::DeviceGuard guard(*device->runtime_, device->ordinal_);
    if (desc.external[0])
        device->adopt_stream(static_cast<hip::hipStream_t>(desc.external[0]));
    else
        device->stream_ = hip::Stream(*device->runtime_);
    device->copy_stream_ = hip::Stream(*device->runtime_);
    device->lanes_ = std::make_unique<LaneStreams>(*device->runtime_);
    device->load_code_object();
    device->blocks_ = std::make_unique<BlockPool>(*device->runtime_, device->stream_);
    device->staging_ = std::make_unique<StagingPool>(*device->runtime_);
    device->imports_ =
        std::make_unique<ImportCache>(*device->runtime_, device->ordinal_, device->facts_.name,
                                      device->stream_, device->copy_stream_, *device->lanes_);
    if (desc.flags & VMAFX_DEVICE_PROFILING)
        device->profiler_ = std::make_unique<Profiler>(*device->runtime_);
    const hip::DeviceFacts &facts = device->facts_;
    log_message(VMAFX_LOG_INFO, "runtime %s (%s), device %d: %s, %s, PCI %04x:%02x:%02x.%x",
                hip::runtime_kind_name(device->runtime_->kind), device->runtime_->file.c_str(),
                device->ordinal_, facts.name.c_str(), facts.target.c_str(), facts.pci.domain,
                facts.pci.bus, facts.pci.device, facts.pci.function);
    return device;
}

Device::~Device()
{
    if (stream_)
        drain();
    if (stream_is_callers_)
        (void)stream_.release();
}

bool Device::is_cpu() const
{
    return runtime_->kind == VMAFX_RUNTIME_CPU;
}

bool Device::reads_staging() const
{
    const auto ask = runtime_->hip.vmafx_cpu_reads_pinned_memory;
    int answer = 0;
    if (ask)
        hip::check(*runtime_, ask(&answer), "vmafx_cpu_reads_pinned_memory");
    return answer != 0;
}

bool Device::takes_memfds() const
{
    return is_cpu() || runtime_->kind == VMAFX_RUNTIME_CUDA;
}

bool Device::takes_opaque_descriptors() const
{
    return runtime_->kind == VMAFX_RUNTIME_CUDA;
}

bool Device::same_gpu(const Device &other) const
{
    return runtime_->file == other.runtime_->file && ordinal_ == other.ordinal_;
}

void Device::select(const VmafxDeviceDesc &desc)
{
    const auto count = static_cast<uint32_t>(runtime_->device_count);
    if (desc.pci_address && is_cpu())
        read_pci_address(desc.pci_address);
    if (desc.external[0]) {
        ordinal_ = device_of_stream(*runtime_, static_cast<hip::hipStream_t>(desc.external[0]));
    } else if (desc.pci_address) {
        ordinal_ = is_cpu() ? 0 : find_by_pci(*runtime_, desc.pci_address);
    } else {
        if (desc.index >= count)
            fail(VMAFX_E_NOTFOUND, "desc.index",
                 "runtime %s has %u device%s, numbered from 0; there is no device %u",
                 hip::runtime_kind_name(runtime_->kind), count, count == 1 ? "" : "s", desc.index);
        ordinal_ = static_cast<int>(desc.index);
    }
    facts_ = hip::probe_device(*runtime_, ordinal_);
}

void Device::adopt_stream(hip::hipStream_t stream)
{
    stream_ = hip::Stream(*runtime_, stream);
    stream_is_callers_ = true;
}

void Device::load_code_object()
{
    const Image *image = image_for(facts_.target);
    if (!image)
        fail(VMAFX_E_NOTSUP, "device", "no code object for %s (built: %s)", facts_.target.c_str(),
             built_targets(image_kind(runtime_->kind)).c_str());
    image_ = image->unpack();
    module_ = hip::Module(*runtime_, image_.bytes());
}

const Kernel *Device::kernel(const char *name)
{
    std::lock_guard lock(kernels_lock_);
    const auto found = kernels_.find(name);
    if (found != kernels_.end())
        return &found->second;
    return &kernels_.emplace(name, Kernel{name, module_.function(name)}).first->second;
}

bool Device::has_kernel(const char *name)
{
    return module_.find(name) != nullptr;
}

void Device::launch(const hip::Stream &stream, const Kernel &kernel, const Grid &grid,
                    const void *args, size_t size, ProfileKind kind)
{
    const hip::LaunchShape shape = {grid.x, grid.y, grid.z, is_cpu() ? 1 : grid.threads};
    hip::hipStream_t on = planted(Planted::kNullStream) ? nullptr : stream.get();
    timed(profiler(), kind, kernel.name.c_str(), stream, [&] {
        hip::launch(*runtime_, kernel.function, shape, on,
                    {static_cast<const std::byte *>(args), size});
    });
    ++counters_.kernels_launched;
}

uint64_t Device::new_stamp()
{
    const uint64_t stamp = ++last_stamp_;
    return stamp ? stamp : ++last_stamp_;
}

void Device::submit() noexcept
try {
    stream_.submit();
} catch (const std::exception &e) {
    log_message(VMAFX_LOG_WARNING, "handing work to the device: %s", e.what());
}

void Device::after_stream(hip::hipHostFn_t function, void *opaque) noexcept
{
    try {
        hip::DeviceGuard guard(*runtime_, ordinal_);
        stream_.call(function, opaque);
    } catch (const std::exception &e) {
        log_message(VMAFX_LOG_WARNING, "a release was not enqueued and is waited for: %s",
                    e.what());
        drain();
        function(opaque);
        return;
    }
    submit();
}

bool Device::wait(hip::hipEvent_t event, std::chrono::nanoseconds limit) const
{
    const auto deadline = steady_clock::now() + limit;
    std::chrono::nanoseconds pause = kFirstPause;
    while (!event_done(*runtime_, event)) {
        if (steady_clock::now() >= deadline)
            return false;
        std::this_thread::sleep_for(pause);
        pause = std::min<std::chrono::nanoseconds>(2 * pause, kLongestPause);
    }
    return true;
}

void Device::join(hip::Stream &earlier, hip::Stream &later)
{
    hip::Event point = event();
    point.record(earlier.get());
    later.wait_for(point.get()); /* holds after the event is destroyed */
    earlier.submit();            /* what is not may be overtaken by work of another stream */
}

bool Device::drain() noexcept
try {
    hip::DeviceGuard guard(*runtime_, ordinal_);
    bool drained = true;
    std::vector<hip::Stream *> streams;
    if (lanes_)
        streams = lanes_->all();
    streams.insert(streams.end(), {&copy_stream_, &stream_});
    for (hip::Stream *stream : streams) {
        if (!*stream)
            continue; /* the device could not be opened */
        hip::Event end = event();
        end.record(stream->get());
        if (wait(end, kCloseLimit))
            continue;
        drained = false;
        log_message(VMAFX_LOG_WARNING, "device %s is still at work after %lld s",
                    facts_.name.c_str(), static_cast<long long>(kCloseLimit.count()));
    }
    return drained;
} catch (const std::exception &e) {
    log_message(VMAFX_LOG_WARNING, "waiting for device %s: %s", facts_.name.c_str(), e.what());
    return false;
}

} // namespace vmafx
