/* SPDX-License-Identifier: BSD-2-Clause
 *
 * float_adm's scores out of the sums that the kernels made.
 */
#ifndef VMAFX_FEATURES_FLOAT_ADM_SCORE_H
#define VMAFX_FEATURES_FLOAT_ADM_SCORE_H

#include <array>
#include <cstdint>
#include <vector>

#include "features/float_adm/float_adm_csf.h"
#include "features/float_adm/float_adm_kernels.h"

namespace vmafx::float_adm
{

/** Bands of one scale: their size, and the window that counts. */
struct ScaleGeometry {
    int width = 0, height = 0;
    FloatAdmRect window{};
};
using Geometry = std::array<ScaleGeometry, kScales>;

Geometry geometry_of(uint32_t width, uint32_t height);

/** Options that only scores depend on, and the norm. */
struct ScoreOptions {
    double noise_weight, dlm_weight, min_val, norm;
    bool harmonic_mean, skip_scale0;
    int skip_aim_scale; /* -1: none */
};

/** Sums of a scale's maps; the denominator's may be another variant's. */
struct ScaleSums {
    const uint64_t *num, *aim, *den; /* h, v, d: bits of doubles */
};

struct Scores {
    double adm2 = 0, aim = 0, adm3 = 0;
    std::array<double, kScales> scale{};
    double total_num = 0, total_den = 0; /* after the limit test */
    std::array<float, kScales> num{}, den{};
};

Scores scores_of(const Geometry &geometry, uint32_t width, uint32_t height,
                 const ScoreOptions &options, const std::array<ScaleSums, kScales> &sums);

} // namespace vmafx::float_adm

#endif
