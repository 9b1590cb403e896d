/* SPDX-License-Identifier: BSD-2-Clause */
#include "metric_names.h"

#include <map>
#include <sstream>
#include <stdexcept>

namespace
{

/** Parts of a suffix. A flag stands alone, other options are followed by their value. */
struct Suffix {
    const char *option;
    bool flag;
};

const std::map<std::string, Suffix> kSuffixes = {
    {"csf", {"adm_csf_mode", false}},
    {"dlmw", {"adm_dlm_weight", false}},
    {"egl", {"adm_enhn_gain_limit", false}},
    {"min", {"adm_min_val", false}},
    {"nvd", {"adm_norm_view_dist", false}},
    {"nw", {"adm_noise_weight", false}},
    {"rdh", {"adm_ref_display_height", false}},
    {"mmxv", {"motion_max_val", false}},
    {"mffw", {"motion_five_frame_window", true}},
    {"mma", {"motion_moving_average", true}},
};

bool starts_with_any(const std::string &name, std::initializer_list<const char *> starts)
{
    for (const char *start : starts)
        if (name.starts_with(start))
            return true;
    return false;
}

std::string options_of(const std::string &suffix)
{
    std::istringstream parts(suffix);
    std::string part, options;
    while (std::getline(parts, part, '_')) {
        const auto found = kSuffixes.find(part);
        if (found == kSuffixes.end())
            throw std::runtime_error("metric suffix " + suffix);
        std::string value = "true";
        if (!found->second.flag)
            std::getline(parts, value, '_');
        options += (options.empty() ? "" : ":") + std::string(found->second.option) + "=" + value;
    }
    return options;
}

} // namespace

bool is_known_metric(const std::string &name)
{
    return name == "psnr_y" || name == "psnr_cb" || name == "psnr_cr" ||
           starts_with_any(name, {"integer_vif", "integer_adm", "integer_aim", "integer_motion",
                                  "VMAF_integer_feature_", "mse_", "vmaf_v0.6.1", "vmaf_4k_v0.6.1",
                                  "vmaf_b_v0.6.3"});
}

std::set<std::string> options_in_names(const nlohmann::json &metrics, const std::string &base)
{
    std::set<std::string> lists;
    for (const auto &[name, values] : metrics.items())
        if (name.starts_with(base + "_"))
            lists.insert(options_of(name.substr(base.size() + 1)));
    return lists;
}
