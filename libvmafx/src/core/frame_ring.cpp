/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/frame_ring.h"

#include <cinttypes>

#include "core/failure.h"
#include "hip/transfers.h"

namespace vmafx
{

void FrameRing::allocate(size_t result_words, size_t mark_words)
{
    const size_t bytes = (result_words + mark_words) * sizeof(uint64_t);
    for (size_t i = 0; i < capacity_; ++i) {
        auto slot = std::make_unique<InFlight>();
        slot->device_results = hip::DeviceMemory(device_->runtime(), bytes);
        slot->results = hip::PinnedMemory(device_->runtime(), bytes);
        slot->result_words = result_words;
        slot->marks = MarkList(slot->device_words() + result_words, mark_words);
        slot->ready = device_->event();
        slot->done = device_->event();
        idle_.push_back(std::move(slot));
    }
    frame_bytes_ = 2 * bytes;
}

InFlight &FrameRing::begin()
{
    busy_.push_back(std::move(idle_.back()));
    idle_.pop_back();
    busy_.back()->runs = 0;
    return *busy_.back();
}

void FrameRing::commit(InFlight &slot)
{
    hip::Stream &stream = slot.lane->stream;
    timed(device_->profiler(), ProfileKind::kReadback, "readback", stream, [&] {
        hip::copy(stream, slot.results.get(), slot.device_results.get(),
                  (slot.result_words + slot.marks.size()) * sizeof(uint64_t),
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
    busy_.front()->pictures = Pictures();
    idle_.push_back(std::move(busy_.front()));
    busy_.pop_front();
}

} // namespace vmafx
