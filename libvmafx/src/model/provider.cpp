/* SPDX-License-Identifier: BSD-2-Clause */
#include "model/provider.h"

#include <string_view>

namespace vmafx
{

namespace
{

struct Provided {
    std::string_view name;
    const char *extractor;
};

constexpr Provided kProvided[] = {
    {"float_psnr", "float_psnr"},
    {"float_ansnr", "float_ansnr"},
    {"VMAF_feature_adm2_score", "float_adm"},
    {"VMAF_feature_aim_score", "float_adm"},
    {"VMAF_feature_adm3_score", "float_adm"},
    {"VMAF_feature_adm_scale0_score", "float_adm"},
    {"VMAF_feature_adm_scale1_score", "float_adm"},
    {"VMAF_feature_adm_scale2_score", "float_adm"},
    {"VMAF_feature_adm_scale3_score", "float_adm"},
    {"VMAF_feature_vif_scale0_score", "float_vif"},
    {"VMAF_feature_vif_scale1_score", "float_vif"},
    {"VMAF_feature_vif_scale2_score", "float_vif"},
    {"VMAF_feature_vif_scale3_score", "float_vif"},
    {"VMAF_feature_motion_score", "float_motion"},
    {"VMAF_feature_motion2_score", "float_motion"},
    {"VMAF_feature_motion3_score", "float_motion"},
    {"float_moment", "float_moment"},
    {"Speed_chroma_feature_speed_chroma_u_score", "speed_chroma"},
    {"Speed_chroma_feature_speed_chroma_v_score", "speed_chroma"},
    {"Speed_chroma_feature_speed_chroma_uv_score", "speed_chroma"},
    {"Speed_temporal_feature_speed_temporal_score", "speed_temporal"},
    {"float_ms_ssim", "float_ms_ssim"},
    {"float_ssim", "float_ssim"},
    {"ciede2000", "ciede"},
    {"psnr_y", "psnr"},
    {"psnr_cb", "psnr"},
    {"psnr_cr", "psnr"},
    {"psnr_hvs_y", "psnr_hvs"},
    {"psnr_hvs_cb", "psnr_hvs"},
    {"psnr_hvs_cr", "psnr_hvs"},
    {"psnr_hvs", "psnr_hvs"},
    {"VMAF_integer_feature_adm2_score", "adm"},
    {"VMAF_integer_feature_aim_score", "adm"},
    {"VMAF_integer_feature_adm3_score", "adm"},
    {"integer_adm_scale0", "adm"},
    {"integer_adm_scale1", "adm"},
    {"integer_adm_scale2", "adm"},
    {"integer_adm_scale3", "adm"},
    {"VMAF_integer_feature_motion_sad_score", "motion"},
    {"VMAF_integer_feature_motion_score", "motion"},
    {"VMAF_integer_feature_motion2_score", "motion"},
    {"VMAF_integer_feature_motion3_score", "motion"},
    {"VMAF_integer_feature_vif_scale0_score", "vif"},
    {"VMAF_integer_feature_vif_scale1_score", "vif"},
    {"VMAF_integer_feature_vif_scale2_score", "vif"},
    {"VMAF_integer_feature_vif_scale3_score", "vif"},
    {"Cambi_feature_cambi_score", "cambi"},
};

} // namespace

std::string provider_of(const std::string &base_name)
{
    for (const Provided &provided : kProvided)
        if (provided.name == base_name)
            return provided.extractor;
    return {};
}

} // namespace vmafx
