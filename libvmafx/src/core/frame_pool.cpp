/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/frame_pool.h"

#include <string_view>

#include "core/failure.h"
#include "core/import_check.h"

namespace vmafx
{

namespace
{

constexpr uint64_t kAlignment = 256; /* of rows and planes, bytes */

uint64_t aligned(uint64_t bytes)
{
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

/** The fence of a submit is the acquire fence of the import underneath. */
[[noreturn]] void rethrow_as_ready(const Failure &failure)
{
    static constexpr std::string_view kInner = "desc.acquire";
    const std::string_view subject = failure.subject();
    if (!subject.starts_with(kInner))
        throw failure;
    if (failure.status() == VMAFX_E_BUSY)
        fail(VMAFX_E_BUSY, "ready", "the fence is pending; submit the picture again later");
    throw Failure(failure.status(), "ready" + std::string(subject.substr(kInner.size())),
                  failure.what(), failure.native());
}

} // namespace

std::shared_ptr<FramePool> FramePool::create(std::shared_ptr<Device> device,
                                             const VmafxFramePoolDesc &desc)
{
    const std::shared_ptr<FramePool> pool(new FramePool(std::move(device), desc));
    hip::DeviceGuard guard(pool->device_->runtime(), pool->device_->ordinal());
    for (uint32_t i = 0; i < desc.frames; ++i)
        pool->free_.push_back(pool->device_->blocks().take(pool->bytes_));
    return pool;
}

FramePool::FramePool(std::shared_ptr<Device> device, const VmafxFramePoolDesc &desc)
    : device_(std::move(device)), format_(VMAFX_FRAME_IMPORT_INIT)
{
    format_.memory = VMAFX_MEMORY_DEVICE_POINTER;
    format_.layout = desc.layout;
    format_.bits = desc.bits;
    format_.width = desc.width;
    format_.height = desc.height;
    format_.plane_count = desc.plane_count;
    format_.matrix = desc.matrix;
    format_.transfer = desc.transfer;
    format_.range = desc.range;
    const Layout *layout = find_layout(desc.layout);
    if (!desc.plane_count && layout)
        format_.plane_count = layout->planes();
    const CheckedImport checked = check_picture(format_);
    if (desc.frames < 1 || desc.frames > VMAFX_MAX_POOL_FRAMES)
        fail(VMAFX_E_RANGE, "desc.frames", "frames is %u; it must be 1..%d", desc.frames,
             VMAFX_MAX_POOL_FRAMES);
    if (desc.flags)
        fail(VMAFX_E_INVALID, "desc.flags", "flags is 0x%x; it must be 0", desc.flags);
    lay_out(*checked.layout);
}

FramePool::~FramePool()
{
    /* Not freed here: that waits for the device, and the last reference may go in a submit. */
    try {
        hip::DeviceGuard guard(device_->runtime(), device_->ordinal());
        for (Block &block : free_)
            device_->blocks().give_back(std::move(block));
    } catch (const std::exception &e) {
        log_message(VMAFX_LOG_WARNING, "releasing a frame pool: %s", e.what());
    }
}

void FramePool::lay_out(const Layout &layout)
{
    const PictureFormat format = check_picture(format_).format;
    for (uint32_t i = 0; i < format_.plane_count; ++i) {
        const SourcePlane extent = source_plane(layout, format, i);
        VmafxPlane &plane = format_.plane[i];
        plane.offset = bytes_;
        plane.pitch = aligned(extent.row_bytes);
        plane.size = plane.pitch * extent.rows;
        bytes_ += plane.size;
    }
}

std::shared_ptr<FramePool::Loan> FramePool::acquire()
{
    const auto loan = std::make_shared<Loan>(shared_from_this());
    bool lost = false;
    {
        std::lock_guard lock(lock_);
        lost = lost_;
        if (!free_.empty()) {
            loan->block_ = std::move(free_.front());
            free_.pop_front();
        }
    }
    if (!loan->block_.memory && lost)
        fail(VMAFX_E_DEVICE, "pool", "the device failed, and frames did not come back");
    if (!loan->block_.memory)
        fail(VMAFX_E_BUSY, "pool",
             "all frames of the pool are in use; unref frames, or make the pool larger");
    if (loan->block_.used) {
        /* Another stream's wait does not hold for reads that were not handed to the device. */
        hip::DeviceGuard guard(device_->runtime(), device_->ordinal());
        device_->stream().submit();
    }
    return loan;
}

VmafxFrameImport FramePool::import_of(const Block &block) const
{
    VmafxFrameImport import = format_;
    auto *base = static_cast<char *>(block.memory.get());
    for (uint32_t i = 0; i < import.plane_count; ++i) {
        VmafxPlane &plane = import.plane[i];
        plane.address = base + plane.offset;
        plane.offset = 0;
    }
    return import;
}

VmafxPoolFrameInfo FramePool::describe(const Block &block) const
{
    const VmafxFrameImport import = import_of(block);
    VmafxPoolFrameInfo info = VMAFX_POOL_FRAME_INFO_INIT;
    info.plane_count = import.plane_count;
    for (uint32_t i = 0; i < import.plane_count; ++i)
        info.plane[i] = import.plane[i];
    if (block.used)
        info.writable = {VMAFX_FENCE_HIP_EVENT, 0, block.free_after.get()};
    return info;
}

VmafxFrame *FramePool::submit(std::shared_ptr<Loan> &loan, const VmafxFenceDesc &ready)
{
    constexpr uint32_t kAllPlanes = 7;
    VmafxFrameImport import = import_of(loan->block());
    import.acquire = ready;
    try {
        VmafxFrame *frame = VmafxFrame::import(device_, import, kAllPlanes);
        loan->read_ = true;
        frame->keep(std::move(loan));
        return frame;
    } catch (const Failure &failure) {
        rethrow_as_ready(failure);
    }
}

/** With reads on the library stream it comes back behind them. */
void FramePool::take_back(Block block, bool read) noexcept
try {
    if (read) {
        hip::DeviceGuard guard(device_->runtime(), device_->ordinal());
        block.free_after.record(device_->stream().get());
        block.used = true;
    }
    std::lock_guard lock(lock_);
    free_.push_back(std::move(block));
} catch (const std::exception &e) {
    /* Freed, which waits for the device, and not lent again: it may still be read. */
    give_up(e.what());
}

void FramePool::give_up(const char *why) noexcept
{
    {
        std::lock_guard lock(lock_);
        lost_ = true;
    }
    log_message(VMAFX_LOG_ERROR, "a frame does not come back to its pool: %s", why);
}

} // namespace vmafx

bool VmafxPoolFrame::wait_writable(std::chrono::nanoseconds limit) const
{
    const vmafx::Block &block = loan->block();
    const vmafx::Device &device = loan->pool().device();
    if (!block.used)
        return true;
    vmafx::hip::DeviceGuard guard(device.runtime(), device.ordinal());
    return device.wait(block.free_after, limit);
}
