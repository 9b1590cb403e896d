/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/array_check.h"

#include <algorithm>

#include "core/failure.h"

namespace vmafx
{

namespace
{

bool same_components(const hip::hipChannelFormatDesc &format, const ArrayExtent &needed)
{
    const int bits[4] = {format.x, format.y, format.z, format.w};
    for (uint32_t i = 0; i < 4; ++i)
        if (bits[i] != (i < needed.components ? static_cast<int>(needed.bits) : 0))
            return false;
    return format.f == hip::hipChannelFormatKindUnsigned;
}

} // namespace

ArrayExtent array_extent(const Layout &layout, const PictureFormat &format, uint32_t plane)
{
    return {format.plane_width(plane), format.plane_height(plane),
            layout.semi_planar && plane == 1 ? 2u : 1u, 8 * format.sample_bytes()};
}

void check_array(const hip::Runtime &runtime, const VmafxPlane &plane, uint32_t index,
                 const ArrayExtent &needed)
{
    if (!runtime.hip.hipArrayGetInfo)
        return;
    const std::string subject = format("desc.plane[%u].address", index);
    hip::hipChannelFormatDesc found{};
    hip::hipExtent extent{};
    unsigned int flags = 0;
    const hip::hipError_t error = runtime.hip.hipArrayGetInfo(
        &found, &extent, &flags, static_cast<hip::hipArray_t>(plane.address));
    if (error != hip::hipSuccess) {
        (void)runtime.hip.hipGetLastError();
        throw Failure(hip::status_of_handle(error), subject,
                      format("%p of plane %u is not taken as a hipArray_t: %s", plane.address,
                             index, describe_error(runtime.hip, error).c_str()),
                      error);
    }
    if (!same_components(found, needed))
        fail(VMAFX_E_INVALID, subject.c_str(),
             "the array of plane %u has elements of %d+%d+%d+%d bits, kind %u; it needs %u "
             "unsigned component%s of %u bits",
             index, found.x, found.y, found.z, found.w, static_cast<unsigned>(found.f),
             needed.components, needed.components == 1 ? "" : "s", needed.bits);
    const size_t rows = std::max<size_t>(extent.height, 1); /* 0: one-dimensional */
    if (extent.width < needed.width || rows < needed.rows || extent.depth > 1)
        fail(VMAFX_E_RANGE, subject.c_str(),
             "the array of plane %u has %zu x %zu x %zu elements; the plane has %u x %u", index,
             extent.width, rows, std::max<size_t>(extent.depth, 1), needed.width, needed.rows);
}

} // namespace vmafx
