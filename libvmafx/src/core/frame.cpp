/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/frame.h"

#include "core/failure.h"
#include "core/plan_runner.h"
#include "hip/transfers.h"
#include "kernels/planarise_tiled.h"

using namespace vmafx;

size_t VmafxFrame::own_pitch(uint64_t row_bytes)
{
    constexpr uint64_t kAlignment = 256; /* bytes */
    return (row_bytes + kAlignment - 1) / kAlignment * kAlignment;
}

VmafxFrame::VmafxFrame(std::shared_ptr<Device> device, const VmafxFrameImport &desc,
                       const CheckedImport &checked)
    : device_(std::move(device)), layout_(checked.layout), format_(checked.format),
      layout_number_(desc.layout), memory_(desc.memory), source_count_(checked.planes)
{
    for (uint32_t i = 0; i < source_count_; ++i) {
        source_[i].extent = source_plane(*layout_, format_, i);
        source_[i].tiles = checked.tiles[i];
    }
    for (uint32_t p = 0; p < format_.plane_count(); ++p)
        if (source_of(p) < source_count_)
            available_ |= 1u << p;
}

VmafxFrame::~VmafxFrame()
{
    give_memory_back();
    Release::settle(std::move(owed_));
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
    uint32_t bits = tiled_sources();
    if (layout_->high_bits)
        bits |= 1u;
    if (layout_->semi_planar)
        bits |= 2u;
    return bits & ((1u << source_count_) - 1);
}

uint32_t VmafxFrame::tiled_sources() const
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < source_count_; ++i)
        if (source_[i].tiles)
            bits |= 1u << i;
    return bits;
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
        } else if (layout_->high_bits || source.tiles) {
            convert_plane(p);
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
    if (device_->reads_staging()) {
        source.view = {source.staging.memory.get(), source.staged_pitch};
        return;
    }
    hip::Stream &copies = device_->copy_stream();
    const size_t bytes = source.staged_pitch * source.extent.rows;
    source.block = device_->blocks().take(bytes);
    if (source.block.used) {
        /* A copy does not wait for reads that were not handed to the device. */
        device_->stream().submit();
        copies.wait_for(source.block.free_after.get());
    }
    timed(device_->profiler(), ProfileKind::kUpload, "upload", copies, [&] {
        hip::copy(copies, source.block.memory.get(), source.staging.memory.get(), bytes,
                  hip::hipMemcpyHostToDevice);
    });
    source.staging.busy_until.record(copies.get());
    source.staging.used = true;
    device_->stream().wait_for(source.staging.busy_until.get());
    copies.submit();
    source.view = {source.block.memory.get(), source.staged_pitch};
    device_->staging().give_back(std::move(source.staging));
    source.staging = Staging();
}

SampleLayout VmafxFrame::samples() const
{
    return {format_.sample_bytes(), layout_->high_bits ? 16 - format_.bits : 0};
}

/** A plane of its own: luma, or a chroma plane of a planar layout. */
void VmafxFrame::convert_plane(uint32_t plane)
{
    const Source &source = source_[plane];
    const uint32_t width = format_.plane_width(plane), height = format_.plane_height(plane);
    const size_t pitch = own_pitch(source.extent.row_bytes);
    converted_[plane] = device_->blocks().take(pitch * source.extent.rows);
    const TargetPlane target = {converted_[plane].memory.get(), pitch};
    view_.plane[plane] = {target.data, pitch};
    PlanRunner runner(device_, ProfileKind::kConversion);
    if (source.tiles)
        TiledPlanariser(runner).copy(runner, {source.view, &*source.tiles}, samples(), target,
                                     width, height);
    else
        Planariser(runner).shift(runner, source.view, samples().shift, target, width, height);
    count_conversion(source);
}

void VmafxFrame::convert_chroma()
{
    const Source &source = source_[1];
    const uint32_t width = format_.plane_width(1), height = format_.plane_height(1);
    const size_t pitch = own_pitch(source.extent.row_bytes / 2);
    const size_t bytes = pitch * source.extent.rows;
    converted_[1] = device_->blocks().take(2 * bytes);
    auto *base = static_cast<char *>(converted_[1].memory.get());
    const TargetPlane even = {base, pitch}, odd = {base + bytes, pitch};
    view_.plane[1] = {even.data, pitch};
    view_.plane[2] = {odd.data, pitch};
    PlanRunner runner(device_, ProfileKind::kConversion);
    if (source.tiles)
        TiledPlanariser(runner).split(runner, {source.view, &*source.tiles}, samples(), even, odd,
                                      width, height);
    else
        Planariser(runner).split(runner, source.view, samples(), even, odd, width, height);
    count_conversion(source);
}

void VmafxFrame::count_conversion(const Source &source)
{
    ++device_->counters().planes_converted;
    if (source.tiles)
        ++device_->counters().planes_detiled;
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
