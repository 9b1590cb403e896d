/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Pictures of a wanted size and depth out of the golden clips.
 */
#include <fstream>
#include <stdexcept>
#include <vector>

#include "bench/pictures.h"
#include "support/golden_set.h"

namespace bench
{

namespace
{

/** Natural pictures with coding or blur loss, the largest first. */
constexpr const char *natural_clips[] = {"nat2160_blurband", "nat1080_x264q36", "nat576_x264q40"};

const support::GoldenPair &choose_clip(const support::GoldenSet &set, const PictureShape &shape)
{
    const support::GoldenPair *largest = nullptr;
    for (const char *name : natural_clips) {
        for (const support::GoldenPair &pair : set.pairs()) {
            if (pair.name != name)
                continue;
            if (pair.width == shape.width && pair.height == shape.height)
                return pair;
            if (!largest)
                largest = &pair;
        }
    }
    if (!largest)
        throw std::runtime_error("no natural clip in " + set.folder().string());
    return *largest;
}

/** Position in a row of `size` samples that is continued by its mirror image for ever. */
uint32_t mirrored(uint32_t position, uint32_t size)
{
    const uint32_t folded = position % (2 * size);
    return folded < size ? folded : 2 * size - 1 - folded;
}

/** The low bits that an 8-bit sample lacks: noise that depends on the place alone. */
uint32_t low_bits(uint32_t x, uint32_t y, uint32_t count)
{
    uint32_t hash = x * 0x9e3779b1u ^ y * 0x85ebca77u;
    hash = (hash ^ (hash >> 15)) * 0xc2b2ae3du;
    return (hash >> 16) & ((1u << count) - 1);
}

void append_plane(std::vector<uint8_t> &bytes, const PictureShape &shape, uint32_t plane,
                  const VmafxPlane &source, uint32_t source_width, uint32_t source_height)
{
    const auto *first = static_cast<const uint8_t *>(source.address) + source.offset;
    for (uint32_t y = 0; y < shape.plane_height(plane); ++y) {
        const uint8_t *row = first + mirrored(y, source_height) * source.pitch;
        for (uint32_t x = 0; x < shape.plane_width(plane); ++x) {
            const uint8_t sample = row[mirrored(x, source_width)];
            if (shape.bits == 8) {
                bytes.push_back(sample);
                continue;
            }
            const uint32_t extra = shape.bits - 8;
            const uint32_t value = (uint32_t{sample} << extra) | low_bits(x, y, extra);
            bytes.push_back(static_cast<uint8_t>(value));
            bytes.push_back(static_cast<uint8_t>(value >> 8));
        }
    }
}

void write_clip(const support::Y4mClip &clip, const PictureShape &shape, const std::string &path)
{
    if (clip.bits() != 8 || clip.layout() != VMAFX_LAYOUT_420)
        throw std::runtime_error("the clips to start from must be 8-bit 4:2:0");
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    for (size_t i = 0; i < clip.frames(); ++i) {
        const VmafxFrameImport source = clip.host_import(i);
        std::vector<uint8_t> bytes;
        bytes.reserve(shape.frame_bytes());
        for (uint32_t plane = 0; plane < 3; ++plane) {
            const uint32_t half = plane ? 2 : 1;
            append_plane(bytes, shape, plane, source.plane[plane], clip.width() / half,
                         clip.height() / half);
        }
        file.write(reinterpret_cast<const char *>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
    }
    file.close();
    if (!file)
        throw std::runtime_error("cannot write " + path);
}

} // namespace

std::string prepare_pictures(const PictureShape &shape, const std::string &golden_folder,
                             const std::string &reference, const std::string &distorted)
{
    support::GoldenSet set(golden_folder);
    const support::GoldenPair &pair = choose_clip(set, shape);
    write_clip(*set.clip(pair.reference), shape, reference);
    write_clip(*set.clip(pair.distorted), shape, distorted);
    return pair.name;
}

} // namespace bench
