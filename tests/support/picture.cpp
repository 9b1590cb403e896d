/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/picture.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

namespace support
{

const std::vector<LayoutFacts> &all_layouts()
{
    static const std::vector<LayoutFacts> layouts = {
        {VMAFX_LAYOUT_400, "400", VMAFX_LAYOUT_400, 0, false, 0},
        {VMAFX_LAYOUT_420, "420", VMAFX_LAYOUT_420, 0, false, 0},
        {VMAFX_LAYOUT_422, "422", VMAFX_LAYOUT_422, 0, false, 0},
        {VMAFX_LAYOUT_444, "444", VMAFX_LAYOUT_444, 0, false, 0},
        {VMAFX_LAYOUT_NV12, "NV12", VMAFX_LAYOUT_420, 8, true, 0},
        {VMAFX_LAYOUT_P010, "P010", VMAFX_LAYOUT_420, 10, true, 6},
        {VMAFX_LAYOUT_P012, "P012", VMAFX_LAYOUT_420, 12, true, 4},
        {VMAFX_LAYOUT_P016, "P016", VMAFX_LAYOUT_420, 16, true, 0},
        {VMAFX_LAYOUT_NV16, "NV16", VMAFX_LAYOUT_422, 8, true, 0},
        {VMAFX_LAYOUT_P210, "P210", VMAFX_LAYOUT_422, 10, true, 6},
        {VMAFX_LAYOUT_P216, "P216", VMAFX_LAYOUT_422, 16, true, 0},
        {VMAFX_LAYOUT_NV24, "NV24", VMAFX_LAYOUT_444, 8, true, 0},
        {VMAFX_LAYOUT_P410, "P410", VMAFX_LAYOUT_444, 10, true, 6},
        {VMAFX_LAYOUT_P416, "P416", VMAFX_LAYOUT_444, 16, true, 0},
    };
    return layouts;
}

const LayoutFacts &facts_of(uint32_t layout)
{
    for (const LayoutFacts &facts : all_layouts())
        if (facts.layout == layout)
            return facts;
    throw std::runtime_error("no such layout");
}

uint32_t Picture::plane_width(uint32_t i) const
{
    return i && chroma != VMAFX_LAYOUT_444 ? (width + 1) / 2 : width;
}

uint32_t Picture::plane_height(uint32_t i) const
{
    return i && chroma == VMAFX_LAYOUT_420 ? (height + 1) / 2 : height;
}

namespace
{

template <class Sample>
Picture make_picture(uint32_t chroma, uint32_t bits, uint32_t width, uint32_t height, Sample sample)
{
    Picture picture{chroma, bits, width, height, {}};
    for (uint32_t i = 0; i < picture.planes(); ++i)
        for (uint32_t y = 0; y < picture.plane_height(i); ++y)
            for (uint32_t x = 0; x < picture.plane_width(i); ++x)
                picture.plane[i].push_back(sample(i, x, y));
    return picture;
}

uint16_t clamped(double value, uint32_t bits)
{
    const double peak = (1 << bits) - 1;
    return static_cast<uint16_t>(std::clamp(value, 0.0, peak));
}

} // namespace

Picture random_picture(uint32_t chroma, uint32_t bits, uint32_t width, uint32_t height,
                       uint32_t seed)
{
    std::mt19937 random(seed);
    return make_picture(chroma, bits, width, height, [&](uint32_t, uint32_t, uint32_t) {
        return static_cast<uint16_t>(random() >> (32 - bits));
    });
}

Picture natural_picture(uint32_t chroma, uint32_t bits, uint32_t width, uint32_t height,
                        uint32_t seed)
{
    std::mt19937 random(seed);
    const double phase = seed % 97;
    const double scale = 1 << (bits - 8);
    return make_picture(chroma, bits, width, height, [&](uint32_t plane, uint32_t x, uint32_t y) {
        const double wave = 50 * std::sin((x + 2 * phase) / (7.0 + plane)) +
                            40 * std::cos((y + phase) / (5.0 + plane)) +
                            ((x / 16 + y / 16 + seed) % 2 ? 20 : -20);
        return clamped((128 + wave + random() % 5) * scale, bits);
    });
}

Picture distorted(const Picture &picture, uint32_t seed)
{
    std::mt19937 random(seed);
    Picture result = picture;
    const uint32_t lost = 4u << (picture.bits - 8);
    for (uint32_t i = 0; i < picture.planes(); ++i)
        for (uint16_t &sample : result.plane[i])
            sample = clamped(sample / lost * lost + double(random() % (2 * lost)), picture.bits);
    return result;
}

namespace
{

void append(std::vector<uint8_t> &bytes, uint16_t sample, const Picture &picture,
            const LayoutFacts &layout)
{
    const uint32_t stored = uint32_t{sample} << layout.shift;
    bytes.push_back(stored & 0xff);
    if (picture.bits > 8)
        bytes.push_back(stored >> 8);
}

PackedPlane pack_plane(const Picture &picture, const LayoutFacts &layout, uint32_t i,
                       bool interleaved)
{
    PackedPlane packed;
    packed.rows = picture.plane_height(i);
    for (size_t at = 0; at < picture.plane[i].size(); ++at) {
        append(packed.bytes, picture.plane[i][at], picture, layout);
        if (interleaved)
            append(packed.bytes, picture.plane[i + 1][at], picture, layout);
    }
    packed.row_bytes = packed.bytes.size() / packed.rows;
    return packed;
}

} // namespace

std::vector<PackedPlane> pack(const Picture &picture, const LayoutFacts &layout)
{
    std::vector<PackedPlane> planes;
    planes.push_back(pack_plane(picture, layout, 0, false));
    if (layout.semi_planar)
        planes.push_back(pack_plane(picture, layout, 1, true));
    else
        for (uint32_t i = 1; i < picture.planes(); ++i)
            planes.push_back(pack_plane(picture, layout, i, false));
    return planes;
}

VmafxFrameImport describe(const Picture &picture, const LayoutFacts &layout, uint32_t memory)
{
    VmafxFrameImport desc = VMAFX_FRAME_IMPORT_INIT;
    desc.memory = memory;
    desc.layout = layout.layout;
    desc.bits = picture.bits;
    desc.width = picture.width;
    desc.height = picture.height;
    desc.plane_count = layout.semi_planar ? 2 : picture.planes();
    return desc;
}

HostPicture::HostPicture(const Picture &picture, const LayoutFacts &layout)
    : planes_(pack(picture, layout)), desc_(describe(picture, layout, VMAFX_MEMORY_HOST))
{
    for (size_t i = 0; i < planes_.size(); ++i) {
        desc_.plane[i].address = planes_[i].bytes.data();
        desc_.plane[i].pitch = planes_[i].row_bytes;
    }
}

void HostPicture::scribble()
{
    for (PackedPlane &plane : planes_)
        std::fill(plane.bytes.begin(), plane.bytes.end(), uint8_t{0x5a});
}

} // namespace support
