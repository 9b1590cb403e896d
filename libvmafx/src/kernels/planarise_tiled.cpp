/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernels/planarise_tiled.h"

#include "kernels/planarise_tiled_kernels.h"

namespace vmafx
{

namespace
{

PlanariseTiledArgs arguments(const TiledPlane &source, SampleLayout samples,
                             const TargetPlane &first, const TargetPlane &second, uint32_t width,
                             uint32_t height)
{
    return {source.view.data,
            first.data,
            second.data,
            source.view.pitch << source.layout->height_bits,
            first.pitch,
            second.pitch,
            *source.layout,
            static_cast<int32_t>(width),
            static_cast<int32_t>(height),
            static_cast<int32_t>(samples.shift)};
}

} // namespace

TiledPlanariser::TiledPlanariser(PlanDevice &device)
    : copy_8_(device.kernel("planarise_tiled_copy_8")),
      copy_16_(device.kernel("planarise_tiled_copy_16")),
      split_8_(device.kernel("planarise_tiled_split_8")),
      split_16_(device.kernel("planarise_tiled_split_16")), cpu_tiles_(device.cpu_tiles())
{
}

Grid TiledPlanariser::grid(const TileLayout &layout, uint32_t width, uint32_t height) const
{
    const PlanariseTiledShape &shape =
        cpu_tiles_ ? kPlanariseTiledCpuShape : kPlanariseTiledGpuShape;
    const uint32_t elements = kTiledUnitBytes >> layout.element_bits; /* of a unit */
    return {groups_for(width, static_cast<uint32_t>(shape.units) * elements),
            groups_for(height, static_cast<uint32_t>(shape.rows)), 1, kPlanariseTiledThreads};
}

void TiledPlanariser::copy(PlanStream &stream, const TiledPlane &source, SampleLayout samples,
                           const TargetPlane &target, uint32_t width, uint32_t height) const
{
    stream.launch(samples.bytes == 1 ? copy_8_ : copy_16_, grid(*source.layout, width, height),
                  arguments(source, samples, target, {}, width, height));
}

void TiledPlanariser::split(PlanStream &stream, const TiledPlane &source, SampleLayout samples,
                            const TargetPlane &even, const TargetPlane &odd, uint32_t width,
                            uint32_t height) const
{
    stream.launch(samples.bytes == 1 ? split_8_ : split_16_, grid(*source.layout, width, height),
                  arguments(source, samples, even, odd, width, height));
}

} // namespace vmafx
