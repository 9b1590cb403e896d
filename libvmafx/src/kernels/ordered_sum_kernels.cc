/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernels/ordered_sum_kernels.h"

#include "kernels/ordered_runs.h"
#include "kernels/ordered_sum.h"

namespace ordered_sum_kernels
{

#if VX_CPU_TILES

template <class Acc, class T> using Tile = vx::OrderedTile<Acc, T>;

template <class Acc, class T, class Done>
VX_INLINE void sum_up(const vx::Group &group, Tile<Acc, T> &tile, Acc start, const T *map,
                      int64_t count, const Done &done)
{
    vx::ordered_sum(group, tile, start, map, count, done);
}

#else

static_assert(kOrderedThreads == vx::kRuns);

template <class Acc, class T> using Tile = vx::OrderedRuns<Acc>;

template <class Acc, class T, class Done>
VX_INLINE void sum_up(const vx::Group &group, vx::OrderedRuns<Acc> &tile, Acc start, const T *map,
                      int64_t count, const Done &done)
{
    vx::ordered_runs(group, tile, start, map, count, done);
}

#endif

template <class Acc, class T, class Tile>
VX_INLINE void body(const OrderedSumArgs &args, Tile &tile, const vx::Group &group)
{
    const OrderedMap &map = args.map[group.x];
    const auto store = [result = map.result](Acc sum) __attribute__((always_inline)) {
        const double wide = static_cast<double>(sum);
        __builtin_memcpy(result, &wide, sizeof(wide));
    };
    double start;
    __builtin_memcpy(&start, map.result, sizeof(start));
    sum_up<Acc, T>(group, tile, static_cast<Acc>(start), static_cast<const T *>(map.values),
                   map.count, store);
}

using TileF64 = Tile<double, double>;
using TileF32F64 = Tile<double, float>;
using TileF32 = Tile<float, float>;

} // namespace ordered_sum_kernels

VX_KERNEL(ordered_sum_f64, OrderedSumArgs, ordered_sum_kernels::TileF64, kOrderedThreads)
{
    ordered_sum_kernels::body<double, double>(args, tile, group);
}

VX_KERNEL(ordered_sum_f32_f64, OrderedSumArgs, ordered_sum_kernels::TileF32F64, kOrderedThreads)
{
    ordered_sum_kernels::body<double, float>(args, tile, group);
}

VX_KERNEL(ordered_sum_f32, OrderedSumArgs, ordered_sum_kernels::TileF32, kOrderedThreads)
{
    ordered_sum_kernels::body<float, float>(args, tile, group);
}
