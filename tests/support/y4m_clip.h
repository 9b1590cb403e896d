/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_SUPPORT_Y4M_CLIP_H
#define TESTS_SUPPORT_Y4M_CLIP_H

#include <cstdint>
#include <span>
#include <vector>

#include <libvmafx/frame.h>

namespace support
{

/** A y4m file in memory: planar 4:2:0, 4:2:2, 4:4:4 or 4:0:0 of 8 to 16 bits. */
class Y4mClip
{
  public:
    /** Throws std::runtime_error. */
    explicit Y4mClip(std::vector<uint8_t> bytes);

    uint32_t width() const { return width_; }
    uint32_t height() const { return height_; }
    uint32_t bits() const { return bits_; }
    uint32_t layout() const { return layout_; }
    size_t frames() const { return frame_starts_.size(); }

    /** Describes a frame as HOST planes inside this clip. */
    VmafxFrameImport host_import(size_t frame) const;

  private:
    void parse_header(std::span<const char> line);
    uint32_t plane_width(uint32_t plane) const;
    uint32_t plane_height(uint32_t plane) const;
    size_t plane_bytes(uint32_t plane) const;
    uint32_t planes() const { return layout_ == VMAFX_LAYOUT_400 ? 1 : 3; }

    std::vector<uint8_t> bytes_;
    std::vector<size_t> frame_starts_;
    uint32_t width_ = 0, height_ = 0, bits_ = 8, layout_ = VMAFX_LAYOUT_420;
};

} // namespace support

#endif
