/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/tile_check.h"

#include <cinttypes>

#include "core/failure.h"
#include "tiling/tiling.h"

namespace vmafx
{

std::optional<TileLayout> check_modifier(uint64_t modifier, const char *subject,
                                         uint32_t element_bytes)
{
    if (modifier == VMAFX_MODIFIER_LINEAR)
        return std::nullopt;
    std::string reason;
    const std::optional<TileLayout> layout = tiling::tiling_of(modifier, element_bytes, &reason);
    if (!layout)
        fail(VMAFX_E_NOTSUP, subject,
             "modifier 0x%016" PRIx64 " (%s) cannot be read with elements of %u bytes: %s; %s",
             modifier, tiling::describe_modifier(modifier).c_str(), element_bytes, reason.c_str(),
             tiling::advice_for(modifier));
    return layout;
}

void check_tiles(const VmafxPlane &plane, uint32_t index, const TileLayout &layout)
{
    const uint64_t step = tiling::block_row_bytes(layout);
    if (plane.pitch % step)
        fail(VMAFX_E_INVALID, format("desc.plane[%u].pitch", index).c_str(),
             "pitch of plane %u is %" PRIu64
             " bytes; with tiles of %s it is a multiple of %" PRIu64,
             index, plane.pitch, tiling::describe_modifier(plane.modifier).c_str(), step);
    if (plane.offset % tiling::kPlaneAlignment)
        fail(VMAFX_E_INVALID, format("desc.plane[%u].offset", index).c_str(),
             "offset of plane %u is %" PRIu64 " bytes; that of tiles is a multiple of %" PRIu64,
             index, plane.offset, tiling::kPlaneAlignment);
}

SourcePlane stored_plane(const VmafxPlane &plane, const std::optional<TileLayout> &layout,
                         const SourcePlane &source)
{
    if (!layout)
        return source;
    return {plane.pitch, static_cast<uint32_t>(tiling::padded_rows(*layout, source.rows))};
}

} // namespace vmafx
