/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/frame_ring.h"

#include <algorithm>
#include <cinttypes>

#include "core/failure.h"
#include "hip/transfers.h"

namespace vmafx
{

void FrameRing::allocate(size_t result_words)
{
    bytes_ = std::max<size_t>(result_words, 1) * sizeof(uint64_t);
    for (size_t i = 0; i < capacity_; ++i) {
        auto slot = std::make_unique<InFlight>();
        slot->device_results = hip::DeviceMemory(device_->runtime(), bytes_);
        slot->results = hip::PinnedMemory(device_->runtime(), bytes_);
        slot->done = device_->event();
        idle_.push_back(std::move(slot));
    }
}

InFlight &FrameRing::begin()
{
    busy_.push_back(std::move(idle_.back()));
    idle_.pop_back();
    InFlight &slot = *busy_.back();
    timed(device_->profiler(), ProfileKind::kClear, "clear", device_->stream(),
          [&] { hip::clear(device_->stream(), slot.device_results.get(), bytes_); });
    return slot;
}

void FrameRing::commit()
{
    InFlight &slot = *busy_.back();
    hip::Stream &stream = device_->stream();
    timed(device_->profiler(), ProfileKind::kReadback, "readback", stream, [&] {
        hip::copy(stream, slot.results.get(), slot.device_results.get(), bytes_,
                  hip::hipMemcpyDeviceToHost);
    });
    slot.done.record(stream.get());
    stream.submit();
}

InFlight *FrameRing::oldest_if_done()
{
    if (busy_.empty() || !busy_.front()->done.done())
        return nullptr;
    return busy_.front().get();
}

InFlight &FrameRing::wait_oldest(std::chrono::nanoseconds limit)
{
    InFlight &slot = *busy_.front();
    if (!device_->wait(slot.done, limit))
        fail(VMAFX_E_TIMEOUT, "context",
             "frame %" PRIu64 " was not finished by the device within %.1f s", slot.index,
             std::chrono::duration<double>(limit).count());
    return slot;
}

void FrameRing::pop()
{
    idle_.push_back(std::move(busy_.front()));
    busy_.pop_front();
}

} // namespace vmafx
