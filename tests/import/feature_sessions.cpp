/* SPDX-License-Identifier: BSD-2-Clause */
#include "feature_sessions.h"

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
};

constexpr FeatureRun kLean[] = {
    {"psnr", "enable_chroma=false:reduced_hbd_peak=true:min_sse=0.5"},
    {"vif", "vif_skip_scale0=true"},
    {"motion", "motion_force_zero=true"},
    {"adm", "adm_skip_scale0=true:adm_skip_aim=true"},
};

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

void use(const Context &context, std::span<const FeatureRun> runs)
{
    for (const FeatureRun &run : runs)
        must(vmafx_context_use_feature, context.get(), run.feature, run.options);
}

} // namespace

std::span<const FeatureRun> full_runs()
{
    return kFull;
}
std::span<const FeatureRun> lean_runs()
{
    return kLean;
}

FeatureSessions::FeatureSessions(const Device &device)
    : full_(create_context(device)), lean_(create_context(device))
{
    use(full_, kFull);
    use(lean_, kLean);
    for (const Model &model : builtin_models())
        must(vmafx_context_use_model, full_.get(), model.get());
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
