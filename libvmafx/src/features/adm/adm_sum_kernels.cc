/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ADM's denominators by rows, and the sums of rows.
 */
#include "features/adm/adm_arithmetic.h"
#include "features/adm/adm_kernels.h"

#include "kernels/kernel.h"

namespace adm_sum_kernels
{

constexpr AdmDenShape kShape = VX_CPU_TILES ? kAdmDenCpuShape : kAdmDenGpuShape;

struct DenTile {
    vx::Sums<kShape.rows * 3> sums;
};

VX_INLINE int smaller(int a, int b)
{
    return a < b ? a : b;
}

VX_INLINE uint64_t cube(int16_t o, const AdmDenArgs &)
{
    const uint32_t q = adm::magnitude(o);
    return static_cast<uint64_t>(q * q) * q;
}

VX_INLINE uint64_t cube(int32_t o, const AdmDenArgs &args)
{
    const uint32_t q = adm::magnitude(o);
    const uint64_t unit = static_cast<uint64_t>(1) << args.square_shift; /* not a half */
    const uint32_t e =
        static_cast<uint32_t>((static_cast<uint64_t>(q) * q + unit) >> args.square_shift);
    const uint64_t half = (static_cast<uint64_t>(1) << args.shift) >> 1;
    return (static_cast<uint64_t>(e) * q + half) >> args.shift;
}

template <class Value>
VX_INLINE void denominator(const AdmDenArgs &args, DenTile &tile, const vx::Group &group)
{
    const AdmRect &window = args.window;
    const int left = window.left + static_cast<int>(group.x) * kShape.columns;
    const int top = window.top + static_cast<int>(group.y) * kShape.rows;
    const int rows = smaller(kShape.rows, window.bottom - top);
    const int columns = smaller(kShape.columns, window.right - left);
    vx::sums_clear(group, tile.sums);
    for (int r = 0; r < rows; ++r) {
        for (int b = 0; b < 3; ++b) {
            const Value *VX_RESTRICT o =
                static_cast<const Value *>(args.reference.first) + (1 + b) * args.reference.plane +
                static_cast<uint64_t>(top + r) * args.reference.pitch + left;
            uint64_t sum = 0;
            VX_FOR (group, i, columns) {
                sum += cube(o[i], args);
            }
            vx::sums_add(group, tile.sums, r * 3 + b, static_cast<int64_t>(sum));
        }
    }
    vx::sums_store(group, tile.sums, args.rows + static_cast<uint64_t>(top - window.top) * 3);
}

} // namespace adm_sum_kernels

VX_KERNEL(adm_den0, AdmDenArgs, adm_sum_kernels::DenTile, kAdmThreads)
{
    adm_sum_kernels::denominator<int16_t>(args, tile, group);
}

VX_KERNEL(adm_den, AdmDenArgs, adm_sum_kernels::DenTile, kAdmThreads)
{
    adm_sum_kernels::denominator<int32_t>(args, tile, group);
}

VX_KERNEL(adm_finish, AdmFinishArgs, vx::Sums<kAdmSums>, kAdmThreads)
{
    const AdmFinishTask &task = args.task[group.x];
    const int64_t half = (static_cast<int64_t>(1) << task.shift) >> 1;
    vx::sums_clear(group, tile);
    for (int k = 0; k < task.sums; ++k) {
        int64_t sum = 0;
        VX_FOR (group, y, task.count) {
            sum += (static_cast<int64_t>(task.rows[y * task.sums + k]) + half) >> task.shift;
        }
        vx::sums_add(group, tile, k, sum);
    }
    VX_SYNC(group);
    VX_FOR (group, k, task.sums) {
        task.out[k] = tile.v[k];
    }
}
