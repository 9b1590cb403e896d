/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ADM's scores out of the sums that the kernels made.
 */
#ifndef VMAFX_FEATURES_ADM_SCORE_H
#define VMAFX_FEATURES_ADM_SCORE_H

#include <array>
#include <cstdint>

#include "features/adm/adm_csf.h"
#include "features/adm/adm_kernels.h"

namespace vmafx::adm
{

/** Bands of one scale: sizes, the window that counts, and the shifts that follow from them. */
struct ScaleGeometry {
    int width = 0, height = 0;
    AdmRect window{};
    uint32_t den_sample_shift = 0, den_row_shift = 0;
    uint32_t num_sample_shift = 0, num_row_shift = 0; /* d at scale 0 has one more per sample */

    int64_t window_size() const
    {
        return static_cast<int64_t>(window.right - window.left) * (window.bottom - window.top);
    }
};
using Geometry = std::array<ScaleGeometry, kScales>;

Geometry geometry_of(uint32_t width, uint32_t height);

/** Options that only scores depend on. */
struct ScoreOptions {
    double noise_weight, dlm_weight, min_val;
    bool skip_aim, skip_scale0;
};

struct Scores {
    std::array<float, kScales> num{}, den{};
    double total_num = 0, total_den = 0; /* after the limit test */
    double adm2 = 0, aim = 0, adm3 = 0;
    std::array<double, kScales> scale{};
};

/** den: [scale][3]; num: [scale][kAdmSums]. */
Scores scores_of(const Geometry &geometry, uint32_t width, uint32_t height, const Csf &csf,
                 const ScoreOptions &options, const uint64_t *den, const uint64_t *num);

} // namespace vmafx::adm

#endif
