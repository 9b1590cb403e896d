/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/frame.h"

#include <algorithm>
#include <cstring>

#include "core/failure.h"
#include "core/plan_runner.h"
#include "hip/transfers.h"
#include "kernels/planarise_tiled.h"

using namespace vmafx;

namespace
{

/** The word behind a block's samples, whose number of bytes is a multiple of 8. */
uint64_t *stamp_after(void *block, size_t bytes)
{
    return reinterpret_cast<uint64_t *>(static_cast<char *>(block) + bytes);
}

size_t rounded_up(uint64_t bytes, size_t multiple)
{
    return (bytes + multiple - 1) / multiple * multiple;
}

bool holds(std::span<const uint64_t> stamps, uint64_t stamp)
{
    return stamp && std::find(stamps.begin(), stamps.end(), stamp) != stamps.end();
}

/** For one conversion, which leaves a new stamp behind its samples. */
class StampedRunner
{
  public:
    StampedRunner(const std::shared_ptr<Device> &device, void *block, size_t bytes)
        : runner_(device, device->stream(), ProfileKind::kConversion), stamp_(device->new_stamp()),
          marks_(stamp_after(block, bytes), 1)
    {
        marks_.start(stamp_);
        runner_.leave_marks(&marks_);
    }
    PlanRunner &get() { return runner_; }
    uint64_t stamp() const { return stamp_; }

  private:
    PlanRunner runner_;
    uint64_t stamp_;
    MarkList marks_;
};

} // namespace

size_t VmafxFrame::own_pitch(uint64_t row_bytes)
{
    return rounded_up(row_bytes, 256);
}

/** What is between rows takes room in the CPU's caches, and rows without anything between them are
 *  copied at once. */
size_t VmafxFrame::staging_pitch(uint64_t row_bytes) const
{
    return device_->is_cpu() ? rounded_up(row_bytes, 32) : own_pitch(row_bytes);
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
    view_.colour = checked.colour;
}

VmafxFrame::~VmafxFrame()
{
    if (reads_begun_ > 0 && reads_begun_ == reads_done_) {
        give_idle_memory_back();
        Release::settle_read(std::move(owed_));
    } else {
        give_memory_back();
        Release::settle(std::move(owed_));
    }
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
    source.block = device_->blocks().take(source.bytes() + sizeof(uint64_t));
    if (source.block.used) {
        /* A copy does not wait for reads that were not handed to the device. */
        device_->stream().submit();
        device_->copy_stream().wait_for(source.block.free_after.get());
    }
    source.view = {source.block.memory.get(), source.staged_pitch};
    enqueue_upload(source);
}

void VmafxFrame::enqueue_upload(Source &source)
{
    hip::Stream &copies = device_->copy_stream();
    source.stamp = device_->new_stamp();
    std::memcpy(static_cast<char *>(source.staging.memory.get()) + source.bytes(), &source.stamp,
                sizeof(source.stamp));
    timed(device_->profiler(), ProfileKind::kUpload, "upload", copies, [&] {
        hip::copy(copies, source.block.memory.get(), source.staging.memory.get(),
                  source.bytes() + sizeof(source.stamp), hip::hipMemcpyHostToDevice);
    });
    source.staging.busy_until.record(copies.get());
    source.staging.used = true;
    device_->stream().wait_for(source.staging.busy_until.get());
    copies.submit();
}

SampleLayout VmafxFrame::samples() const
{
    return {format_.sample_bytes(), layout_->high_bits ? 16 - format_.bits : 0};
}

/** Once; the conversion may be enqueued again. */
void VmafxFrame::allocate_converted(Converted &target, const Source &source, size_t bytes)
{
    if (target.block.memory)
        return;
    target.block = device_->blocks().take(bytes + sizeof(uint64_t));
    target.bytes = bytes;
    count_conversion(source);
}

/** A plane of its own: luma, or a chroma plane of a planar layout. */
void VmafxFrame::convert_plane(uint32_t plane)
{
    const Source &source = source_[plane];
    const uint32_t width = format_.plane_width(plane), height = format_.plane_height(plane);
    const size_t pitch = own_pitch(source.extent.row_bytes);
    Converted &planes = converted_[plane];
    allocate_converted(planes, source, pitch * source.extent.rows);
    const TargetPlane target = {planes.block.memory.get(), pitch};
    view_.plane[plane] = {target.data, pitch};
    StampedRunner stamped(device_, target.data, planes.bytes);
    PlanRunner &runner = stamped.get();
    if (source.tiles)
        TiledPlanariser(runner).copy(runner, {source.view, &*source.tiles}, samples(), target,
                                     width, height);
    else
        Planariser(runner).shift(runner, source.view, samples().shift, target, width, height);
    planes.stamp = stamped.stamp();
}

