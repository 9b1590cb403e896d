/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Checks of the tiled planes of an import.
 */
#ifndef VMAFX_CORE_TILE_CHECK_H
#define VMAFX_CORE_TILE_CHECK_H

#include <optional>

#include <libvmafx/frame.h>

#include "core/layout.h"
#include "kernels/tile_layout.h"

namespace vmafx
{

/** The layout of a plane with such a modifier; nothing if it is linear. Throws E_NOTSUP, which says
 *  in words what the modifier is, why it cannot be read and what to do. */
std::optional<TileLayout> check_modifier(uint64_t modifier, const char *subject,
                                         uint32_t element_bytes);

/** Checks pitch and offset of a tiled plane, on top of what linear planes need. Throws a Failure
 *  that names the field. */
void check_tiles(const VmafxPlane &plane, uint32_t index, const TileLayout &layout);

/** What a plane occupies: a tiled one has rows of pitch bytes, as many as whole tiles have. */
SourcePlane stored_plane(const VmafxPlane &plane, const std::optional<TileLayout> &layout,
                         const SourcePlane &source);

} // namespace vmafx

#endif
