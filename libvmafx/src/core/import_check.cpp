/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/import_check.h"

#include <cinttypes>

#include "core/failure.h"
#include "core/tile_check.h"

namespace vmafx
{

namespace
{

/* Keeps offset + pitch * rows far from overflow. */
constexpr uint64_t kMaxOffset = UINT64_C(1) << 40;
constexpr uint64_t kMaxPitch = UINT64_C(1) << 24;

void check_size(const char *subject, uint32_t value)
{
    if (value < 1 || value > VMAFX_MAX_SIZE)
        fail(VMAFX_E_RANGE, subject, "%s is %u; it must be 1..%d", subject + sizeof("desc.") - 1,
             value, VMAFX_MAX_SIZE);
}

const Layout &check_layout(const char *subject, uint32_t number)
{
    const Layout *layout = find_layout(number);
    if (!layout)
        fail(VMAFX_E_INVALID, subject, "layout is %u; see VMAFX_LAYOUT_*", number);
    return *layout;
}

uint32_t check_bits(const char *subject, const Layout &layout, uint32_t bits)
{
    if (layout.bits) {
        if (bits && bits != layout.bits)
            fail(VMAFX_E_INVALID, subject, "bits is %u, but layout %s has %u; set 0 or %u", bits,
                 layout.name, layout.bits, layout.bits);
        return layout.bits;
    }
    if (bits < 8 || bits > 16)
        fail(VMAFX_E_RANGE, subject, "bits is %u; planar layouts take 8..16", bits);
    return bits;
}

uint32_t check_code_point(const char *subject, uint32_t value)
{
    if (value > VMAFX_MAX_CODE_POINT)
        fail(VMAFX_E_RANGE, subject,
             "%s is %u; it is a code point of ISO/IEC 23091-2, at most %d, or 0 if it is not known",
             subject + sizeof("desc.") - 1, value, VMAFX_MAX_CODE_POINT);
    return value == VMAFX_MATRIX_UNSPECIFIED ? kUnspecifiedColour : value;
}

ColourRange check_range(uint32_t range)
{
    switch (range) {
    case VMAFX_RANGE_UNSPECIFIED:
        return ColourRange::kUnspecified;
    case VMAFX_RANGE_LIMITED:
        return ColourRange::kLimited;
    case VMAFX_RANGE_FULL:
        return ColourRange::kFull;
    default:
        fail(VMAFX_E_INVALID, "desc.range", "range is %u; see VMAFX_RANGE_*", range);
    }
}

ColourTags check_colour(const VmafxFrameImport &desc)
{
    if (desc.reserved)
        fail(VMAFX_E_INVALID, "desc.reserved", "reserved is %u; it must be 0", desc.reserved);
    ColourTags tags;
    tags.matrix = desc.matrix == VMAFX_MATRIX_IDENTITY
                      ? kMatrixIdentity
                      : check_code_point("desc.matrix", desc.matrix);
    tags.transfer = check_code_point("desc.transfer", desc.transfer);
    tags.range = check_range(desc.range);
    return tags;
}

/** Subject of a plane's field, put together only where something is wrong with it. */
struct PlanePath {
    uint32_t plane;
    std::string operator+(const char *field) const
    {
        return format("desc.plane[%u]%s", plane, field);
    }
};

/** The memory kind says which fields count; a value in another one belongs to another kind. */
void check_kind_of_plane(const VmafxPlane &plane, const PlanePath &path, uint32_t memory)
{
    const char *name = memory_name(memory);
    const bool addressed = memory != VMAFX_MEMORY_DMABUF;
    if (addressed && !plane.address)
        fail(VMAFX_E_INVALID, (path + ".address").c_str(), "a plane of %s memory needs its address",
             name);
    if (!addressed && plane.address)
        fail(VMAFX_E_INVALID, (path + ".address").c_str(),
             "address is %p, but a plane of %s memory has none; set it to NULL", plane.address,
             name);
    if (!addressed && plane.fd < 0)
        fail(VMAFX_E_INVALID, (path + ".fd").c_str(), "fd is %d, which is no descriptor", plane.fd);
    if (addressed && plane.fd)
        fail(VMAFX_E_INVALID, (path + ".fd").c_str(),
             "fd is %d, but a plane of %s memory has none; set it to 0", plane.fd, name);
    if (plane.texture)
        fail(VMAFX_E_INVALID, (path + ".texture").c_str(),
             "texture is %u, but a plane of %s memory has none; set it to 0", plane.texture, name);
    if (addressed && plane.modifier != VMAFX_MODIFIER_LINEAR)
        fail(VMAFX_E_NOTSUP, (path + ".modifier").c_str(),
             "modifier is 0x%016" PRIx64
             ", but a plane of %s memory is linear; set it to 0, or import the dma-buf",
             plane.modifier, name);
}

/** An array has its own pitch. */
void check_array_plane(const VmafxPlane &plane, const PlanePath &path)
{
    const struct {
        const char *name;
        uint64_t value;
    } fields[] = {{"offset", plane.offset}, {"pitch", plane.pitch}, {"size", plane.size}};
    for (const auto &field : fields)
        if (field.value)
            fail(VMAFX_E_INVALID, (path + "." + field.name).c_str(),
                 "%s is %" PRIu64 ", but an array is read from its first element on; set it to 0",
                 field.name, field.value);
}

void check_rows(const VmafxPlane &plane, const PlanePath &path, uint32_t i,
                const SourcePlane &source)
{
    if (plane.pitch < source.row_bytes || plane.pitch > kMaxPitch)
        fail(VMAFX_E_RANGE, (path + ".pitch").c_str(),
             "pitch of plane %u is %" PRIu64 " bytes; a row has %" PRIu64
             ", and the largest pitch is %" PRIu64,
             i, plane.pitch, source.row_bytes, kMaxPitch);
    if (plane.offset > kMaxOffset)
        fail(VMAFX_E_RANGE, (path + ".offset").c_str(),
             "offset of plane %u is %" PRIu64 " bytes; the largest is %" PRIu64, i, plane.offset,
             kMaxOffset);
}

void check_plane(const VmafxPlane &plane, uint32_t i, uint32_t memory, CheckedImport &checked)
{
    const PlanePath path = {i};
    check_kind_of_plane(plane, path, memory);
    if (memory == VMAFX_MEMORY_DEVICE_ARRAY)
        return check_array_plane(plane, path);
    const SourcePlane source = source_plane(*checked.layout, checked.format, i);
    if (plane.modifier != VMAFX_MODIFIER_LINEAR)
        checked.tiles[i] = check_modifier(plane.modifier, (path + ".modifier").c_str(),
                                          element_bytes(*checked.layout, checked.format, i));
    check_rows(plane, path, i, source);
    if (checked.tiles[i])
        check_tiles(plane, i, *checked.tiles[i]);
    if (plane.size)
        check_plane_fits(plane, i, stored_plane(plane, checked.tiles[i], source), plane.size);
    const uint64_t end = plane_end(plane, source);
    if (end > UINTPTR_MAX - reinterpret_cast<uintptr_t>(plane.address))
        fail(VMAFX_E_RANGE, (path + ".address").c_str(),
             "plane %u at address %p ends %" PRIu64 " bytes later, behind the last address", i,
             plane.address, end);
}

void check_memory(uint32_t memory)
{
    switch (memory) {
    case VMAFX_MEMORY_HOST:
    case VMAFX_MEMORY_DEVICE_POINTER:
    case VMAFX_MEMORY_DMABUF:
    case VMAFX_MEMORY_DEVICE_ARRAY:
        return;
    case VMAFX_MEMORY_GL_TEXTURE:
        fail(VMAFX_E_NOTSUP, "desc.memory",
             "memory kind %s cannot be imported; export the texture as a dma-buf",
             memory_name(memory));
    default:
        fail(VMAFX_E_INVALID, "desc.memory", "memory is %u; see VMAFX_MEMORY_*", memory);
    }
}

} // namespace

uint64_t plane_end(const VmafxPlane &plane, const SourcePlane &source)
{
    return plane.offset + plane.pitch * (source.rows - 1) + source.row_bytes;
}

void check_plane_fits(const VmafxPlane &plane, uint32_t index, const SourcePlane &source,
                      uint64_t size)
{
    const uint64_t end = plane_end(plane, source);
    if (end <= size)
        return;
    fail(VMAFX_E_RANGE, format("desc.plane[%u].size", index).c_str(),
         "plane %u ends at byte %" PRIu64 " (offset %" PRIu64 ", pitch %" PRIu64
         ", %u rows), but its buffer has %" PRIu64 " bytes",
         index, end, plane.offset, plane.pitch, source.rows, size);
}

CheckedImport check_picture(const VmafxFrameImport &desc)
{
    const Layout &layout = check_layout("desc.layout", desc.layout);
    check_size("desc.width", desc.width);
    check_size("desc.height", desc.height);
    const uint32_t bits = check_bits("desc.bits", layout, desc.bits);
    if (desc.plane_count != layout.planes() && desc.plane_count != 1)
        fail(VMAFX_E_INVALID, "desc.plane_count",
             "plane_count is %u; layout %s has %u (1 is allowed for luma features)",
             desc.plane_count, layout.name, layout.planes());
    return {&layout,
            {desc.width, desc.height, bits, layout.chroma},
            desc.plane_count,
            check_colour(desc)};
}

CheckedImport check_import(const VmafxFrameImport &desc)
{
    check_memory(desc.memory);
    CheckedImport checked = check_picture(desc);
    if (desc.flags & ~VMAFX_IMPORT_ALLOW_COPY)
        fail(VMAFX_E_INVALID, "desc.flags", "flags is 0x%x; see VMAFX_IMPORT_*", desc.flags);
    check_fences(desc);
    if (desc.memory == VMAFX_MEMORY_DEVICE_ARRAY && !checked.layout->semi_planar &&
        !(desc.flags & VMAFX_IMPORT_ALLOW_COPY))
        fail(VMAFX_E_NOTSUP, "desc.flags",
             "planar arrays (%s) cannot be read in place; set VMAFX_IMPORT_ALLOW_COPY to have them "
             "copied on the device",
             checked.layout->name);
    for (uint32_t i = 0; i < desc.plane_count; ++i)
        check_plane(desc.plane[i], i, desc.memory, checked);
    return checked;
}

void check_modifier_support(uint64_t modifier, uint32_t layout_number, uint32_t bits)
{
    const Layout &layout = check_layout("layout", layout_number);
    const PictureFormat format = {1, 1, check_bits("bits", layout, bits), layout.chroma};
    for (uint32_t i = 0; i < layout.planes(); ++i)
        check_modifier(modifier, "modifier", element_bytes(layout, format, i));
}

} // namespace vmafx
