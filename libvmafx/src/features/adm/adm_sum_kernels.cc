/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The sums of ADM's rows, each rounded on its own.
 */
#include "features/adm/adm_kernels.h"

#include "kernels/kernel.h"

VX_KERNEL(adm_finish, AdmFinishArgs, vx::Sums<1>, kAdmThreads)
{
    const AdmFinishTask &task = args.task[group.z];
    const int first = static_cast<int>(group.x) * kAdmFinishRows;
    const int left = task.count - first;
    const int rows = left < kAdmFinishRows ? left : kAdmFinishRows;
    const int sum_index = static_cast<int>(group.y);
    if (rows <= 0 || sum_index >= task.sums)
        return;
    const int64_t half = (static_cast<int64_t>(1) << task.shift) >> 1;
    const uint64_t *VX_RESTRICT shares =
        task.rows + static_cast<uint64_t>(sum_index) * static_cast<uint64_t>(task.count) + first;
    const uint64_t strip = static_cast<uint64_t>(task.sums) * static_cast<uint64_t>(task.count);
    vx::sums_clear(group, tile);
    int64_t sum = 0;
    VX_FOR (group, y, rows) {
        uint64_t row = 0;
        for (int s = 0; s < task.strips; ++s)
            row += shares[static_cast<uint64_t>(s) * strip + static_cast<uint64_t>(y)];
        sum += (static_cast<int64_t>(row) + half) >> task.shift;
    }
    vx::sums_add(group, tile, 0, sum);
    vx::sums_store(group, tile, task.out + sum_index);
}
