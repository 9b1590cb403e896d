/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Sums of many floats in doubles: each lane adds up every kLanes-th value, then the lanes are added
 * up in pairs. So one order suits a vector unit and a work-group.
 */
#include "features/ssimulacra2/ssimulacra2_kernels.h"
#include "kernels/kernel.h"

namespace ssimulacra2_sum_kernels
{

constexpr int kLanes = kSsimulacra2SumsThreads;

struct Tile {
    double lane[kLanes];
};

} // namespace ssimulacra2_sum_kernels

VX_KERNEL(ssimulacra2_sums, Ssimulacra2SumsArgs, ssimulacra2_sum_kernels::Tile,
          kSsimulacra2SumsThreads)
{
    using ssimulacra2_sum_kernels::kLanes;
    const float *const values = args.sum[group.x].values;
    const int64_t count = args.sum[group.x].count;
    VX_FOR (group, i, kLanes) {
        tile.lane[i] = 0.0;
    }
    /* A lane is always the same thread's. */
    for (int64_t at = 0; at < count; at += kLanes) {
        const int part = count - at < kLanes ? static_cast<int>(count - at) : kLanes;
        const float *const from = values + at;
        VX_FOR (group, i, part) {
            tile.lane[i] += static_cast<double>(from[i]);
        }
    }
    for (int half = kLanes / 2; half > 0; half /= 2) {
        VX_SYNC(group);
        VX_FOR (group, i, half) {
            tile.lane[i] += tile.lane[half + i];
        }
    }
    uint64_t *const result = args.results + group.x;
    VX_FOR (group, only, 1) {
        __builtin_memcpy(result, &tile.lane[only], sizeof(double));
    }
}
