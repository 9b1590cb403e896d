/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How a frame is made of a producer's planes. What may fail comes first: nothing is on the device,
 * and no promise was made, when an import is refused.
 */
#include <cinttypes>
#include <cstring>
#include <optional>

#include "core/array_check.h"
#include "core/failure.h"
#include "core/frame.h"
#include "core/tile_check.h"
#include "hip/planted.h"
#include "hip/transfers.h"

using namespace vmafx;

namespace
{

/** Buffers that are mapped already, and addresses, are bound without a call of the runtime. */
bool calls_runtime(const VmafxFrameImport &desc)
{
    return desc.memory == VMAFX_MEMORY_HOST || desc.memory == VMAFX_MEMORY_DEVICE_ARRAY ||
           desc.acquire.kind == VMAFX_FENCE_HIP_EVENT ||
           desc.release_fence.kind == VMAFX_FENCE_HIP_EVENT;
}

/** What a device takes beside dma-bufs, for messages. */
const char *other_buffers(const Device &device)
{
    if (device.takes_opaque_descriptors())
        return ", no memfd and no memory exported by Vulkan";
    return device.takes_memfds() ? " and no memfd" : "";
}

/** Rows that follow each other at once are copied at once. */
void copy_rows(char *to, size_t to_pitch, const char *from, size_t from_pitch,
               const SourcePlane &plane)
{
    if (to_pitch == plane.row_bytes && from_pitch == plane.row_bytes) {
        std::memcpy(to, from, plane.row_bytes * plane.rows);
        return;
    }
    for (uint32_t y = 0; y < plane.rows; ++y)
        std::memcpy(to + y * to_pitch, from + y * from_pitch, plane.row_bytes);
}

} // namespace

VmafxFrame *VmafxFrame::import(std::shared_ptr<Device> device, const VmafxFrameImport &desc,
                               uint32_t wanted)
{
    const CheckedImport checked = check_import(desc);
    std::optional<hip::DeviceGuard> guard;
    if (calls_runtime(desc))
        guard.emplace(device->runtime(), device->ordinal());
    struct Unref {
        void operator()(VmafxFrame *frame) const { frame->unref(); }
    };
    std::unique_ptr<VmafxFrame, Unref> frame(new VmafxFrame(std::move(device), desc, checked));
    const Buffers buffers = frame->check_planes(desc);
    if (acquire_state(*frame->device_, desc) == FenceState::kPending)
        fail(VMAFX_E_BUSY, "desc.acquire", "the acquire fence is pending; import again later");
    if (desc.memory == VMAFX_MEMORY_HOST) {
        frame->bind_host(desc, wanted);
        ++frame->device_->counters().frames_uploaded;
        return frame.release();
    }
    std::unique_ptr<Release> owed = Release::promise(*frame->device_, desc);
    frame->bind(desc, buffers, wanted);
    frame->enqueue_import(desc);
    frame->owed_ = std::move(owed);
    /* Nobody reads an array once it is copied. */
    if (desc.memory == VMAFX_MEMORY_DEVICE_ARRAY || planted(Planted::kEarlyRelease))
        Release::settle(std::move(frame->owed_));
    ++frame->device_->counters().frames_imported;
    return frame.release();
}

VmafxFrame::Buffers VmafxFrame::check_planes(const VmafxFrameImport &desc) const
{
    Buffers buffers;
    for (uint32_t i = 0; i < source_count_; ++i) {
        if (memory_ == VMAFX_MEMORY_DMABUF)
            buffers[i] = check_dmabuf(desc.plane[i], i);
        if (memory_ == VMAFX_MEMORY_DEVICE_ARRAY)
            check_array(device_->runtime(), desc.plane[i], i, array_extent(*layout_, format_, i));
    }
    return buffers;
}

BufferInfo VmafxFrame::check_dmabuf(const VmafxPlane &plane, uint32_t i) const
{
    const std::string subject = vmafx::format("desc.plane[%u].fd", i);
    BufferInfo info = inspect_buffer(plane.fd, subject.c_str());
    const bool memfd = info.kind == BufferKind::kMemfd && device_->takes_memfds();
    const bool opaque = info.kind == BufferKind::kOpaque && device_->takes_opaque_descriptors();
    if (info.kind != BufferKind::kDmaBuf && !memfd && !opaque)
        fail(VMAFX_E_INVALID, subject.c_str(), "descriptor %d of plane %u is no dma-buf%s",
             plane.fd, i, other_buffers(*device_));
    if (opaque && plane.size == 0)
        fail(VMAFX_E_INVALID, vmafx::format("desc.plane[%u].size", i).c_str(),
             "descriptor %d of plane %u is opaque, it does not tell its buffer's size; set size to "
             "the bytes of the exported memory",
             plane.fd, i);
    if (opaque)
        info.size = plane.size;
    if (plane.size > info.size)
        fail(VMAFX_E_RANGE, vmafx::format("desc.plane[%u].size", i).c_str(),
             "size of plane %u is %" PRIu64 " bytes, but its buffer has %" PRIu64, i, plane.size,
             info.size);
    check_plane_fits(plane, i, stored_plane(plane, source_[i].tiles, source_[i].extent), info.size);
    return info;
}

