/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Checks of a VmafxFrameImport that need no device.
 */
#ifndef VMAFX_CORE_IMPORT_CHECK_H
#define VMAFX_CORE_IMPORT_CHECK_H

#include <optional>

#include <libvmafx/frame.h>

#include "core/layout.h"
#include "kernels/tile_layout.h"

namespace vmafx
{

struct CheckedImport {
    const Layout *layout;
    PictureFormat format; /* as the features see it */
    uint32_t planes;      /* source planes given: the layout's, or 1 */
    ColourTags colour = {};
    std::optional<TileLayout> tiles[VMAFX_MAX_PLANES] = {}; /* of planes that are not linear */
};

/** Checks layout, size, depth and number of planes. Throws a Failure that names the field. */
CheckedImport check_picture(const VmafxFrameImport &desc);

/** Checks all fields. Throws a Failure that names the field. */
CheckedImport check_import(const VmafxFrameImport &desc);

/** Checks kinds and fields of both fences. Throws a Failure that names the field. */
void check_fences(const VmafxFrameImport &desc);

/** Throws E_NOTSUP "modifier" unless all planes of that layout can be read with it; E_INVALID and
 *  E_RANGE "layout", "bits". */
void check_modifier_support(uint64_t modifier, uint32_t layout, uint32_t bits);

/** Bytes from the buffer's start to the end of the plane's last row. */
uint64_t plane_end(const VmafxPlane &plane, const SourcePlane &source);

/** Throws E_RANGE "desc.plane[i].size" unless the plane lies within size bytes. */
void check_plane_fits(const VmafxPlane &plane, uint32_t index, const SourcePlane &source,
                      uint64_t size);

} // namespace vmafx

#endif
