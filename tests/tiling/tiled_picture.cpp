/* SPDX-License-Identifier: BSD-2-Clause */
#include "tiling/tiled_picture.h"

#include <cstring>
#include <stdexcept>

#include "tiling/tiling.h"

using namespace support;
using namespace vmafx::tiling;

namespace tiling_test
{

namespace
{

constexpr uint8_t kGarbage = 0xee;

uint32_t element_bytes(const Picture &picture, const LayoutFacts &layout, size_t plane)
{
    const uint32_t parts = layout.semi_planar && plane == 1 ? 2 : 1;
    return (picture.bits > 8 ? 2 : 1) * parts;
}

} // namespace

TiledPicture::TiledPicture(const Picture &picture, const LayoutFacts &facts, uint64_t modifier,
                           uint32_t more_blocks)
    : desc_(describe(picture, facts, VMAFX_MEMORY_DMABUF))
{
    const std::vector<PackedPlane> planes = pack(picture, facts);
    for (size_t i = 0; i < planes.size(); ++i) {
        const PackedPlane &plane = planes[i];
        const uint32_t bytes = element_bytes(picture, facts, i);
        const auto layout = tiling_of(modifier, bytes);
        if (!layout)
            throw std::runtime_error("no tiling for a test's picture");
        const uint64_t step = block_row_bytes(*layout);
        const uint64_t pitch = ((plane.row_bytes + step - 1) / step + more_blocks) * step;
        const size_t start = bytes_.size();
        bytes_.resize(start + pitch * padded_rows(*layout, plane.rows), kGarbage);
        for (uint32_t y = 0; y < plane.rows; ++y)
            for (uint32_t x = 0; x < plane.row_bytes / bytes; ++x)
                std::memcpy(&bytes_[start + element_offset(*layout, pitch, x, y)],
                            &plane.bytes[y * plane.row_bytes + uint64_t{x} * bytes], bytes);
        desc_.plane[i].modifier = modifier;
        desc_.plane[i].offset = start;
        desc_.plane[i].pitch = pitch;
    }
    memfd_.push_back(create_memfd(bytes_));
    for (size_t i = 0; i < planes.size(); ++i)
        desc_.plane[i].fd = memfd_[0].get();
}

} // namespace tiling_test
