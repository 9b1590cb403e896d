/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/frame.h"

#include <cinttypes>
#include <cstring>

#include "core/failure.h"
#include "core/plan_runner.h"
#include "hip/transfers.h"
#include "kernels/planarise.h"

using namespace vmafx;

namespace
{

constexpr size_t kRowAlignment = 256; /* of rows that the library allocates */

size_t aligned(size_t bytes)
{
    return (bytes + kRowAlignment - 1) / kRowAlignment * kRowAlignment;
}

void check_release_fence(const VmafxFenceDesc &fence)
{
    switch (fence.kind) {
    case VMAFX_FENCE_NONE:
        return;
    case VMAFX_FENCE_HOST:
        if (!fence.handle)
            fail(VMAFX_E_INVALID, "desc.release_fence.handle",
                 "release fence of kind HOST has no handle");
        return;
    case VMAFX_FENCE_SYNC_FILE:
    case VMAFX_FENCE_HIP_EVENT:
    case VMAFX_FENCE_GL_SYNC:
        fail(VMAFX_E_NOTSUP, "desc.release_fence.kind",
             "release fence kind %u cannot be made here; use NONE with a callback, or HOST",
             fence.kind);
    default:
        fail(VMAFX_E_INVALID, "desc.release_fence.kind",
             "release_fence.kind is %u; see VMAFX_FENCE_*", fence.kind);
    }
}

} // namespace

VmafxFrame *VmafxFrame::import(std::shared_ptr<Device> device, const VmafxFrameImport &desc,
                               uint32_t wanted)
{
    const CheckedImport checked = check_import(desc);
    hip::DeviceGuard guard(device->runtime(), device->ordinal());
    check_release_fence(desc.release_fence);
    if (desc.memory == VMAFX_MEMORY_HOST && desc.release_fence.kind != VMAFX_FENCE_NONE)
        fail(VMAFX_E_INVALID, "desc.release_fence.kind",
             "HOST planes have been read when the import returns; leave the release fence NONE");
    struct Unref {
        void operator()(VmafxFrame *frame) const { frame->unref(); }
    };
    std::unique_ptr<VmafxFrame, Unref> frame(new VmafxFrame(std::move(device), desc, checked));
    if (desc.memory == VMAFX_MEMORY_DMABUF)
        frame->check_dmabufs(desc);
    if (acquire_state(desc) == FenceState::kPending)
        fail(VMAFX_E_BUSY, "desc.acquire", "the acquire fence is pending; import again later");
    switch (desc.memory) {
    case VMAFX_MEMORY_HOST:
        frame->bind_host(desc, wanted);
        break;
    case VMAFX_MEMORY_DEVICE_POINTER:
        frame->bind_pointers(desc);
        break;
    default:
        frame->bind_dmabufs(desc);
        break;
    }
    if (desc.memory == VMAFX_MEMORY_HOST) {
        ++frame->device_->counters().frames_uploaded;
        return frame.release();
    }
    const bool fenced = desc.release_fence.kind == VMAFX_FENCE_HOST;
    if (fenced || desc.release) {
        auto *fence = fenced ? static_cast<VmafxFence *>(desc.release_fence.handle) : nullptr;
        frame->owed_ =
            std::make_unique<Release>(FenceRef(fence), desc.release, desc.release_opaque);
    }
    ++frame->device_->counters().frames_imported;
    return frame.release();
}

VmafxFrame::VmafxFrame(std::shared_ptr<Device> device, const VmafxFrameImport &desc,
                       const CheckedImport &checked)
    : device_(std::move(device)), layout_(checked.layout), format_(checked.format),
      layout_number_(desc.layout), memory_(desc.memory), source_count_(checked.planes)
{
    for (uint32_t i = 0; i < source_count_; ++i)
        source_[i].extent = source_plane(*layout_, format_, i);
    for (uint32_t p = 0; p < format_.plane_count(); ++p)
        if (source_of(p) < source_count_)
            available_ |= 1u << p;
}