/** Bits of the source planes that serve the wanted planes; others are dropped. */
uint32_t VmafxFrame::narrow_to(uint32_t wanted)
{
    uint32_t sources = 0;
    available_ &= wanted;
    for (uint32_t p = 0; p < format_.plane_count(); ++p)
        if (available_ & (1u << p))
            sources |= 1u << source_of(p);
    return sources;
}

void VmafxFrame::bind_host(const VmafxFrameImport &desc, uint32_t wanted)
{
    const uint32_t sources = narrow_to(wanted);
    for (uint32_t i = 0; i < source_count_; ++i) {
        if (!(sources & (1u << i)))
            continue;
        Source &source = source_[i];
        const VmafxPlane &plane = desc.plane[i];
        source.staged_pitch = staging_pitch(source.extent.row_bytes);
        source.staging = device_->staging().take(source.bytes() + sizeof(uint64_t));
        copy_rows(static_cast<char *>(source.staging.memory.get()), source.staged_pitch,
                  static_cast<const char *>(plane.address) + plane.offset, plane.pitch,
                  source.extent);
    }
}

void VmafxFrame::bind(const VmafxFrameImport &desc, const Buffers &buffers, uint32_t wanted)
{
    const uint32_t copied = memory_ == VMAFX_MEMORY_DEVICE_ARRAY ? narrow_to(wanted) : 0;
    for (uint32_t i = 0; i < source_count_; ++i) {
        const VmafxPlane &plane = desc.plane[i];
        Source &source = source_[i];
        if (memory_ == VMAFX_MEMORY_DEVICE_POINTER) {
            source.view = {static_cast<const char *>(plane.address) + plane.offset, plane.pitch};
        } else if (memory_ == VMAFX_MEMORY_DMABUF) {
            bind_dmabuf(plane, buffers[i], i);
        } else if (copied & (1u << i)) {
            const size_t pitch = own_pitch(source.extent.row_bytes);
            source.block = device_->blocks().take(pitch * source.extent.rows);
            source.view = {source.block.memory.get(), pitch};
        }
    }
}

void VmafxFrame::bind_dmabuf(const VmafxPlane &plane, const BufferInfo &buffer, uint32_t i)
{
    const std::string subject = vmafx::format("desc.plane[%u].fd", i);
    Source &source = source_[i];
    source.mapping = device_->imports().map(plane.fd, buffer, subject.c_str());
    source.view = {static_cast<const char *>(source.mapping->address()) + plane.offset,
                   plane.pitch};
}

/** What the device has to do before the planes are as good as the library's own. */
void VmafxFrame::enqueue_import(const VmafxFrameImport &desc)
{
    const bool waits = desc.acquire.kind == VMAFX_FENCE_HIP_EVENT;
    if (!waits && memory_ != VMAFX_MEMORY_DEVICE_ARRAY)
        return;
    try {
        if (waits && !planted(Planted::kSkippedAcquireWait))
            device_->stream().wait_for(static_cast<hip::hipEvent_t>(desc.acquire.handle));
        if (memory_ == VMAFX_MEMORY_DEVICE_ARRAY)
            copy_arrays(desc);
        device_->stream().submit();
    } catch (...) {
        /* The producer takes a refused import's memory for its own: no copy may be left. */
        if (memory_ == VMAFX_MEMORY_DEVICE_ARRAY)
            (void)device_->drain();
        throw;
    }
}

void VmafxFrame::copy_arrays(const VmafxFrameImport &desc)
{
    for (uint32_t i = 0; i < source_count_; ++i) {
        const Source &source = source_[i];
        if (!source.block.memory)
            continue;
        hip::Stream &stream = device_->stream();
        timed(device_->profiler(), ProfileKind::kConversion, "copy_array", stream, [&] {
            hip::copy_from_array(stream, source.block.memory.get(), source.view.pitch,
                                 static_cast<hip::hipArray_t>(desc.plane[i].address),
                                 source.extent.row_bytes, source.extent.rows);
        });
        ++device_->counters().planes_copied;
    }
}
