/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The metrics that are built in. A new one is declared here and takes its place in registry.cpp.
 */
#ifndef VMAFX_FEATURES_REGISTRY_H
#define VMAFX_FEATURES_REGISTRY_H

#include "features/feature.h"

namespace vmafx
{

const FeatureDescription *float_psnr_feature();
const FeatureDescription *float_ansnr_feature();
const FeatureDescription *float_adm_feature();
const FeatureDescription *float_vif_feature();
const FeatureDescription *float_motion_feature();
const FeatureDescription *float_moment_feature();
const FeatureDescription *speed_chroma_feature();
const FeatureDescription *speed_temporal_feature();
const FeatureDescription *float_ms_ssim_feature();
const FeatureDescription *float_ssim_feature();
const FeatureDescription *ciede_feature();
const FeatureDescription *psnr_feature();
const FeatureDescription *psnr_hvs_feature();
const FeatureDescription *adm_feature();
const FeatureDescription *cambi_feature();
const FeatureDescription *motion_feature();
const FeatureDescription *motion_v2_feature();
const FeatureDescription *vif_feature();
const FeatureDescription *ssim_feature();
const FeatureDescription *ms_ssim_feature();
const FeatureDescription *ssimulacra2_feature();

} // namespace vmafx

#endif