VmafxFrame::~VmafxFrame()
{
    give_memory_back();
    settle_release();
}

VmafxFrame *VmafxFrame::ref()
{
    references_.fetch_add(1, std::memory_order_relaxed);
    return this;
}

void VmafxFrame::unref()
{
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1)
        delete this;
}

uint32_t VmafxFrame::converted_sources() const
{
    uint32_t bits = 0;
    if (layout_->high_bits)
        bits |= 1u;
    if (layout_->semi_planar)
        bits |= 2u;
    return bits & ((1u << source_count_) - 1);
}

void VmafxFrame::bind_host(const VmafxFrameImport &desc, uint32_t wanted)
{
    uint32_t sources = 0;
    for (uint32_t p = 0; p < format_.plane_count(); ++p)
        if (wanted & available_ & (1u << p))
            sources |= 1u << source_of(p);
    available_ &= wanted;
    for (uint32_t i = 0; i < source_count_; ++i) {
        if (!(sources & (1u << i)))
            continue;
        Source &source = source_[i];
        const VmafxPlane &plane = desc.plane[i];
        source.staged_pitch = aligned(source.extent.row_bytes);
        source.staging = device_->staging().take(source.staged_pitch * source.extent.rows);
        auto *to = static_cast<char *>(source.staging.memory.get());
        const auto *from = static_cast<const char *>(plane.address) + plane.offset;
        for (uint32_t y = 0; y < source.extent.rows; ++y)
            std::memcpy(to + y * source.staged_pitch, from + y * plane.pitch,
                        source.extent.row_bytes);
    }
}

void VmafxFrame::bind_pointers(const VmafxFrameImport &desc)
{
    for (uint32_t i = 0; i < source_count_; ++i)
        source_[i].view = {static_cast<const char *>(desc.plane[i].address) + desc.plane[i].offset,
                           desc.plane[i].pitch};
}

void VmafxFrame::check_dmabufs(const VmafxFrameImport &desc) const
{
    for (uint32_t i = 0; i < source_count_; ++i) {
        const VmafxPlane &plane = desc.plane[i];
        const std::string subject = vmafx::format("desc.plane[%u].fd", i);
        const BufferInfo info = inspect_buffer(plane.fd, subject.c_str());
        const bool memfd = info.kind == BufferKind::kMemfd && device_->takes_memfds();
        if (info.kind != BufferKind::kDmaBuf && !memfd)
            fail(VMAFX_E_INVALID, subject.c_str(), "descriptor %d of plane %u is no dma-buf%s",
                 plane.fd, i, device_->takes_memfds() ? " and no memfd" : "");
        if (plane.size > info.size)
            fail(VMAFX_E_RANGE, vmafx::format("desc.plane[%u].size", i).c_str(),
                 "size of plane %u is %" PRIu64 " bytes, but its buffer has %" PRIu64, i,
                 plane.size, info.size);
        check_plane_fits(plane, i, source_[i].extent, info.size);
    }
}

void VmafxFrame::bind_dmabufs(const VmafxFrameImport &desc)
{
    for (uint32_t i = 0; i < source_count_; ++i) {
        const VmafxPlane &plane = desc.plane[i];
        const std::string subject = vmafx::format("desc.plane[%u].fd", i);
        Source &source = source_[i];
        source.mapping = device_->imports().map(plane.fd, inspect_buffer(plane.fd, subject.c_str()),
                                                subject.c_str());
        source.view = {static_cast<const char *>(source.mapping->address()) + plane.offset,
                       plane.pitch};
    }
}

PictureView VmafxFrame::materialise(uint32_t planes)
{
    std::lock_guard lock(lock_);
    for (uint32_t p = 0; p < format_.plane_count(); ++p) {
        const uint32_t bit = 1u << p;
        if (!(planes & available_ & bit) || (ready_ & bit))
            continue;
        Source &source = source_[source_of(p)];
        if (memory_ == VMAFX_MEMORY_HOST && !source.view.data)
            upload(source);
        if (p > 0 && layout_->semi_planar) {
            convert_chroma();
            ready_ |= 6;
        } else if (layout_->high_bits) {
            convert_luma();
            ready_ |= bit;
        } else {
            view_.plane[p] = source.view;
            ready_ |= bit;
        }
    }
    return view_;
}

