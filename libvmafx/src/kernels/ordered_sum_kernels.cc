/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernels/ordered_sum_kernels.h"

#include "kernels/ordered_sum.h"

namespace ordered_sum_kernels
{

template <class Acc, class T>
VX_INLINE void body(const OrderedSumArgs &args, vx::OrderedTile<Acc, T> &tile,
                    const vx::Group &group)
{
    const OrderedMap &map = args.map[group.x];
    const auto store = [&](Acc sum) __attribute__((always_inline)) {
        const double wide = static_cast<double>(sum);
        __builtin_memcpy(map.result, &wide, sizeof(wide));
    };
    double start;
    __builtin_memcpy(&start, map.result, sizeof(start));
    vx::ordered_sum(group, tile, static_cast<Acc>(start), static_cast<const T *>(map.values),
                    map.count, store);
}

} // namespace ordered_sum_kernels

using OrderedTileF64 = vx::OrderedTile<double, double>;
using OrderedTileF32F64 = vx::OrderedTile<double, float>;
using OrderedTileF32 = vx::OrderedTile<float, float>;

VX_KERNEL(ordered_sum_f64, OrderedSumArgs, OrderedTileF64, kOrderedThreads)
{
    ordered_sum_kernels::body<double, double>(args, tile, group);
}

VX_KERNEL(ordered_sum_f32_f64, OrderedSumArgs, OrderedTileF32F64, kOrderedThreads)
{
    ordered_sum_kernels::body<double, float>(args, tile, group);
}

VX_KERNEL(ordered_sum_f32, OrderedSumArgs, OrderedTileF32, kOrderedThreads)
{
    ordered_sum_kernels::body<float, float>(args, tile, group);
}
