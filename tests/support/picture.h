/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Computed pictures, and their bytes in every layout that can be imported.
 */
#ifndef TESTS_SUPPORT_PICTURE_H
#define TESTS_SUPPORT_PICTURE_H

#include <cstdint>
#include <vector>

#include <libvmafx/frame.h>

namespace support
{

/** What the tests know of a VMAFX_LAYOUT_*, on their own account. */
struct LayoutFacts {
    uint32_t layout;
    const char *name;
    uint32_t chroma; /* VMAFX_LAYOUT_400, 420, 422 or 444 */
    uint32_t bits;   /* 0: any */
    bool semi_planar;
    uint32_t shift; /* value << shift is stored */
};

const std::vector<LayoutFacts> &all_layouts();
const LayoutFacts &facts_of(uint32_t layout);

/** Sample values, whatever their layout in memory. */
struct Picture {
    uint32_t chroma = VMAFX_LAYOUT_420;
    uint32_t bits = 8;
    uint32_t width = 0, height = 0;
    std::vector<uint16_t> plane[3];

    uint32_t planes() const { return chroma == VMAFX_LAYOUT_400 ? 1 : 3; }
    uint32_t plane_width(uint32_t i) const;
    uint32_t plane_height(uint32_t i) const;
};

/** Independent samples over the whole range. */
Picture random_picture(uint32_t chroma, uint32_t bits, uint32_t width, uint32_t height,
                       uint32_t seed);
/** Smooth shapes with a little noise; another seed is another picture. */
Picture natural_picture(uint32_t chroma, uint32_t bits, uint32_t width, uint32_t height,
                        uint32_t seed);
/** The same picture as a bad encoder would leave it. */
Picture distorted(const Picture &picture, uint32_t seed);

/** The rows of one plane of a layout, one after the other. */
struct PackedPlane {
    uint64_t row_bytes = 0;
    uint32_t rows = 0;
    std::vector<uint8_t> bytes;
};

std::vector<PackedPlane> pack(const Picture &picture, const LayoutFacts &layout);

/** A picture as HOST planes. Holds the bytes that desc() points to. */
class HostPicture
{
  public:
    HostPicture(const Picture &picture, const LayoutFacts &layout);
    const VmafxFrameImport &desc() const { return desc_; }
    /** Overwrites all planes. */
    void scribble();

  private:
    std::vector<PackedPlane> planes_;
    VmafxFrameImport desc_;
};

/** An import without planes. */
VmafxFrameImport describe(const Picture &picture, const LayoutFacts &layout, uint32_t memory);

} // namespace support

#endif
