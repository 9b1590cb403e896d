/* SPDX-License-Identifier: BSD-2-Clause */
#include "pool_producer.h"

using namespace support;

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

void PoolProducer::wait_for(const VmafxFenceDesc &writable)
{
    if (writable.kind == VMAFX_FENCE_HIP_EVENT)
        stream_.wait_for(writable);
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
    for (uint32_t i = 0; i < info.plane_count; ++i)
        stream_.copy_rows(info.plane[i].address, info.plane[i].pitch, picture.planes_.at(i),
                          picture.memory_.at(i).address());
}

VmafxFenceDesc PoolProducer::record()
{
    stream_.record(events_.emplace_back());
    return events_.back().fence();
}
