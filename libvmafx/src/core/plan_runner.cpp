/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/plan_runner.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/failure.h"
#include "hip/transfers.h"
#include "kernels/clear_kernels.h"

namespace vmafx
{

namespace
{

constexpr size_t kMaxArgumentBytes = 4096; /* what every runtime takes */

constexpr size_t stamped(size_t bytes)
{
    return (bytes + alignof(uint64_t) - 1) / alignof(uint64_t) * alignof(uint64_t);
}

bool holds(std::span<const uint64_t> values, uint64_t value)
{
    return std::find(values.begin(), values.end(), value) != values.end();
}

} // namespace

void *PlanRunner::allocate(size_t bytes)
{
    hip::DeviceGuard guard(device_->runtime(), device_->ordinal());
    scratch_.emplace_back(device_->runtime(), bytes);
    return scratch_.back().get();
}

void *PlanRunner::upload(const void *data, size_t bytes)
{
    const size_t room = stamped(bytes);
    Upload upload;
    upload.to = allocate(room + sizeof(uint64_t));
    hip::DeviceGuard guard(device_->runtime(), device_->ordinal());
    upload.from = hip::PinnedMemory(device_->runtime(), room + sizeof(uint64_t));
    upload.bytes = room;
    std::memcpy(upload.from.get(), data, bytes);
    enqueue(upload);
    uploads_.push_back(std::move(upload));
    return uploads_.back().to;
}

void PlanRunner::enqueue(Upload &upload)
{
    upload.stamp = device_->new_stamp();
    std::memcpy(static_cast<char *>(upload.from.get()) + upload.bytes, &upload.stamp,
                sizeof(upload.stamp));
    /* On the library stream: the null stream's copies are not ordered against it. */
    hip::copy(device_->stream(), upload.to, upload.from.get(), upload.bytes + sizeof(upload.stamp),
              hip::hipMemcpyHostToDevice);
}

void PlanRunner::launch(const Kernel *kernel, const Grid &grid, const void *args, size_t size)
{
    launch(kernel, grid, args, size, kind_);
}

void PlanRunner::launch(const Kernel *kernel, const Grid &grid, const void *args, size_t size,
                        ProfileKind kind)
{
    alignas(vx::Mark) std::array<std::byte, kMaxArgumentBytes> packed;
    const size_t at = stamped(size);
    const vx::Mark mark = marks_ ? marks_->next() : vx::Mark{};
    if (at + sizeof(mark) > packed.size())
        fail(VMAFX_E_INTERNAL, "", "kernel %s has %zu bytes of arguments", kernel->name.c_str(),
             size);
    std::memcpy(packed.data(), args, size);
    std::memcpy(packed.data() + at, &mark, sizeof(mark));
    device_->launch(stream_, *kernel, grid, packed.data(), at + sizeof(mark), kind);
}

/* A memset could be lost unseen, a kernel cannot. */
void PlanRunner::clear(void *device, size_t bytes, std::span<const Stamp> stamps)
{
    const Kernel *kernel = device_->kernel("clear");
    ClearArgs args = {};
    args.words = static_cast<uint64_t *>(device);
    args.count = bytes / sizeof(uint64_t);
    do {
        const size_t count = std::min<size_t>(stamps.size(), kClearStamps);
        for (size_t i = 0; i < count; ++i)
            args.stamp[i] = stamps[i].word;
        args.stamps = static_cast<int32_t>(count);
        args.to = marks_ ? marks_->expect(stamps.first(count)) : nullptr;
        stamps = stamps.subspan(count);
        const uint64_t groups = std::max<uint64_t>((args.count + kClearWords - 1) / kClearWords, 1);
        launch(kernel, Grid{static_cast<uint32_t>(groups), 1, 1, kClearThreads}, &args,
               sizeof(args), ProfileKind::kClear);
        args.count = 0;
    } while (!stamps.empty());
}

void PlanRunner::add_stamps(std::vector<Stamp> &stamps) const
{
    for (const Upload &upload : uploads_)
        if (!upload.settled)
            stamps.push_back({reinterpret_cast<const uint64_t *>(
                                  static_cast<const char *>(upload.to) + upload.bytes),
                              upload.stamp});
}

void PlanRunner::upload_again(std::span<const uint64_t> lost)
{
    for (Upload &upload : uploads_)
        if (!upload.settled && holds(lost, upload.stamp))
            enqueue(upload);
}

void PlanRunner::settle(std::span<const uint64_t> seen)
{
    for (Upload &upload : uploads_)
        upload.settled = upload.settled || holds(seen, upload.stamp);
}

size_t PlanRunner::bytes() const
{
    size_t sum = 0;
    for (const hip::DeviceMemory &memory : scratch_)
        sum += memory.size();
    for (const Upload &upload : uploads_)
        sum += upload.from.bytes().size();
    return sum;
}

} // namespace vmafx
