/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Whether a hipArray_t can be a plane.
 */
#ifndef VMAFX_CORE_ARRAY_CHECK_H
#define VMAFX_CORE_ARRAY_CHECK_H

#include <libvmafx/frame.h>

#include "core/layout.h"
#include "hip/runtime.h"

namespace vmafx
{

/** The array that a source plane needs at least. */
struct ArrayExtent {
    uint32_t width; /* elements */
    uint32_t rows;
    uint32_t components; /* of an element */
    uint32_t bits;       /* of a component */
};
ArrayExtent array_extent(const Layout &layout, const PictureFormat &format, uint32_t plane);

/** Throws E_INVALID or E_RANGE "desc.plane[i].address". A runtime that cannot tell what an array is
 * (ROCm before 5.6) is believed. */
void check_array(const hip::Runtime &runtime, const VmafxPlane &plane, uint32_t index,
                 const ArrayExtent &needed);

} // namespace vmafx

#endif
