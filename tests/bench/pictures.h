/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Pairs of 4:2:0 pictures in files, mapped and read before anything is measured.
 */
#ifndef TESTS_BENCH_PICTURES_H
#define TESTS_BENCH_PICTURES_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace bench
{

struct PictureShape {
    uint32_t width = 0, height = 0; /* luma samples, even */
    uint32_t bits = 8;              /* above 8: 16-bit words */

    size_t sample_bytes() const { return bits > 8 ? 2 : 1; }
    uint32_t plane_width(uint32_t plane) const { return plane ? width / 2 : width; }
    uint32_t plane_height(uint32_t plane) const { return plane ? height / 2 : height; }
    size_t row_bytes(uint32_t plane) const { return plane_width(plane) * sample_bytes(); }
    size_t plane_bytes(uint32_t plane) const { return row_bytes(plane) * plane_height(plane); }
    size_t frame_bytes() const { return plane_bytes(0) + 2 * plane_bytes(1); }
};

/** A frame's three planes, one after the other, without gaps between rows. */
struct Picture {
    const uint8_t *plane[3];
};

struct PicturePair {
    Picture reference, distorted;
};

/** A file of frames. */
class PictureFile
{
  public:
    PictureFile(const std::string &path, const PictureShape &shape);
    ~PictureFile();
    PictureFile(const PictureFile &) = delete;
    PictureFile &operator=(const PictureFile &) = delete;

    size_t frames() const { return bytes_.size() / shape_.frame_bytes(); }
    Picture frame(size_t index) const;

  private:
    PictureShape shape_;
    std::span<const uint8_t> bytes_;
};

/** Writes two files of natural pictures; returns the name of the clip they come from. */
std::string prepare_pictures(const PictureShape &shape, const std::string &golden_folder,
                             const std::string &reference, const std::string &distorted);

} // namespace bench

#endif
