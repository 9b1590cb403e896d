/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/golden_set.h"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "support/xz_file.h"

namespace support
{

namespace
{

constexpr size_t kKeptClips = 4;

std::vector<GoldenPair> read_pairs(const std::filesystem::path &path)
{
    std::ifstream file(path);
    if (!file)
        throw std::runtime_error("cannot read " + path.string());
    std::vector<GoldenPair> pairs;
    std::string line;
    std::getline(file, line); /* titles */
    while (std::getline(file, line)) {
        std::istringstream fields(line);
        GoldenPair pair;
        if (fields >> pair.name >> pair.reference >> pair.distorted >> pair.width >> pair.height >>
            pair.layout)
            pairs.push_back(pair);
    }
    return pairs;
}

} // namespace

bool misplaces_chroma(const GoldenPair &pair, const std::string &feature)
{
    const bool odd = pair.width % 2 != 0 || pair.height % 2 != 0;
    return feature == "ciede" && (pair.layout == "422" || (pair.layout == "420" && odd));
}

GoldenSet::GoldenSet(std::filesystem::path folder)
    : folder_(std::move(folder)), pairs_(read_pairs(folder_ / "clips" / "clips.tsv"))
{
}

const GoldenPair &GoldenSet::pair(const std::string &name) const
{
    for (const GoldenPair &pair : pairs_)
        if (pair.name == name)
            return pair;
    throw std::runtime_error("no clip " + name + " in " + folder_.string());
}

std::shared_ptr<const Y4mClip> GoldenSet::clip(const std::string &name)
{
    for (const auto &[kept, clip] : unpacked_)
        if (kept == name)
            return clip;
    const auto clip = std::make_shared<Y4mClip>(read_xz(folder_ / "clips" / (name + ".y4m.xz")));
    if (unpacked_.size() == kKeptClips)
        unpacked_.erase(unpacked_.begin());
    unpacked_.emplace_back(name, clip);
    return clip;
}

nlohmann::json GoldenSet::scores(const std::string &pair, const std::string &what) const
{
    const auto path = folder_ / "scores" / (pair + "." + what + ".json");
    if (!std::filesystem::exists(path))
        return nullptr;
    std::ifstream file(path);
    return nlohmann::json::parse(file);
}

std::filesystem::path find_golden_folder(const std::vector<std::filesystem::path> &candidates)
{
    if (const char *chosen = std::getenv("VMAFX_GOLDEN_DIR"); chosen && *chosen)
        return chosen;
    for (const auto &candidate : candidates)
        if (std::filesystem::exists(candidate / "clips" / "clips.tsv"))
            return candidate;
    throw std::runtime_error("no folder of golden clips; set VMAFX_GOLDEN_DIR");
}

std::optional<double> golden_value(const nlohmann::json &value)
{
    if (value.is_null())
        return std::nullopt;
    if (value.is_number())
        return value.get<double>();
    const std::string text = value.get<std::string>();
    if (text == "inf")
        return std::numeric_limits<double>::infinity();
    if (text == "-inf")
        return -std::numeric_limits<double>::infinity();
    if (text == "nan" || text == "-nan")
        return std::nan("");
    throw std::runtime_error("golden value \"" + text + "\"");
}

} // namespace support
