/* SPDX-License-Identifier: BSD-2-Clause */
#include "tiling/golden_tiling.h"

#include <cstdlib>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "support/sha256.h"
#include "support/xz_file.h"

using nlohmann::json;

namespace tiling_test
{

namespace
{

uint64_t modifier_of(const json &entry)
{
    return entry.contains("modifier")
               ? std::stoull(entry["modifier"].get<std::string>(), nullptr, 16)
               : 0;
}

PicturePlane plane_of(const json &entry)
{
    return {entry["element_bytes"], entry["width"],       entry["height"],
            entry["offset"],        entry["pitch_bytes"], entry["size"]};
}

} // namespace

GoldenTiling GoldenTiling::find()
{
    if (const char *folder = std::getenv("VMAFX_GOLDEN_DIR")) {
        const std::filesystem::path tiling = std::filesystem::path(folder) / "tiling";
        if (std::filesystem::exists(tiling))
            return GoldenTiling(tiling);
    }
    return GoldenTiling(VMAFX_TILING_DATA);
}

std::vector<uint8_t> GoldenTiling::read_text(const std::string &name) const
{
    const std::filesystem::path packed = folder_ / (name + ".xz");
    return std::filesystem::exists(packed) ? support::read_xz(packed)
                                           : support::read_file(folder_ / name);
}

std::vector<AddressMap> GoldenTiling::address_maps() const
{
    std::vector<AddressMap> maps;
    const json root = json::parse(read_text("address_maps.json"));
    for (const json &entry : root["maps"])
        maps.push_back({modifier_of(entry), entry["element_bytes"], entry["width"], entry["height"],
                        entry["pitch_bytes"], entry["padded_height"], entry["sha256"]});
    return maps;
}

std::vector<PictureFile> GoldenTiling::files(const char *list) const
{
    std::vector<PictureFile> files;
    const json root = json::parse(read_text("index.json"));
    for (const json &entry : root[list]) {
        PictureFile file{modifier_of(entry),
                         entry["file"],
                         entry["format"],
                         entry["sha256"],
                         entry["width"],
                         entry["height"],
                         {}};
        for (const json &plane : entry["planes"])
            file.planes.push_back(plane_of(plane));
        if (std::filesystem::exists(folder_ / file.name))
            files.push_back(file);
    }
    return files;
}

std::vector<PictureFile> GoldenTiling::tiled() const
{
    return files("tiled");
}

PictureFile GoldenTiling::linear_of(const PictureFile &tiled) const
{
    for (const PictureFile &file : files("linear"))
        if (file.format == tiled.format && file.width == tiled.width && file.height == tiled.height)
            return file;
    throw std::runtime_error("no linear picture for " + tiled.name);
}

std::vector<uint8_t> GoldenTiling::read(const PictureFile &file) const
{
    std::vector<uint8_t> bytes = support::read_xz(folder_ / file.name);
    support::Sha256 digest;
    digest.add(bytes);
    if (digest.finish() != file.sha256)
        throw std::runtime_error(file.name + " is not the listed file");
    return bytes;
}

} // namespace tiling_test