void VmafxFrame::convert_chroma()
{
    const Source &source = source_[1];
    const uint32_t width = format_.plane_width(1), height = format_.plane_height(1);
    const size_t pitch = own_pitch(source.extent.row_bytes / 2);
    const size_t bytes = pitch * source.extent.rows;
    Converted &planes = converted_[1];
    allocate_converted(planes, source, 2 * bytes);
    auto *base = static_cast<char *>(planes.block.memory.get());
    const TargetPlane even = {base, pitch}, odd = {base + bytes, pitch};
    view_.plane[1] = {even.data, pitch};
    view_.plane[2] = {odd.data, pitch};
    StampedRunner stamped(device_, base, planes.bytes);
    PlanRunner &runner = stamped.get();
    if (source.tiles)
        TiledPlanariser(runner).split(runner, {source.view, &*source.tiles}, samples(), even, odd,
                                      width, height);
    else
        Planariser(runner).split(runner, source.view, samples(), even, odd, width, height);
    planes.stamp = stamped.stamp();
}

void VmafxFrame::count_conversion(const Source &source)
{
    ++device_->counters().planes_converted;
    if (source.tiles)
        ++device_->counters().planes_detiled;
}

void VmafxFrame::add_stamps(std::vector<Stamp> &stamps)
{
    std::lock_guard lock(lock_);
    for (const Source &source : source_)
        if (source.stamp)
            stamps.push_back(
                {stamp_after(source.block.memory.get(), source.bytes()), source.stamp});
    for (const Converted &planes : converted_)
        if (planes.stamp)
            stamps.push_back({stamp_after(planes.block.memory.get(), planes.bytes), planes.stamp});
}

void VmafxFrame::materialise_again(std::span<const uint64_t> lost)
{
    std::lock_guard lock(lock_);
    for (uint32_t i = 0; i < source_count_; ++i) {
        const bool uploaded = holds(lost, source_[i].stamp);
        if (uploaded)
            enqueue_upload(source_[i]);
        if (i >= std::size(converted_) || !converted_[i].block.memory)
            continue;
        /* What was converted from a lost upload is worth nothing. */
        if (!uploaded && !holds(lost, converted_[i].stamp))
            continue;
        if (i > 0 && layout_->semi_planar)
            convert_chroma();
        else
            convert_plane(i);
    }
}

void VmafxFrame::settle(std::span<const uint64_t> seen)
{
    std::lock_guard lock(lock_);
    for (Source &source : source_) {
        if (!holds(seen, source.stamp))
            continue;
        source.stamp = 0;
        source.staging.used = false; /* no longer: the upload has read it */
        device_->staging().give_back(std::move(source.staging));
        source.staging = Staging();
    }
    for (Converted &planes : converted_)
        if (holds(seen, planes.stamp))
            planes.stamp = 0;
}

bool VmafxFrame::has_memory() const
{
    for (const Source &source : source_)
        if (source.block.memory || source.staging.memory)
            return true;
    for (const Converted &planes : converted_)
        if (planes.block.memory)
            return true;
    return false;
}

/** All reads are seen to be done, and with them what they waited for: nobody has to wait. */
void VmafxFrame::give_idle_memory_back() noexcept
{
    for (Source &source : source_) {
        if (source.block.memory)
            device_->blocks().give_back_idle(std::move(source.block));
        if (source.staging.memory) {
            source.staging.used = false;
            device_->staging().give_back(std::move(source.staging));
        }
    }
    for (Converted &planes : converted_)
        if (planes.block.memory)
            device_->blocks().give_back_idle(std::move(planes.block));
}

void VmafxFrame::give_memory_back() noexcept
try {
    if (!has_memory())
        return;
    hip::DeviceGuard guard(device_->runtime(), device_->ordinal());
    for (Source &source : source_) {
        if (source.block.memory)
            device_->blocks().give_back(std::move(source.block));
        /* Read by kernels. Where an upload read it, that has recorded its end. */
        if (source.staging.memory && source.view.data == source.staging.memory.get()) {
            source.staging.busy_until.record(device_->stream().get());
            source.staging.used = true;
        }
        if (source.staging.memory)
            device_->staging().give_back(std::move(source.staging));
    }
    for (Converted &planes : converted_)
        if (planes.block.memory)
            device_->blocks().give_back(std::move(planes.block));
} catch (const std::exception &e) {
    log_message(VMAFX_LOG_ERROR, "releasing a frame: %s", e.what());
}
