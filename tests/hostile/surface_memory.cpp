/* SPDX-License-Identifier: BSD-2-Clause */
#include "surface.h"

#include <algorithm>

#include "producer_calls.h"

using namespace support;
using namespace vmafx::hip;

namespace
{

constexpr uint8_t kGarbage = 0x5a;
constexpr uint32_t kPads[] = {0, 1, 16, 64}; /* bytes between rows */

} // namespace

SurfaceMemory::SurfaceMemory(const Format &format, uint32_t memory, Random &random)
{
    const std::vector<PackedPlane> &planes = Sequence::get(format, 0).planes(false, 0);
    desc_ = describe(Sequence::get(format, 0).picture(false, 0), format.facts(), memory);
    if (memory == VMAFX_MEMORY_DEVICE_ARRAY)
        make_arrays(planes, format);
    else
        lay_out(planes, random.pick(kPads));
}

void SurfaceMemory::lay_out(const std::vector<PackedPlane> &planes, uint32_t pad)
{
    const ProducerCalls &hip = ProducerCalls::get();
    const uint32_t memory = desc_.memory;
    uint64_t bytes = 0;
    for (size_t i = 0; i < planes.size(); ++i) {
        pitch_.push_back(planes[i].row_bytes + pad);
        desc_.plane[i].offset = bytes;
        desc_.plane[i].pitch = pitch_[i];
        bytes += pitch_[i] * planes[i].rows;
    }
    std::vector<uint8_t> garbage(bytes, kGarbage);
    if (memory == VMAFX_MEMORY_DMABUF) {
        map_memfd(garbage);
    } else if (memory == VMAFX_MEMORY_HOST) {
        host_ = std::move(garbage);
        base_ = host_.data();
    } else {
        void *address = nullptr;
        hip_must(hip.hipMalloc(&address, bytes), "hipMalloc");
        base_ = static_cast<uint8_t *>(address);
        hip_must(hip.hipMemset(base_, kGarbage, bytes), "hipMemset");
    }
    for (size_t i = 0; i < planes.size(); ++i) {
        if (memory == VMAFX_MEMORY_DMABUF)
            desc_.plane[i].fd = memfd_->get();
        else
            desc_.plane[i].address = base_;
    }
}

void SurfaceMemory::make_arrays(const std::vector<PackedPlane> &planes, const Format &format)
{
    const int bits = format.bits > 8 ? 16 : 8;
    if (!format.facts().semi_planar)
        desc_.flags = VMAFX_IMPORT_ALLOW_COPY;
    for (size_t i = 0; i < planes.size(); ++i) {
        const bool two = format.facts().semi_planar && i == 1;
        const hipChannelFormatDesc channels = {bits, two ? bits : 0, 0, 0,
                                               hipChannelFormatKindUnsigned};
        const size_t element = static_cast<size_t>(bits / 8) * (two ? 2 : 1);
        hipArray_t array = nullptr;
        hip_must(ProducerCalls::get().hipMallocArray(
                     &array, &channels, planes[i].row_bytes / element, planes[i].rows, 0),
                 "hipMallocArray");
        arrays_.push_back(array);
        desc_.plane[i].address = array;
    }
}

/** The producer maps its buffer as any other program would. */
void SurfaceMemory::map_memfd(std::vector<uint8_t> &garbage)
{
    const ProducerCalls &hip = ProducerCalls::get();
    memfd_.emplace(create_memfd(garbage));
    hipExternalMemoryHandleDesc handle = {};
    handle.type = hipExternalMemoryHandleTypeOpaqueFd;
    handle.handle.fd = memfd_->get();
    handle.size = garbage.size();
    hip_must(hip.hipImportExternalMemory(&external_, &handle), "hipImportExternalMemory");
    hipExternalMemoryBufferDesc buffer = {};
    buffer.size = garbage.size();
    void *address = nullptr;
    hip_must(hip.hipExternalMemoryGetMappedBuffer(&address, external_, &buffer),
             "hipExternalMemoryGetMappedBuffer");
    base_ = static_cast<uint8_t *>(address);
}

SurfaceMemory::~SurfaceMemory()
{
    const ProducerCalls &hip = ProducerCalls::get();
    for (const hipArray_t array : arrays_)
        (void)hip.hipFreeArray(array);
    if (base_ && host_.empty())
        (void)hip.hipFree(base_);
    if (external_)
        (void)hip.hipDestroyExternalMemory(external_);
}

void SurfaceMemory::write_now(const std::vector<PackedPlane> &planes)
{
    const ProducerCalls &hip = ProducerCalls::get();
    for (uint32_t i = 0; i < planes.size(); ++i) {
        const PackedPlane &plane = planes[i];
        if (!host_.empty())
            for (uint32_t y = 0; y < plane.rows; ++y)
                std::copy_n(plane.bytes.data() + y * plane.row_bytes, plane.row_bytes,
                            row(i) + y * pitch_[i]);
        else if (!arrays_.empty())
            hip_must(hip.hipMemcpy2DToArray(arrays_[i], 0, 0, plane.bytes.data(), plane.row_bytes,
                                            plane.row_bytes, plane.rows, hipMemcpyHostToDevice),
                     "hipMemcpy2DToArray");
        else
            hip_must(hip.hipMemcpy2D(row(i), pitch_[i], plane.bytes.data(), plane.row_bytes,
                                     plane.row_bytes, plane.rows, hipMemcpyHostToDevice),
                     "hipMemcpy2D");
    }
}

void SurfaceMemory::write_later(const std::vector<PackedPlane> &planes, hipStream_t stream,
                                bool upload)
{
    /* The CPU's memory is as good as a device's. */
    const hipMemcpyKind kind = upload ? hipMemcpyHostToDevice : hipMemcpyDeviceToDevice;
    for (uint32_t i = 0; i < planes.size(); ++i)
        hip_must(ProducerCalls::get().hipMemcpy2DAsync(row(i), pitch_[i], planes[i].bytes.data(),
                                                       planes[i].row_bytes, planes[i].row_bytes,
                                                       planes[i].rows, kind, stream),
                 "hipMemcpy2DAsync");
}

void SurfaceMemory::scribble()
{
    std::fill(host_.begin(), host_.end(), kGarbage);
}
