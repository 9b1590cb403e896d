/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/producer_stream.h"

#include <chrono>
#include <stdexcept>
#include <utility>

#include <dlfcn.h>

#include "support/handles.h"

namespace support
{

namespace
{

constexpr int kNotReady = 600;
constexpr int kHostToDevice = 1, kDeviceToDevice = 3;
constexpr unsigned kNonBlocking = 1; /* stream */
constexpr unsigned kNoTiming = 2;    /* event */
constexpr auto kBound = std::chrono::seconds(60);

struct ChannelFormat {
    int x, y, z, w, kind;
};

/** The calls of HIP's C interface that the producer makes, of the runtime that is tested. */
struct Hip {
    int (*stream_create)(void **stream, unsigned flags);
    int (*stream_destroy)(void *stream);
    int (*stream_synchronize)(void *stream);
    int (*launch_host)(void *stream, void (*function)(void *), void *opaque);
    int (*event_create)(void **event, unsigned flags);
    int (*event_destroy)(void *event);
    int (*event_record)(void *event, void *stream);
    int (*event_query)(void *event);
    int (*copy)(void *to, const void *from, size_t bytes, int kind, void *stream);
    int (*array_create)(void **array, const ChannelFormat *format, size_t width, size_t height,
                        unsigned flags);
    int (*array_destroy)(void *array);
    int (*array_fill)(void *to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                      size_t height, int kind);

    static const Hip &get()
    {
        static const Hip hip;
        return hip;
    }

  private:
    Hip()
    {
        const std::string file = info_of(open_test_device()).runtime_file;
        void *library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!library)
            throw std::runtime_error(dlerror());
        resolve(library, "hipStreamCreateWithFlags", stream_create);
        resolve(library, "hipStreamDestroy", stream_destroy);
        resolve(library, "hipStreamSynchronize", stream_synchronize);
        resolve(library, "hipLaunchHostFunc", launch_host);
        resolve(library, "hipEventCreateWithFlags", event_create);
        resolve(library, "hipEventDestroy", event_destroy);
        resolve(library, "hipEventRecord", event_record);
        resolve(library, "hipEventQuery", event_query);
        resolve(library, "hipMemcpyAsync", copy);
        resolve(library, "hipMallocArray", array_create);
        resolve(library, "hipFreeArray", array_destroy);
        resolve(library, "hipMemcpy2DToArray", array_fill);
    }
    template <class Function> void resolve(void *library, const char *name, Function &function)
    {
        function = reinterpret_cast<Function>(dlsym(library, name));
        if (!function)
            throw std::runtime_error(std::string("the runtime lacks ") + name);
    }
};

void hip_must(int error)
{
    if (error != 0)
        throw std::runtime_error("a HIP call of the producer failed: " + std::to_string(error));
}

} // namespace

ProducerEvent::ProducerEvent()
{
    hip_must(Hip::get().event_create(&event_, kNoTiming));
}

ProducerEvent::~ProducerEvent()
{
    Hip::get().event_destroy(event_);
}

bool ProducerEvent::complete() const
{
    const int answer = Hip::get().event_query(event_);
    if (answer != kNotReady)
        hip_must(answer);
    return answer == 0;
}

ProducerStream::ProducerStream()
{
    hip_must(Hip::get().stream_create(&stream_, kNonBlocking));
}

ProducerStream::~ProducerStream()
{
    let_go();
    Hip::get().stream_synchronize(stream_);
    Hip::get().stream_destroy(stream_);
}

void ProducerStream::hold()
{
    {
        const std::lock_guard lock(lock_);
        open_ = false;
    }
    hip_must(Hip::get().launch_host(stream_, wait_until_open, this));
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
    hip_must(Hip::get().copy(to, from, bytes, kDeviceToDevice, stream_));
}

void ProducerStream::record(const ProducerEvent &event)
{
    hip_must(Hip::get().event_record(event.handle(), stream_));
}

void ProducerStream::finish()
{
    hip_must(Hip::get().stream_synchronize(stream_));
}

ProducerArray::ProducerArray(const Shape &shape)
{
    const auto bits = [&](int i) { return i < shape.components ? shape.bits : 0; };
    const ChannelFormat format = {bits(0), bits(1), bits(2), bits(3), shape.kind};
    hip_must(Hip::get().array_create(&array_, &format, shape.width, shape.rows, 0));
}

ProducerArray::ProducerArray(const PackedPlane &plane, int components, int bits)
    : ProducerArray(
          Shape{components, bits,
                static_cast<size_t>(plane.row_bytes) / static_cast<size_t>(components * bits / 8),
                plane.rows})
{
    const size_t row = plane.row_bytes;
    hip_must(Hip::get().array_fill(array_, 0, 0, plane.bytes.data(), row, row, plane.rows,
                                   kHostToDevice));
}

ProducerArray::ProducerArray(ProducerArray &&other) noexcept
    : array_(std::exchange(other.array_, nullptr))
{
}

ProducerArray::~ProducerArray()
{
    if (array_)
        Hip::get().array_destroy(array_);
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
