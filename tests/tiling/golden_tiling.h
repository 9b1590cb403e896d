/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Pictures in linear and tiled memory, and digests of address maps, all from AMD's own library.
 *     index.json.xz          files, their planes, digests
 *     address_maps.json.xz   digests of the offsets of all elements of a plane
 *     linear_*.bin.xz, tiled_*.bin.xz
 */
#ifndef TESTS_TILING_GOLDEN_TILING_H
#define TESTS_TILING_GOLDEN_TILING_H

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tiling_test
{

struct AddressMap {
    uint64_t modifier = 0;
    uint32_t element_bytes = 0, width = 0, height = 0;
    uint64_t pitch = 0, padded_height = 0;
    std::string sha256;
};

struct PicturePlane {
    uint32_t element_bytes = 0, width = 0, height = 0;
    uint64_t offset = 0, pitch = 0, size = 0;
};

struct PictureFile {
    uint64_t modifier = 0;
    std::string name, format, sha256; /* of the unpacked bytes */
    uint32_t width = 0, height = 0;
    std::vector<PicturePlane> planes;
};

class GoldenTiling
{
  public:
    /** The folder `tiling` of VMAFX_GOLDEN_DIR, else the one of the source tree, which has some of
     *  the pictures. */
    static GoldenTiling find();

    std::vector<AddressMap> address_maps() const;
    /** Those whose files are there. */
    std::vector<PictureFile> tiled() const;
    /** The same picture in linear memory. */
    PictureFile linear_of(const PictureFile &tiled) const;
    /** The unpacked file. Throws if its digest is not the listed one. */
    std::vector<uint8_t> read(const PictureFile &file) const;

  private:
    explicit GoldenTiling(std::filesystem::path folder) : folder_(std::move(folder)) {}
    std::vector<uint8_t> read_text(const std::string &name) const;
    std::vector<PictureFile> files(const char *list) const;

    std::filesystem::path folder_;
};

} // namespace tiling_test

#endif
