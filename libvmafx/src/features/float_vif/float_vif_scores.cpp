/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/float_vif/float_vif_scores.h"

#include "features/float_vif/float_vif.h"
#include "features/registry.h"

namespace vmafx
{

namespace
{

const OptionTable &option_table()
{
    using enum OptionType;
    static const OptionTable table = {
        {"debug", nullptr, kBool, 0, 0, 1, false},
        {"vif_enhn_gain_limit", "egl", kDouble, 100.0, 1.0, 100.0, true},
        {"vif_kernelscale", "ks", kDouble, 1.0, 0.1, 4.0, true},
        {"vif_prescale", "ps", kDouble, 1.0, 0.1, 4.0, true},
        {"vif_prescale_method", "pm", kString, 0, 0, 0, true, "nearest"},
        {"vif_scale1_min_val", "s1miv", kDouble, 0.0, 0.0, 1.0, true},
        {"vif_scale2_min_val", "s2miv", kDouble, 0.0, 0.0, 1.0, true},
        {"vif_scale3_min_val", "s3miv", kDouble, 0.0, 0.0, 1.0, true},
        {"vif_sigma_nsq", "snsq", kDouble, 2.0, 0.0, 5.0, true},
        {"vif_skip_scale0", "ssclz", kBool, 0, 0, 1, true},
    };
    return table;
}

} // namespace

std::vector<std::string> float_vif::float_vif_score_names(bool debug)
{
    std::vector<std::string> names;
    names.reserve(debug ? 3 + 3 * kScales : kScales);
    for (int s = 0; s < kScales; ++s)
        names.push_back("VMAF_feature_vif_scale" + std::to_string(s) + "_score");
    if (!debug)
        return names;
    names.insert(names.end(), {"vif", "vif_num", "vif_den"});
    for (int s = 0; s < kScales; ++s) {
        names.push_back("vif_num_scale" + std::to_string(s));
        names.push_back("vif_den_scale" + std::to_string(s));
    }
    return names;
}

const FeatureDescription *float_vif_feature()
{
    static const FeatureDescription description = {
        "float_vif",
        &option_table(),
        {"VMAF_feature_vif_scale0_score", "VMAF_feature_vif_scale1_score",
         "VMAF_feature_vif_scale2_score", "VMAF_feature_vif_scale3_score", "vif", "vif_num",
         "vif_den", "vif_num_scale0", "vif_den_scale0", "vif_num_scale1", "vif_den_scale1",
         "vif_num_scale2", "vif_den_scale2", "vif_num_scale3", "vif_den_scale3"},
        []() -> std::unique_ptr<FeaturePlan> { return std::make_unique<FloatVifPlan>(); },
    };
    return &description;
}

} // namespace vmafx
