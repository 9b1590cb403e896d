/* SPDX-License-Identifier: BSD-2-Clause */
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <span>

#include "api/boundary.h"
#include "api/handles.h"
#include "core/failure.h"
#include "core/release.h"
#include "hip/import_cache.h"
#include "hip/planted.h"
#include "tiling/tiling.h"

using namespace vmafx;

namespace
{

constexpr uint64_t bit(uint32_t kind)
{
    return UINT64_C(1) << kind;
}

template <size_t N> void copy_text(char (&to)[N], const std::string &from)
{
    std::snprintf(to, N, "%s", from.c_str());
}

VmafxDeviceInfo describe(const Device &device)
{
    const hip::Runtime &runtime = device.runtime();
    const hip::DeviceFacts &facts = device.facts();
    VmafxDeviceInfo info = VMAFX_DEVICE_INFO_INIT;
    info.runtime = runtime.kind;
    info.pci_domain = facts.pci.domain;
    info.pci_bus = facts.pci.bus;
    info.pci_device = facts.pci.device;
    info.pci_function = facts.pci.function;
    hip::DeviceGuard guard(runtime, device.ordinal());
    size_t free_bytes = 0, total_bytes = 0;
    check(runtime, runtime.hip.hipMemGetInfo(&free_bytes, &total_bytes), "hipMemGetInfo");
    info.memory_total = total_bytes;
    info.memory_free = free_bytes;
    info.memory_kinds = bit(VMAFX_MEMORY_HOST) | bit(VMAFX_MEMORY_DEVICE_POINTER) |
                        bit(VMAFX_MEMORY_DMABUF) | bit(VMAFX_MEMORY_DEVICE_ARRAY);
    info.acquire_fence_kinds = bit(VMAFX_FENCE_NONE) | bit(VMAFX_FENCE_HOST) |
                               bit(VMAFX_FENCE_SYNC_FILE) | bit(VMAFX_FENCE_HIP_EVENT);
    info.release_fence_kinds =
        bit(VMAFX_FENCE_NONE) | bit(VMAFX_FENCE_HOST) | bit(VMAFX_FENCE_HIP_EVENT);
    const std::span<const uint64_t> modifiers = tiling::usual_modifiers();
    info.modifier_count =
        static_cast<uint32_t>(std::min(modifiers.size(), std::size(info.modifiers)));
    std::copy_n(modifiers.begin(), info.modifier_count, info.modifiers);
    info.runtime_version = runtime.version;
    copy_text(info.name, facts.name);
    copy_text(info.target, facts.target);
    copy_text(info.runtime_name, hip::runtime_kind_name(runtime.kind));
    copy_text(info.runtime_file, runtime.file);
    return info;
}

VmafxDeviceCounters count(Device &device)
{
    VmafxDeviceCounters counters = VMAFX_DEVICE_COUNTERS_INIT;
    const DeviceCounters &c = device.counters();
    const ImportCache::Counters cache = device.imports().counters();
    counters.frames_imported = c.frames_imported;
    counters.frames_uploaded = c.frames_uploaded;
    counters.planes_converted = c.planes_converted;
    counters.host_plane_copies = c.host_plane_copies;
    counters.import_cache_hits = cache.hits;
    counters.import_cache_misses = cache.misses;
    counters.import_cache_evictions = cache.evictions;
    counters.import_cache_buffers = cache.buffers;
    counters.import_cache_mapped = cache.mapped;
    counters.planes_copied = c.planes_copied;
    counters.planes_detiled = c.planes_detiled;
    counters.kernels_launched = c.kernels_launched;
    counters.frames_rerun = c.frames_rerun;
    counters.marks_missing = c.marks_missing;
    return counters;
}

constexpr uint64_t kMaxTimeoutNs = UINT64_C(600'000'000'000);

/** Of an event that is recorded, or that no frame has. */
void check_recorded(const Device &device, const void *event)
{
    if (device.release_events().state(as_event(event)) == ReleaseEvents::State::kLost)
        fail(VMAFX_E_DEVICE, "event",
             "the device failed before event %p could be recorded; it may still read the planes",
             event);
    check_event(device, event, "event");
}

int32_t query_release(const Device &device, void *event)
{
    const auto state = device.release_events().state(as_event(event));
    if (state == ReleaseEvents::State::kPending && !planted(Planted::kBelievedEvent))
        return VMAFX_PENDING;
    hip::DeviceGuard guard(device.runtime(), device.ordinal());
    check_recorded(device, event);
    return event_done(device.runtime(), as_event(event)) ? VMAFX_OK : VMAFX_PENDING;
}

bool wait_for_release(const Device &device, void *event, std::chrono::nanoseconds timeout)
{
    using std::chrono::steady_clock;
    const auto deadline = steady_clock::now() + timeout;
    const auto state = device.release_events().wait(as_event(event), timeout);
    if (state == ReleaseEvents::State::kPending && !planted(Planted::kBelievedEvent))
        return false;
    hip::DeviceGuard guard(device.runtime(), device.ordinal());
    check_recorded(device, event);
    return device.wait(as_event(event), deadline - steady_clock::now());
}

} // namespace

extern "C" {

int32_t vmafx_device_open(const VmafxDeviceDesc *desc, VmafxDevice **device, VmafxError *error)
{
    if (device)
        *device = nullptr;
    return guard("vmafx_device_open", error, [&] {
        check_not_null(device, "device");
        const VmafxDeviceDesc defaults = VMAFX_DEVICE_DESC_INIT;
        auto handle = std::make_unique<VmafxDevice>();
        handle->device = Device::open(
            read_struct(desc ? desc : &defaults, "desc", offsetof(VmafxDeviceDesc, external)));
        *device = handle.release();
    });
}

int32_t vmafx_device_get_info(const VmafxDevice *device, VmafxDeviceInfo *info, VmafxError *error)
{
    return guard("vmafx_device_get_info", error, [&] {
        check_not_null(device, "device");
        check_not_null(info, "info");
        write_struct(info, describe(*device->device), "info");
    });
}

int32_t vmafx_device_get_counters(const VmafxDevice *device, VmafxDeviceCounters *counters,
                                  VmafxError *error)
{
    return guard("vmafx_device_get_counters", error, [&] {
        check_not_null(device, "device");
        check_not_null(counters, "counters");
        write_struct(counters, count(*device->device), "counters",
                     offsetof(VmafxDeviceCounters, import_cache_buffers));
    });
}

int32_t vmafx_device_empty_import_cache(VmafxDevice *device, VmafxError *error)
{
    return guard("vmafx_device_empty_import_cache", error, [&] {
        check_not_null(device, "device");
        const Device &d = *device->device;
        hip::DeviceGuard guard(d.runtime(), d.ordinal());
        device->device->imports().empty();
    });
}

int32_t vmafx_device_query_release_event(const VmafxDevice *device, void *event, VmafxError *error)
{
    return guard("vmafx_device_query_release_event", error, [&] {
        check_not_null(device, "device");
        check_not_null(event, "event");
        return query_release(*device->device, event);
    });
}

int32_t vmafx_device_wait_release_event(const VmafxDevice *device, void *event, uint64_t timeout_ns,
                                        VmafxError *error)
{
    return guard("vmafx_device_wait_release_event", error, [&] {
        check_not_null(device, "device");
        check_not_null(event, "event");
        if (timeout_ns > kMaxTimeoutNs)
            fail(VMAFX_E_RANGE, "timeout_ns", "timeout_ns is %" PRIu64 "; at most %" PRIu64,
                 timeout_ns, kMaxTimeoutNs);
        if (!wait_for_release(*device->device, event, std::chrono::nanoseconds(timeout_ns)))
            fail(VMAFX_E_TIMEOUT, "event", "the release event was not signalled within %.3f s",
                 static_cast<double>(timeout_ns) * 1e-9);
    });
}

void vmafx_device_close(VmafxDevice **device)
{
    if (!device)
        return;
    delete *device;
    *device = nullptr;
}

} // extern "C"
