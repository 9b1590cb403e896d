/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/registry.h"

namespace vmafx
{

const std::vector<const FeatureDescription *> &all_features()
{
    /* The order in which libvmaf looks up the provider of a score. */
    /* clang-format off */
    static const std::vector<const FeatureDescription *> features = {
        float_psnr_feature(),
        float_ansnr_feature(),
        float_adm_feature(),
        float_vif_feature(),
        float_motion_feature(),
        float_moment_feature(),
        speed_chroma_feature(),
        speed_temporal_feature(),
        float_ms_ssim_feature(),
        float_ssim_feature(),
        ciede_feature(),
        psnr_feature(),
        psnr_hvs_feature(),
        adm_feature(),
        motion_feature(),
        motion_v2_feature(),
        vif_feature(),
        cambi_feature(),
        ssim_feature(),
        ms_ssim_feature(),
        ssimulacra2_feature(),
    };
    /* clang-format on */
    return features;
}

const FeatureDescription *find_feature(const std::string &extractor)
{
    for (const FeatureDescription *feature : all_features()) {
        if (extractor == feature->name)
            return feature;
    }
    return nullptr;
}

const FeatureDescription *find_provider(const std::string &base_name)
{
    for (const FeatureDescription *feature : all_features()) {
        for (const char *name : feature->provided) {
            if (base_name == name)
                return feature;
        }
    }
    return nullptr;
}

} // namespace vmafx
