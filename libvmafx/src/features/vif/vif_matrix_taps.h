/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Filter taps of VIF as rows of matrices of bytes.
 */
#ifndef VMAFX_FEATURES_VIF_MATRIX_TAPS_H
#define VMAFX_FEATURES_VIF_MATRIX_TAPS_H

#include "features/vif/vif_taps.h"

namespace vif_matrix_kernels
{

constexpr int kRadius = 8; /* scales of fewer taps have zeros outside */

/** Four taps from any place on, as words of their low and high bytes. */
constexpr int kFirstRun = -24, kRuns = 64;
struct TapRuns {
    uint32_t byte[2][kRuns];
};

constexpr uint32_t centred_tap(int scale, int i)
{
    const int distance = i < kRadius ? kRadius - i : i - kRadius;
    if (i < 0 || distance > kRadius || distance > vif_kernels::radius_of(scale))
        return 0;
    return static_cast<uint32_t>(vif_kernels::kTaps[scale][distance])
           << vif_kernels::doubled(scale);
}

constexpr TapRuns tap_runs(int scale)
{
    TapRuns runs = {};
    for (int i = 0; i < kRuns; ++i) {
        for (int k = 0; k < 4; ++k) {
            const uint32_t tap = centred_tap(scale, kFirstRun + i + k);
            runs.byte[0][i] |= (tap & 0xffu) << (8 * k);
            runs.byte[1][i] |= (tap >> 8) << (8 * k);
        }
    }
    return runs;
}

VX_TABLE TapRuns kTapRuns[vif_kernels::kScales] = {tap_runs(0), tap_runs(1), tap_runs(2),
                                                   tap_runs(3)};

} // namespace vif_matrix_kernels

#endif
