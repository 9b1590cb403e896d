/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the VMAFX_LAYOUT_* constants mean: planes, sizes, depth.
 */
#ifndef VMAFX_CORE_LAYOUT_H
#define VMAFX_CORE_LAYOUT_H

#include <cstdint>

#include "features/feature.h"

namespace vmafx
{

struct Layout {
    const char *name;
    Chroma chroma;
    bool semi_planar; /* plane 1 holds Cb and Cr in turn */
    uint32_t bits;    /* 0: the import says */
    bool high_bits;   /* samples sit in the high bits of their 16-bit word */

    uint32_t planes() const { return chroma == Chroma::k400 ? 1 : semi_planar ? 2 : 3; }
};

/** nullptr for an unknown layout. */
const Layout *find_layout(uint32_t layout);

const char *memory_name(uint32_t memory);
const char *chroma_name(Chroma chroma);

/** One plane as the producer stores it. */
struct SourcePlane {
    uint64_t row_bytes;
    uint32_t rows;
};
SourcePlane source_plane(const Layout &layout, const PictureFormat &format, uint32_t plane);
/** Bytes of one of its elements: a sample, or a pair of chroma samples. */
uint32_t element_bytes(const Layout &layout, const PictureFormat &format, uint32_t plane);

} // namespace vmafx

#endif
