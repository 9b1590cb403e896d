/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/producer_stream.h"

#include <chrono>
#include <stdexcept>
#include <utility>

#include "support/hip_calls.h"

namespace support
{

using namespace vmafx::hip;

namespace
{

constexpr auto kBound = std::chrono::seconds(60);

hipStream_t as_stream(void *stream)
{
    return static_cast<hipStream_t>(stream);
}

hipEvent_t as_event(void *event)
{
    return static_cast<hipEvent_t>(event);
}

} // namespace

ProducerEvent::ProducerEvent()
{
    hipEvent_t event = nullptr;
    hip_must(HipCalls::get().hipEventCreateWithFlags(&event, event_disable_timing),
             "hipEventCreateWithFlags");
    event_ = event;
}

ProducerEvent::~ProducerEvent()
{
    (void)HipCalls::get().hipEventDestroy(as_event(event_));
}

bool ProducerEvent::complete() const
{
    const hipError_t answer = HipCalls::get().hipEventQuery(as_event(event_));
    if (answer != hipErrorNotReady)
        hip_must(answer, "hipEventQuery");
    return answer == hipSuccess;
}

ProducerStream::ProducerStream()
{
    hipStream_t stream = nullptr;
    hip_must(HipCalls::get().hipStreamCreateWithFlags(&stream, stream_non_blocking),
             "hipStreamCreateWithFlags");
    stream_ = stream;
}

ProducerStream::~ProducerStream()
{
    let_go();
    (void)HipCalls::get().hipStreamSynchronize(as_stream(stream_));
    (void)HipCalls::get().hipStreamDestroy(as_stream(stream_));
}

void ProducerStream::hold()
{
    {
        const std::lock_guard lock(lock_);
        open_ = false;
    }
    const auto launch = HipCalls::get().hipLaunchHostFunc;
    if (!launch)
        throw std::runtime_error("the runtime lacks hipLaunchHostFunc");
    hip_must(launch(as_stream(stream_), wait_until_open, this), "hipLaunchHostFunc");
}

void ProducerStream::let_go()
{
    const std::lock_guard lock(lock_);
    open_ = true;
    changed_.notify_all();
}

void ProducerStream::wait_until_open(void *self)
{
    auto *stream = static_cast<ProducerStream *>(self);
    std::unique_lock lock(stream->lock_);
    stream->changed_.wait_for(lock, kBound, [&] { return stream->open_; });
}

void ProducerStream::copy(void *to, const void *from, size_t bytes)
{
    hip_must(HipCalls::get().hipMemcpyAsync(to, from, bytes, hipMemcpyDeviceToDevice,
                                            as_stream(stream_)),
             "hipMemcpyAsync");
}

void ProducerStream::copy_rows(void *to, uint64_t to_pitch, const PackedPlane &plane,
                               const void *from)
{
    hip_must(HipCalls::get().hipMemcpy2DAsync(to, to_pitch, from, plane.row_bytes, plane.row_bytes,
                                              plane.rows, hipMemcpyDeviceToDevice,
                                              as_stream(stream_)),
             "hipMemcpy2DAsync");
}

void ProducerStream::record(const ProducerEvent &event)
{
    hip_must(HipCalls::get().hipEventRecord(as_event(event.handle()), as_stream(stream_)),
             "hipEventRecord");
}

void ProducerStream::wait_for(const VmafxFenceDesc &fence)
{
    hip_must(HipCalls::get().hipStreamWaitEvent(as_stream(stream_), as_event(fence.handle), 0),
             "hipStreamWaitEvent");
}

void ProducerStream::finish()
{
    hip_must(HipCalls::get().hipStreamSynchronize(as_stream(stream_)), "hipStreamSynchronize");
}

ProducerArray::ProducerArray(const Shape &shape)
{
    const auto bits = [&](int i) { return i < shape.components ? shape.bits : 0; };
    const hipChannelFormatDesc format = {bits(0), bits(1), bits(2), bits(3),
                                         static_cast<hipChannelFormatKind>(shape.kind)};
    hipArray_t array = nullptr;
    hip_must(HipCalls::get().hipMallocArray(&array, &format, shape.width, shape.rows, 0),
             "hipMallocArray");
    array_ = array;
}

ProducerArray::ProducerArray(const PackedPlane &plane, int components, int bits)
    : ProducerArray(
          Shape{components, bits,
                static_cast<size_t>(plane.row_bytes) / static_cast<size_t>(components * bits / 8),
                plane.rows})
{
    const size_t row = plane.row_bytes;
    hip_must(HipCalls::get().hipMemcpy2DToArray(static_cast<hipArray_t>(array_), 0, 0,
                                                plane.bytes.data(), row, row, plane.rows,
                                                hipMemcpyHostToDevice),
             "hipMemcpy2DToArray");
}

ProducerArray::ProducerArray(ProducerArray &&other) noexcept
    : array_(std::exchange(other.array_, nullptr))
{
}

ProducerArray::~ProducerArray()
{
    if (array_)
        (void)HipCalls::get().hipFreeArray(static_cast<hipArray_t>(array_));
}

ArrayPicture::ArrayPicture(const Picture &picture, const LayoutFacts &layout)
    : desc_(describe(picture, layout, VMAFX_MEMORY_DEVICE_ARRAY))
{
    if (!layout.semi_planar)
        desc_.flags = VMAFX_IMPORT_ALLOW_COPY;
    const int bits = picture.bits > 8 ? 16 : 8;
    for (const PackedPlane &plane : pack(picture, layout)) {
        const size_t i = arrays_.size();
        arrays_.emplace_back(plane, layout.semi_planar && i == 1 ? 2 : 1, bits);
        desc_.plane[i].address = arrays_.back().handle();
    }
}

} // namespace support
