/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/layout.h"

#include <libvmafx/frame.h>

namespace vmafx
{

namespace
{

/* In the order of VMAFX_LAYOUT_*, which starts at 1. */
constexpr Layout kLayouts[] = {
    {"4:0:0", Chroma::k400, false, 0, false}, {"4:2:0", Chroma::k420, false, 0, false},
    {"4:2:2", Chroma::k422, false, 0, false}, {"4:4:4", Chroma::k444, false, 0, false},
    {"NV12", Chroma::k420, true, 8, false},   {"P010", Chroma::k420, true, 10, true},
    {"P012", Chroma::k420, true, 12, true},   {"P016", Chroma::k420, true, 16, false},
    {"NV16", Chroma::k422, true, 8, false},   {"P210", Chroma::k422, true, 10, true},
    {"P216", Chroma::k422, true, 16, false},  {"NV24", Chroma::k444, true, 8, false},
    {"P410", Chroma::k444, true, 10, true},   {"P416", Chroma::k444, true, 16, false},
};
static_assert(sizeof(kLayouts) / sizeof(kLayouts[0]) == VMAFX_LAYOUT_P416);

} // namespace

const Layout *find_layout(uint32_t layout)
{
    return layout >= 1 && layout <= VMAFX_LAYOUT_P416 ? &kLayouts[layout - 1] : nullptr;
}

const char *memory_name(uint32_t memory)
{
    switch (memory) {
    case VMAFX_MEMORY_HOST:
        return "HOST";
    case VMAFX_MEMORY_DEVICE_POINTER:
        return "DEVICE_POINTER";
    case VMAFX_MEMORY_DMABUF:
        return "DMABUF";
    case VMAFX_MEMORY_DEVICE_ARRAY:
        return "DEVICE_ARRAY";
    case VMAFX_MEMORY_GL_TEXTURE:
        return "GL_TEXTURE";
    default:
        return "unknown";
    }
}

const char *chroma_name(Chroma chroma)
{
    switch (chroma) {
    case Chroma::k400:
        return "4:0:0";
    case Chroma::k420:
        return "4:2:0";
    case Chroma::k422:
        return "4:2:2";
    case Chroma::k444:
        return "4:4:4";
    }
    return "unknown";
}

SourcePlane source_plane(const Layout &layout, const PictureFormat &format, uint32_t plane)
{
    const uint64_t elements = format.plane_width(plane);
    return {elements * element_bytes(layout, format, plane), format.plane_height(plane)};
}

uint32_t element_bytes(const Layout &layout, const PictureFormat &format, uint32_t plane)
{
    return format.sample_bytes() * (layout.semi_planar && plane == 1 ? 2 : 1);
}

} // namespace vmafx
