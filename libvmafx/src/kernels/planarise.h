/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Turns planes that metrics cannot read where they lie into planar ones with the value in the low
 * bits: interleaved chroma (NV12, P010, P016) and words with the value in the high bits (P010).
 */
#ifndef VMAFX_KERNELS_PLANARISE_H
#define VMAFX_KERNELS_PLANARISE_H

#include "features/feature.h"

namespace vmafx
{

/** A plane that is written. */
struct TargetPlane {
    void *data = nullptr;
    uint64_t pitch = 0; /* bytes */
};

/** How the samples of a source plane are stored. */
struct SampleLayout {
    uint32_t bytes = 1; /* 1 or 2 */
    uint32_t shift =
        0; /* right shift that brings the value into the low bits: 16 - bits for P010 */
};

class Planariser
{
  public:
    explicit Planariser(PlanDevice &device);

    /** Interleaved samples to two planes of width x height samples: even places, odd places. */
    void split(PlanStream &stream, const PlaneView &source, SampleLayout layout,
               const TargetPlane &even, const TargetPlane &odd, uint32_t width,
               uint32_t height) const;

    /** A plane of 16-bit words, each shifted right. */
    void shift(PlanStream &stream, const PlaneView &source, uint32_t shift,
               const TargetPlane &target, uint32_t width, uint32_t height) const;

  private:
    Grid grid(uint32_t width, uint32_t height) const;

    const Kernel *split_8_;
    const Kernel *split_16_;
    const Kernel *shift_16_;
    bool cpu_tiles_;
};

} // namespace vmafx

#endif
