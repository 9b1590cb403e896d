/* SPDX-License-Identifier: BSD-2-Clause */
#include "extractors.h"

#include <sstream>
#include <stdexcept>

namespace
{

/** A part of a suffix. A flag stands alone, other options are followed by their value. */
struct Suffix {
    const char *family; /* part of the extractor's name */
    const char *alias;
    const char *option;
    bool flag;
};

constexpr Suffix kSuffixes[] = {
    {"adm", "csf", "adm_csf_mode", false},
    {"adm", "dlmw", "adm_dlm_weight", false},
    {"adm", "egl", "adm_enhn_gain_limit", false},
    {"adm", "min", "adm_min_val", false},
    {"adm", "nvd", "adm_norm_view_dist", false},
    {"adm", "nw", "adm_noise_weight", false},
    {"adm", "rdh", "adm_ref_display_height", false},
    {"cambi", "cmxv", "cambi_max_val", false},
    {"cambi", "hrs", "cambi_high_res_speedup", false},
    {"cambi", "vlt", "cambi_vis_lum_threshold", false},
    {"motion", "mmxv", "motion_max_val", false},
    {"motion", "mffw", "motion_five_frame_window", true},
    {"motion", "mma", "motion_moving_average", true},
    {"speed", "mxv", "speed_max_val", false},
    {"speed", "nnf", "speed_nn_floor", false},
    {"speed", "ps", "speed_prescale", false},
    {"speed", "psm", "speed_prescale_method", false},
    {"speed", "snn", "speed_sigma_nn", false},
    {"speed", "wvm", "speed_weight_var_mode", false},
    {"vif", "egl", "vif_enhn_gain_limit", false},
};

const Suffix &find_suffix(const std::string &extractor, const std::string &alias)
{
    for (const Suffix &suffix : kSuffixes)
        if (alias == suffix.alias && extractor.find(suffix.family) != std::string::npos)
            return suffix;
    throw std::runtime_error("suffix " + alias + " of " + extractor);
}

std::string options_of(const std::string &extractor, const std::string &suffix)
{
    std::istringstream parts(suffix);
    std::string part, options;
    while (std::getline(parts, part, '_')) {
        const Suffix &found = find_suffix(extractor, part);
        std::string value = "true";
        if (!found.flag)
            std::getline(parts, value, '_');
        options += (options.empty() ? "" : ":") + std::string(found.option) + "=" + value;
    }
    return options;
}

} // namespace

const std::vector<Extractor> &extractors()
{
    static const std::vector<Extractor> list = {
        {"float_psnr", "", {"float_psnr"}, nullptr},
        {"float_ansnr", "", {"float_ansnr", "float_anpsnr"}, nullptr},
        {"float_adm", "debug=true", {"adm", "aim"}, "adm2", kLeastForFloats},
        {"float_vif", "debug=true", {"vif"}, "vif_scale0"},
        {"float_motion", "", {"motion"}, nullptr},
        {"float_moment", "", {"float_moment_"}, nullptr},
        {"speed_chroma", "", {"speed_chroma_"}, "speed_chroma_uv"},
        {"speed_temporal", "", {"speed_temporal"}, nullptr},
        {"float_ms_ssim", "enable_lcs=true", {"float_ms_ssim"}, nullptr},
        {"float_ssim", "enable_lcs=true", {"float_ssim"}, nullptr},
        {"ciede", "", {"ciede2000"}, nullptr},
        {"psnr",
         "enable_mse=true:enable_apsnr=true",
         {"psnr_y", "psnr_cb", "psnr_cr", "mse_"},
         nullptr},
        {"psnr_hvs", "", {"psnr_hvs"}, nullptr},
        {"adm", "debug=true", {"integer_adm", "integer_aim"}, "integer_adm2"},
        {"motion",
         "debug=true",
         {"integer_motion", "VMAF_integer_feature_motion_"},
         "integer_motion2"},
        {"vif", "debug=true", {"integer_vif"}, nullptr},
        {"cambi", "full_ref=true", {"cambi"}, "cambi"},
    };
    return list;
}

const std::vector<const char *> &golden_models()
{
    static const std::vector<const char *> list = {
        "vmaf_v0.6.1",
        "vmaf_v0.6.1neg",
        "vmaf_4k_v0.6.1",
        "vmaf_4k_v0.6.1neg",
        "vmaf_b_v0.6.3",
        "vmaf_v1.0.16_3d0h",
        "vmaf_v1.0.16_3d0h_2160",
        "vmaf_v1.0.16_5d0h",
        "vmaf_v1.0.16_1d5h_2160",
        "vmaf_v1.0.16_hfr_3d0h",
        "vmaf_v1.0.16_hfr_3d0h_2160",
        "vmaf_v1.0.16_hfr_5d0h",
        "vmaf_v1.0.16_hfr_1d5h_2160",
        "vmaf_float_v0.6.1",
        "vmaf_float_v0.6.1neg",
        "vmaf_float_4k_v0.6.1",
    };
    return list;
}

std::set<std::string> options_in_names(const Extractor &extractor, const nlohmann::json &metrics)
{
    std::set<std::string> lists;
    if (!extractor.suffixed)
        return lists;
    const std::string start = std::string(extractor.suffixed) + "_";
    for (const auto &[name, values] : metrics.items())
        if (name.starts_with(start))
            lists.insert(options_of(extractor.name, name.substr(start.size())));
    return lists;
}
