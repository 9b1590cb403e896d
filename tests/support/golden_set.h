/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A folder of clips and of the scores that they must get:
 *     clips/clips.tsv          pairs: clip, ref, dis, width, height, format, bits, frames, note
 *     clips/NAME.y4m.xz
 *     scores/CLIP.WHAT.json    "metrics": name -> one value per frame; "pooled";
 * "aggregate_metrics"
 */
#ifndef TESTS_SUPPORT_GOLDEN_SET_H
#define TESTS_SUPPORT_GOLDEN_SET_H

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "support/y4m_clip.h"

namespace support
{

struct GoldenPair {
    std::string name, reference, distorted;
    uint32_t width = 0, height = 0;
    std::string layout; /* "420", "422" or "444" */
};

/** libvmaf takes chroma of this pair from wrong places of its buffers for this feature (ciede on
 *  4:2:2 and on odd 4:2:0), so that its scores are of other pictures. */
bool misplaces_chroma(const GoldenPair &pair, const std::string &feature);

class GoldenSet
{
  public:
    explicit GoldenSet(std::filesystem::path folder);

    const std::filesystem::path &folder() const { return folder_; }
    const std::vector<GoldenPair> &pairs() const { return pairs_; }
    const GoldenPair &pair(const std::string &name) const;

    /** The clip of that name; the last ones are kept unpacked. */
    std::shared_ptr<const Y4mClip> clip(const std::string &name);

    /** Scores of kind `what` ("features", "vmaf", ...); null where there are none. */
    nlohmann::json scores(const std::string &pair, const std::string &what) const;

  private:
    std::filesystem::path folder_;
    std::vector<GoldenPair> pairs_;
    std::vector<std::pair<std::string, std::shared_ptr<const Y4mClip>>> unpacked_;
};

/** VMAFX_GOLDEN_DIR, or the first folder of the list that holds clips. */
std::filesystem::path find_golden_folder(const std::vector<std::filesystem::path> &candidates);

/** A golden value: a number, or "inf", "-inf", "nan" as text. Nothing for null. */
std::optional<double> golden_value(const nlohmann::json &value);

} // namespace support

#endif
