/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernels/planarise.h"

#include "kernels/planarise_kernels.h"

namespace vmafx
{

Planariser::Planariser(PlanDevice &device)
    : split_8_(device.kernel("planarise_split_8")), split_16_(device.kernel("planarise_split_16")),
      shift_16_(device.kernel("planarise_shift_16")), cpu_tiles_(device.cpu_tiles())
{
}

Grid Planariser::grid(uint32_t width, uint32_t height) const
{
    const PlanariseShape &shape = cpu_tiles_ ? kPlanariseCpuShape : kPlanariseGpuShape;
    return {groups_for(width, shape.width), groups_for(height, shape.height), 1, kPlanariseThreads};
}

void Planariser::split(PlanStream &stream, const PlaneView &source, SampleLayout layout,
                       const TargetPlane &even, const TargetPlane &odd, uint32_t width,
                       uint32_t height) const
{
    const PlanariseArgs args = {source.data,
                                even.data,
                                odd.data,
                                source.pitch,
                                even.pitch,
                                odd.pitch,
                                static_cast<int32_t>(width),
                                static_cast<int32_t>(height),
                                static_cast<int32_t>(layout.shift)};
    stream.launch(layout.bytes == 1 ? split_8_ : split_16_, grid(width, height), args);
}

void Planariser::shift(PlanStream &stream, const PlaneView &source, uint32_t shift,
                       const TargetPlane &target, uint32_t width, uint32_t height) const
{
    const PlanariseArgs args = {source.data,
                                target.data,
                                nullptr,
                                source.pitch,
                                target.pitch,
                                0,
                                static_cast<int32_t>(width),
                                static_cast<int32_t>(height),
                                static_cast<int32_t>(shift)};
    stream.launch(shift_16_, grid(width, height), args);
}

} // namespace vmafx