void VmafxFrame::upload(Source &source)
{
    if (device_->is_cpu()) {
        /* Staging memory is as near as any. */
        source.view = {source.staging.memory.get(), source.staged_pitch};
        return;
    }
    hip::Stream &copies = device_->copy_stream();
    const size_t bytes = source.staged_pitch * source.extent.rows;
    source.block = device_->blocks().take(bytes);
    if (source.block.used)
        copies.wait_for(source.block.free_after.get());
    timed(device_->profiler(), ProfileKind::kUpload, "upload", copies, [&] {
        hip::copy(copies, source.block.memory.get(), source.staging.memory.get(), bytes,
                  hip::hipMemcpyHostToDevice);
    });
    source.staging.busy_until.record(copies.get());
    source.staging.used = true;
    device_->stream().wait_for(source.staging.busy_until.get());
    source.view = {source.block.memory.get(), source.staged_pitch};
    device_->staging().give_back(std::move(source.staging));
    source.staging = Staging();
}

void VmafxFrame::convert_luma()
{
    const size_t pitch = aligned(source_[0].extent.row_bytes);
    converted_[0] = device_->blocks().take(pitch * source_[0].extent.rows);
    view_.plane[0] = {converted_[0].memory.get(), pitch};
    PlanRunner runner(device_, ProfileKind::kConversion);
    Planariser(runner).shift(runner, source_[0].view, 16 - format_.bits,
                             {converted_[0].memory.get(), pitch}, format_.width, format_.height);
    ++device_->counters().planes_converted;
}

void VmafxFrame::convert_chroma()
{
    const size_t pitch = aligned(source_[1].extent.row_bytes / 2);
    const size_t bytes = pitch * source_[1].extent.rows;
    converted_[1] = device_->blocks().take(2 * bytes);
    auto *base = static_cast<char *>(converted_[1].memory.get());
    view_.plane[1] = {base, pitch};
    view_.plane[2] = {base + bytes, pitch};
    const SampleLayout samples = {format_.sample_bytes(),
                                  layout_->high_bits ? 16 - format_.bits : 0};
    PlanRunner runner(device_, ProfileKind::kConversion);
    Planariser(runner).split(runner, source_[1].view, samples, {base, pitch}, {base + bytes, pitch},
                             format_.plane_width(1), format_.plane_height(1));
    ++device_->counters().planes_converted;
}

void VmafxFrame::give_memory_back() noexcept
try {
    hip::DeviceGuard guard(device_->runtime(), device_->ordinal());
    for (Source &source : source_) {
        if (source.block.memory)
            device_->blocks().give_back(std::move(source.block));
        if (source.staging.memory && source.view.data) {
            source.staging.busy_until.record(device_->stream().get());
            source.staging.used = true;
        }
        if (source.staging.memory)
            device_->staging().give_back(std::move(source.staging));
    }
    for (Block &block : converted_)
        if (block.memory)
            device_->blocks().give_back(std::move(block));
} catch (const std::exception &e) {
    log_message(VMAFX_LOG_ERROR, "releasing a frame: %s", e.what());
}

void VmafxFrame::Release::run(void *release)
{
    const std::unique_ptr<Release> owed(static_cast<Release *>(release));
    if (owed->fence.get())
        owed->fence.get()->signal();
    if (owed->callback)
        owed->callback(owed->opaque);
}

void VmafxFrame::settle_release() noexcept
{
    if (!owed_)
        return;
    /* With a fence the callback need not wait: the fence tells when the reads are done. */
    const VmafxReleaseCallback now =
        owed_->fence.get() ? std::exchange(owed_->callback, nullptr) : nullptr;
    void *opaque = owed_->opaque;
    device_->after_stream(Release::run, owed_.release());
    if (now)
        now(opaque);
}
