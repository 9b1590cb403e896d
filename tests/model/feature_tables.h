/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Options of the extractors that models use, as libvmaf has them.
 */
#ifndef TESTS_MODEL_FEATURE_TABLES_H
#define TESTS_MODEL_FEATURE_TABLES_H

#include <map>
#include <string>

#include "features/options.h"

inline const vmafx::OptionTable &table_of(const std::string &extractor)
{
    using vmafx::OptionTable;
    using enum vmafx::OptionType;
    static const std::map<std::string, OptionTable> tables = {
        {"vif",
         {{"vif_enhn_gain_limit", "egl", kDouble, 100, 1, 100, true},
          {"vif_skip_scale0", "ssclz", kBool, 0, 0, 1, true}}},
        {"motion",
         {{"motion_force_zero", "force_0", kBool, 0, 0, 1, true},
          {"motion_blend_factor", "mbf", kDouble, 1, 0, 1, true},
          {"motion_blend_offset", "mbo", kDouble, 40, 0, 1000, true},
          {"motion_fps_weight", "mfw", kDouble, 1, 0, 5, true},
          {"motion_max_val", "mmxv", kDouble, 10000, 0, 10000, true},
          {"motion_five_frame_window", "mffw", kBool, 0, 0, 1, true},
          {"motion_moving_average", "mma", kBool, 0, 0, 1, true}}},
        {"adm",
         {{"adm_dlm_weight", "dlmw", kDouble, 0.5, 0, 1, true},
          {"adm_enhn_gain_limit", "egl", kDouble, 100, 1, 100, true},
          {"adm_norm_view_dist", "nvd", kDouble, 3, 0.75, 24, true},
          {"adm_ref_display_height", "rdh", kInt, 1080, 1, 4320, true},
          {"adm_csf_mode", "csf", kInt, 0, 0, 3, true},
          {"adm_noise_weight", "nw", kDouble, 0.03125, 0, 1500, true},
          {"adm_min_val", "min", kDouble, 0, 0, 1, true}}},
        {"float_vif", {{"vif_enhn_gain_limit", "egl", kDouble, 100, 1, 100, true}}},
        {"float_motion", {}},
        {"float_adm", {{"adm_enhn_gain_limit", "egl", kDouble, 100, 1, 100, true}}},
        {"cambi",
         {{"cambi_max_val", "cmxv", kDouble, 1000, 0, 1000, true},
          {"cambi_vis_lum_threshold", "vlt", kDouble, 0, 0, 300, true},
          {"cambi_high_res_speedup", "hrs", kInt, 0, 0, 2160, true}}},
        {"speed_chroma",
         {{"speed_kernelscale", "ks", kDouble, 1, 0.1, 4, true},
          {"speed_prescale", "ps", kDouble, 1, 0.1, 4, true},
          {"speed_prescale_method", "psm", kString, 0, 0, 0, true, "nearest"},
          {"speed_sigma_nn", "snn", kDouble, 0.29, 0.1, 2, true},
          {"speed_nn_floor", "nnf", kDouble, 0, 0, 1, true},
          {"speed_max_val", "mxv", kDouble, 1000, 0, 1000, true},
          {"speed_weight_var_mode", "wvm", kInt, 0, 0, 6, true}}},
    };
    return tables.at(extractor);
}

#endif
