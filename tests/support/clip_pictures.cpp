/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/clip_pictures.h"

#include <algorithm>
#include <cstring>

namespace support
{

namespace
{

/** Luma samples per chroma sample. */
uint32_t step_x(uint32_t chroma)
{
    return chroma == VMAFX_LAYOUT_444 ? 1 : 2;
}
uint32_t step_y(uint32_t chroma)
{
    return chroma == VMAFX_LAYOUT_420 ? 2 : 1;
}

uint16_t with_bits(uint16_t value, uint32_t from, uint32_t to)
{
    if (to <= from)
        return static_cast<uint16_t>(value >> (from - to));
    /* At most doubled, so that one copy of the high bits fills what is new. */
    return static_cast<uint16_t>(uint32_t{value} << (to - from) | value >> (2 * from - to));
}

uint16_t read_sample(const VmafxPlane &plane, uint32_t bits, uint32_t x, uint32_t y)
{
    const auto *row = static_cast<const uint8_t *>(plane.address) + plane.offset + y * plane.pitch;
    if (bits == 8)
        return row[x];
    uint16_t sample;
    std::memcpy(&sample, row + 2 * x, sizeof(sample));
    return sample;
}

} // namespace

Picture clip_picture(const Y4mClip &clip, size_t frame)
{
    const VmafxFrameImport desc = clip.host_import(frame);
    Picture picture{desc.layout, desc.bits, desc.width, desc.height, {}};
    for (uint32_t p = 0; p < picture.planes(); ++p)
        for (uint32_t y = 0; y < picture.plane_height(p); ++y)
            for (uint32_t x = 0; x < picture.plane_width(p); ++x)
                picture.plane[p].push_back(read_sample(desc.plane[p], desc.bits, x, y));
    return picture;
}

Picture middle_of(const Picture &picture, uint32_t width, uint32_t height)
{
    Picture result{picture.chroma,
                   picture.bits,
                   std::min(width, picture.width),
                   std::min(height, picture.height),
                   {}};
    /* At an even sample, where chroma begins too. */
    const uint32_t left = (picture.width - result.width) / 2 & ~1u;
    const uint32_t top = (picture.height - result.height) / 2 & ~1u;
    for (uint32_t p = 0; p < result.planes(); ++p) {
        const uint32_t x0 = p ? left / step_x(picture.chroma) : left;
        const uint32_t y0 = p ? top / step_y(picture.chroma) : top;
        for (uint32_t y = 0; y < result.plane_height(p); ++y) {
            const auto row =
                picture.plane[p].begin() +
                static_cast<std::ptrdiff_t>(size_t{y0 + y} * picture.plane_width(p) + x0);
            result.plane[p].insert(result.plane[p].end(), row, row + result.plane_width(p));
        }
    }
    return result;
}

Picture converted(const Picture &picture, uint32_t chroma, uint32_t bits)
{
    Picture result{chroma, bits, picture.width, picture.height, {}};
    for (uint32_t p = 0; p < result.planes(); ++p) {
        const uint32_t source = std::min(p, picture.planes() - 1); /* of grey pictures, luma */
        const uint32_t sx = p ? step_x(chroma) : 1, sy = p ? step_y(chroma) : 1;
        const uint32_t from_x = source ? step_x(picture.chroma) : 1;
        const uint32_t from_y = source ? step_y(picture.chroma) : 1;
        for (uint32_t y = 0; y < result.plane_height(p); ++y)
            for (uint32_t x = 0; x < result.plane_width(p); ++x) {
                const size_t at =
                    size_t{y * sy / from_y} * picture.plane_width(source) + x * sx / from_x;
                result.plane[p].push_back(with_bits(picture.plane[source][at], picture.bits, bits));
            }
    }
    return result;
}

} // namespace support
