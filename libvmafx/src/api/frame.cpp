/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/frame.h"

#include "api/boundary.h"
#include "api/handles.h"
#include "core/failure.h"

using namespace vmafx;

namespace
{

constexpr uint32_t kAllPlanes = 7;

VmafxFrameInfo describe(const VmafxFrame &frame)
{
    VmafxFrameInfo info = VMAFX_FRAME_INFO_INIT;
    info.memory = frame.memory();
    info.layout = frame.layout_number();
    info.bits = frame.format().bits;
    info.width = frame.format().width;
    info.height = frame.format().height;
    info.planes_converted = frame.converted_sources();
    info.planes_detiled = frame.tiled_sources();
    if (frame.memory() != VMAFX_MEMORY_HOST && frame.memory() != VMAFX_MEMORY_DEVICE_ARRAY)
        info.planes_in_place = ((1u << frame.source_planes()) - 1) & ~info.planes_converted;
    return info;
}

} // namespace

extern "C" {

int32_t vmafx_frame_import(VmafxDevice *device, const VmafxFrameImport *desc, VmafxFrame **frame,
                           VmafxError *error)
{
    if (frame)
        *frame = nullptr;
    return guard("vmafx_frame_import", error, [&] {
        check_not_null(device, "device");
        check_not_null(frame, "frame");
        *frame = VmafxFrame::import(device->device, read_import(desc), kAllPlanes);
    });
}

int32_t vmafx_device_supports_modifier(const VmafxDevice *device, uint64_t modifier,
                                       uint32_t layout, uint32_t bits, VmafxError *error)
{
    return guard("vmafx_device_supports_modifier", error, [&] {
        check_not_null(device, "device");
        check_modifier_support(modifier, layout, bits);
    });
}

int32_t vmafx_frame_get_info(const VmafxFrame *frame, VmafxFrameInfo *info, VmafxError *error)
{
    return guard("vmafx_frame_get_info", error, [&] {
        check_not_null(frame, "frame");
        check_not_null(info, "info");
        write_struct(info, describe(*frame), "info", offsetof(VmafxFrameInfo, planes_detiled));
    });
}

VmafxFrame *vmafx_frame_ref(VmafxFrame *frame)
{
    return frame ? frame->ref() : nullptr;
}

void vmafx_frame_unref(VmafxFrame **frame)
{
    if (!frame || !*frame)
        return;
    (*frame)->unref();
    *frame = nullptr;
}

} // extern "C"
