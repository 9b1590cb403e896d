/* SPDX-License-Identifier: BSD-2-Clause */
#include "pool_producer.h"

#include "support/runtime_entry.h"

using namespace support;

namespace
{

constexpr int kDeviceToDevice = 3;
constexpr unsigned kNonBlocking = 1; /* stream */
constexpr unsigned kNoTiming = 2;    /* event */

/** The calls of HIP's C interface that the producer makes, of the runtime that is tested. */
struct Hip {
    int (*stream_create)(void **stream, unsigned flags);
    int (*stream_destroy)(void *stream);
    int (*stream_wait)(void *stream, void *event, unsigned flags);
    int (*stream_synchronize)(void *stream);
    int (*event_create)(void **event, unsigned flags);
    int (*event_destroy)(void *event);
    int (*event_record)(void *event, void *stream);
    int (*copy_2d)(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                   size_t height, int kind, void *stream);

    static const Hip &get()
    {
        static const Hip hip;
        return hip;
    }

  private:
    Hip()
    {
        resolve(stream_create, "hipStreamCreateWithFlags");
        resolve(stream_destroy, "hipStreamDestroy");
        resolve(stream_wait, "hipStreamWaitEvent");
        resolve(stream_synchronize, "hipStreamSynchronize");
        resolve(event_create, "hipEventCreateWithFlags");
        resolve(event_destroy, "hipEventDestroy");
        resolve(event_record, "hipEventRecord");
        resolve(copy_2d, "hipMemcpy2DAsync");
    }
};

void hip_must(int error)
{
    if (error != 0)
        throw std::runtime_error("a HIP call of the producer failed: " + std::to_string(error));
}

} // namespace

Pool create_pool(const Device &device, const Picture &like, const LayoutFacts &layout,
                 uint32_t frames, uint32_t plane_count)
{
    VmafxFramePoolDesc desc = VMAFX_FRAME_POOL_DESC_INIT;
    desc.layout = layout.layout;
    desc.bits = like.bits;
    desc.width = like.width;
    desc.height = like.height;
    desc.plane_count = plane_count;
    desc.frames = frames;
    Pool pool;
    must(vmafx_frame_pool_create, device.get(), &desc, pool.out());
    return pool;
}

PoolFrame acquire(const Pool &pool)
{
    PoolFrame frame;
    must(vmafx_frame_pool_acquire, pool.get(), frame.out());
    return frame;
}

VmafxPoolFrameInfo info_of(const PoolFrame &frame)
{
    VmafxPoolFrameInfo info = VMAFX_POOL_FRAME_INFO_INIT;
    must(vmafx_pool_frame_get_info, frame.get(), &info);
    return info;
}

Frame submit_ready(PoolFrame &picture, const VmafxFenceDesc *ready)
{
    VmafxPoolFrame *handle = picture.get();
    Frame frame;
    must(vmafx_pool_frame_submit, &handle, ready, frame.out());
    picture.forget();
    return frame;
}

PoolProducer::PoolProducer()
{
    hip_must(Hip::get().stream_create(&stream_, kNonBlocking));
}

PoolProducer::~PoolProducer()
{
    Hip::get().stream_synchronize(stream_);
    for (void *event : events_)
        Hip::get().event_destroy(event);
    Hip::get().stream_destroy(stream_);
}

void PoolProducer::wait_for(const VmafxFenceDesc &writable)
{
    if (writable.kind == VMAFX_FENCE_HIP_EVENT)
        hip_must(Hip::get().stream_wait(stream_, writable.handle, 0));
}

DevicePicture::DevicePicture(const Picture &picture, const LayoutFacts &layout)
    : planes_(pack(picture, layout))
{
    for (const PackedPlane &plane : planes_)
        memory_.emplace_back(plane.bytes);
}

void PoolProducer::write(const PoolFrame &frame, const DevicePicture &picture)
{
    const VmafxPoolFrameInfo info = info_of(frame);
    for (uint32_t i = 0; i < info.plane_count; ++i) {
        const PackedPlane &plane = picture.planes_.at(i);
        hip_must(Hip::get().copy_2d(info.plane[i].address, info.plane[i].pitch,
                                    picture.memory_.at(i).address(), plane.row_bytes,
                                    plane.row_bytes, plane.rows, kDeviceToDevice, stream_));
    }
}

VmafxFenceDesc PoolProducer::record()
{
    void *event = nullptr;
    hip_must(Hip::get().event_create(&event, kNoTiming));
    events_.push_back(event);
    hip_must(Hip::get().event_record(event, stream_));
    return {VMAFX_FENCE_HIP_EVENT, 0, event};
}

void PoolProducer::finish()
{
    hip_must(Hip::get().stream_synchronize(stream_));
}
