/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Turns tiled planes into planar ones with the value in the low bits.
 */
#ifndef VMAFX_KERNELS_PLANARISE_TILED_H
#define VMAFX_KERNELS_PLANARISE_TILED_H

#include "kernels/planarise.h"
#include "kernels/tile_layout.h"

namespace vmafx
{

/** A tiled plane. The address is a multiple of 4, the pitch one of a block's row. */
struct TiledPlane {
    PlaneView view;
    const TileLayout *layout;
};

/** Addresses and pitches of targets are multiples of 4; what lies between a row's end and the next
 *  multiple of 4 is written, too. */
class TiledPlanariser
{
  public:
    explicit TiledPlanariser(PlanDevice &device);

    /** A plane of width x height samples. */
    void copy(PlanStream &stream, const TiledPlane &source, SampleLayout samples,
              const TargetPlane &target, uint32_t width, uint32_t height) const;

    /** Interleaved samples to two planes of width x height samples: even places, odd places. */
    void split(PlanStream &stream, const TiledPlane &source, SampleLayout samples,
               const TargetPlane &even, const TargetPlane &odd, uint32_t width,
               uint32_t height) const;

  private:
    Grid grid(const TileLayout &layout, uint32_t width, uint32_t height) const;

    const Kernel *copy_8_;
    const Kernel *copy_16_;
    const Kernel *split_8_;
    const Kernel *split_16_;
    bool cpu_tiles_;
};

} // namespace vmafx

#endif
