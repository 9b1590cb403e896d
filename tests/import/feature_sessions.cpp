/* SPDX-License-Identifier: BSD-2-Clause */
#include "feature_sessions.h"

#include <string_view>

using namespace support;

namespace
{

constexpr FeatureRun kFull[] = {
    {"psnr", "enable_mse=true:enable_apsnr=true"},
    {"vif", "debug=true"},
    {"vif", "debug=true:vif_enhn_gain_limit=1.5"},
    {"vif", "vif_skip_scale0=true"},
    {"motion", "debug=true"},
    {"motion", "motion_five_frame_window=true"},
    {"motion", "motion_moving_average=true:motion_blend_factor=0.5:motion_blend_offset=10"},
    {"motion", "motion_fps_weight=2:motion_max_val=9"},
    {"adm", "debug=true"},
    {"adm", "debug=true:adm_enhn_gain_limit=1.25"},
    {"adm", "adm_csf_mode=1:adm_csf_scale=2:adm_csf_diag_scale=1.5"},
    {"adm", "adm_csf_mode=2:adm_norm_view_dist=1.5:adm_ref_display_height=2160"},
    {"adm", "adm_csf_mode=3:adm_noise_weight=0.02:adm_dlm_weight=0.7:adm_min_val=0.5"},
    {"motion_v2",
     "motion_five_frame_window=true:motion_moving_average=true:motion_blend_factor=0.5:"
     "motion_blend_offset=10:motion_fps_weight=2:motion_max_val=9"},
    {"float_psnr", ""},
    {"float_ansnr", ""},
    {"float_moment", ""},
    {"float_adm", "debug=true"},
    {"float_adm", "adm_csf_mode=2:adm_enhn_gain_limit=1:adm_norm_view_dist=2:adm_noise_weight=0.02:"
                  "adm_ref_display_height=2160:adm_dlm_weight=0.7:adm_min_val=0.5:adm_p_norm=2:"
                  "adm_csf_scale=2:adm_csf_diag_scale=1.5:adm_adm3_apply_hm=true"},
    {"float_adm", "adm_bypass_cm=1:adm_skip_aim_scale=0:adm_f1s0=1:adm_f1s1=2:adm_f1s2=0.5:"
                  "adm_f1s3=1.5:adm_f2s0=1:adm_f2s1=2:adm_f2s2=0.5:adm_f2s3=1.5"},
    {"float_vif", "debug=true"},
    {"float_vif", "vif_enhn_gain_limit=1.5:vif_sigma_nsq=1.5:vif_scale1_min_val=0.1:"
                  "vif_scale2_min_val=0.2:vif_scale3_min_val=0.3"},
    {"float_vif", "vif_kernelscale=0.5"},
    {"float_vif", "vif_prescale=0.5:vif_prescale_method=bilinear"},
    {"float_motion", "motion_add_uv=true:motion_add_scale1=true", 16, true},
    {"float_motion", "motion_filter_size=3:motion_blend_factor=0.5:motion_blend_offset=10:"
                     "motion_fps_weight=2:motion_max_val=9"},
    {"float_ssim", "enable_lcs=true:scale=1"},
    {"ciede", "", 16, true},
    {"psnr_hvs", "", 12},
    {"ssim", ""},
    {"ssimulacra2", ""},
    {"ssimulacra2", "matrix=bt2020:range=full:transfer=bt709:chroma=left"},
};

constexpr FeatureRun kLean[] = {
    {"psnr", "enable_chroma=false:reduced_hbd_peak=true:min_sse=0.5"},
    {"vif", "vif_skip_scale0=true"},
    {"motion", "motion_force_zero=true"},
    {"adm", "adm_skip_scale0=true:adm_skip_aim=true"},
    {"motion_v2", "motion_force_zero=true"},
    {"float_adm", "adm_skip_scale0=true"},
    {"float_vif", "vif_skip_scale0=true"},
    {"float_motion", "debug=false:motion_force_zero=true"},
    {"float_ssim", "scale=2:enable_db=true:clip_db=true"},
};

constexpr FeatureRun kLargeFull[] = {
    {"cambi", "full_ref=true"},
    {"cambi", "window_size=63:max_log_contrast=3:tvi_threshold=0.02:topk=0.5:eotf=pq"},
    {"cambi", "cambi_topk=0.5:cambi_eotf=pq:cambi_vis_lum_threshold=0.06:cambi_max_val=17:"
              "cambi_high_res_speedup=1080"},
    {"cambi", "enc_width=320:enc_height=240:enc_bitdepth=8:src_width=708:src_height=644:"
              "heatmaps_path="},
    {"float_ms_ssim", "enable_lcs=true"},
    {"ms_ssim", "enable_db=true:clip_db=true"},
    {"speed_chroma", ""},
    {"speed_chroma", "speed_kernelscale=2:speed_sigma_nn=0.19:speed_nn_floor=0.1:"
                     "speed_weight_var_mode=5:speed_max_val=45"},
    {"speed_chroma", "speed_prescale=0.5:speed_prescale_method=bilinear"},
    {"speed_temporal", ""},
    {"speed_temporal",
     "speed_kernelscale=2:speed_sigma_nn=0.19:speed_nn_floor=0.1:speed_max_val=45"},
    {"speed_temporal", "speed_prescale=0.5:speed_prescale_method=bilinear:speed_use_ref_diff=true"},
};

constexpr FeatureRun kLargeLean[] = {
    {"cambi", ""},
    {"float_ms_ssim", "enable_db=true:clip_db=true"},
    {"ms_ssim", "enable_lcs=true"},
};

bool is_first_generation(const char *version)
{
    return !std::string_view(version).starts_with("vmaf_v1.");
}

bool is_later_generation(const char *version)
{
    return !is_first_generation(version);
}

/** Loaded once: the sets of models are large. */
const std::vector<Model> &builtin_models()
{
    static const std::vector<Model> models = [] {
        std::vector<Model> loaded;
        for (uint32_t i = 0; const char *version = vmafx_model_builtin(i); ++i) {
            VmafxModelDesc desc = VMAFX_MODEL_DESC_INIT;
            desc.version = desc.name = version;
            must(vmafx_model_load, &desc, loaded.emplace_back().out());
        }
        return loaded;
    }();
    return models;
}

void use(const Context &context, std::span<const FeatureRun> runs, const Picture &like)
{
    for (const FeatureRun &run : runs)
        if (like.bits <= run.most_bits && (like.chroma != VMAFX_LAYOUT_400 || !run.needs_chroma))
            must(vmafx_context_use_feature, context.get(), run.feature, run.options);
}

} // namespace

const RunSet &runs_for_small_pictures()
{
    static const RunSet runs = {kFull, kLean, is_first_generation};
    return runs;
}
const RunSet &runs_for_large_pictures()
{
    static const RunSet runs = {kLargeFull, kLargeLean, is_later_generation};
    return runs;
}

FeatureSessions::FeatureSessions(const Device &device, const RunSet &runs, const Picture &like)
    : full_(create_context(device)), lean_(create_context(device))
{
    use(full_, runs.full, like);
    use(lean_, runs.lean, like);
    for (uint32_t i = 0; const char *version = vmafx_model_builtin(i); ++i)
        if (runs.with_model(version))
            must(vmafx_context_use_model, full_.get(), builtin_models().at(i).get());
}

void FeatureSessions::submit(const Frame &reference, const Frame &distorted)
{
    support::submit(full_, reference, distorted, frames_);
    support::submit(lean_, reference, distorted, frames_);
    ++frames_;
}

AllScores FeatureSessions::finish()
{
    must(vmafx_context_flush, full_.get());
    must(vmafx_context_flush, lean_.get());
    AllScores scores = all_scores(full_, frames_);
    for (auto &[name, values] : all_scores(lean_, frames_))
        scores["lean " + name] = values;
    return scores;
}
