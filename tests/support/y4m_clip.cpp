/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/y4m_clip.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string>

namespace support
{

namespace
{

[[noreturn]] void refuse(const std::string &what)
{
    throw std::runtime_error("y4m: " + what);
}

/** Offset of the newline that ends the line at `start`. */
size_t line_end(const std::vector<uint8_t> &bytes, size_t start)
{
    const auto end =
        std::find(bytes.begin() + static_cast<std::ptrdiff_t>(start), bytes.end(), '\n');
    if (end == bytes.end())
        refuse("unfinished line");
    return static_cast<size_t>(end - bytes.begin());
}

uint32_t layout_of(const std::string &tag)
{
    if (tag.starts_with("420"))
        return VMAFX_LAYOUT_420;
    if (tag.starts_with("422"))
        return VMAFX_LAYOUT_422;
    if (tag.starts_with("444"))
        return VMAFX_LAYOUT_444;
    if (tag.starts_with("mono"))
        return VMAFX_LAYOUT_400;
    refuse("colour space " + tag);
}

/** "420p10" has 10 bits; "420", "420jpeg" and "420mpeg2" have 8. */
uint32_t bits_of(const std::string &tag)
{
    const size_t p = tag.find('p', 3);
    const bool deep =
        p != std::string::npos && p + 1 < tag.size() && tag[p + 1] >= '0' && tag[p + 1] <= '9';
    return deep ? static_cast<uint32_t>(std::stoul(tag.substr(p + 1))) : 8;
}

} // namespace

Y4mClip::Y4mClip(std::vector<uint8_t> bytes) : bytes_(std::move(bytes))
{
    size_t at = line_end(bytes_, 0);
    parse_header({reinterpret_cast<const char *>(bytes_.data()), at});
    size_t frame_bytes = 0;
    for (uint32_t i = 0; i < planes(); ++i)
        frame_bytes += plane_bytes(i);
    for (++at; at < bytes_.size(); at += frame_bytes) {
        at = line_end(bytes_, at) + 1;
        if (bytes_.size() - at < frame_bytes)
            refuse("truncated frame");
        frame_starts_.push_back(at);
    }
    if (frame_starts_.empty())
        refuse("no frames");
}

void Y4mClip::parse_header(std::span<const char> line)
{
    std::istringstream words(std::string(line.begin(), line.end()));
    std::string word;
    words >> word;
    if (word != "YUV4MPEG2")
        refuse("no YUV4MPEG2 header");
    while (words >> word) {
        const std::string value = word.substr(1);
        if (word[0] == 'W')
            width_ = static_cast<uint32_t>(std::stoul(value));
        if (word[0] == 'H')
            height_ = static_cast<uint32_t>(std::stoul(value));
        if (word[0] == 'C') {
            layout_ = layout_of(value);
            bits_ = bits_of(value);
        }
    }
    if (!width_ || !height_)
        refuse("no size");
}

uint32_t Y4mClip::plane_width(uint32_t plane) const
{
    return plane && layout_ != VMAFX_LAYOUT_444 ? (width_ + 1) / 2 : width_;
}

uint32_t Y4mClip::plane_height(uint32_t plane) const
{
    return plane && layout_ == VMAFX_LAYOUT_420 ? (height_ + 1) / 2 : height_;
}

size_t Y4mClip::plane_bytes(uint32_t plane) const
{
    return size_t{plane_width(plane)} * plane_height(plane) * (bits_ > 8 ? 2 : 1);
}

VmafxFrameImport Y4mClip::host_import(size_t frame) const
{
    VmafxFrameImport desc = VMAFX_FRAME_IMPORT_INIT;
    desc.memory = VMAFX_MEMORY_HOST;
    desc.layout = layout_;
    desc.bits = bits_;
    desc.width = width_;
    desc.height = height_;
    desc.plane_count = planes();
    size_t at = frame_starts_.at(frame);
    for (uint32_t i = 0; i < planes(); ++i) {
        desc.plane[i].address = const_cast<uint8_t *>(bytes_.data() + at);
        desc.plane[i].pitch = size_t{plane_width(i)} * (bits_ > 8 ? 2 : 1);
        at += plane_bytes(i);
    }
    return desc;
}

} // namespace support
