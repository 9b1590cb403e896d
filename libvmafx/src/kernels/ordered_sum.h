/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Sums of floating-point values in a fixed order, each addition rounded: what a plain loop over the
 * values gives, on every target.
 *
 *     struct FooTile { vx::OrderedTile<double, float> ordered; };
 *     vx::ordered_sum(group, tile.ordered, 0.0, map, count, [&](double sum) { ... });
 *
 * Acc is the type of the sum, T that of the values.
 */
#ifndef VMAFX_KERNELS_ORDERED_SUM_H
#define VMAFX_KERNELS_ORDERED_SUM_H

#include "kernels/kernel.h"

namespace vx
{

#if VX_CPU_TILES

template <class Acc, class T> struct OrderedTile {
    uint32_t unused;
};

/** done(sum) is called by one thread, with ((start + map[0]) + map[1]) + ... */
template <class Acc, class T, class Done>
VX_INLINE void ordered_sum(const Group &, OrderedTile<Acc, T> &, Acc start, const T *map,
                           int64_t count, const Done &done)
{
    Acc sum = start;
    for (int64_t i = 0; i < count; ++i)
        sum += static_cast<Acc>(map[i]);
    done(sum);
}

#else

constexpr int kOrderedPart = 2048; /* values */

template <class Acc, class T> struct OrderedTile {
    Acc sum;
    T part[2][kOrderedPart]; /* one is added up while the other is filled */
};

template <class Acc, class T>
VX_INLINE int ordered_fetch(const Group &group, OrderedTile<Acc, T> &tile, const T *map,
                            int64_t count, int64_t start, int into)
{
    const int64_t left = count - start;
    const int size = left < kOrderedPart ? static_cast<int>(left) : kOrderedPart;
    VX_FOR (group, i, size) {
        tile.part[into][i] = map[start + i];
    }
    return size;
}

template <class Acc, class T, class Done>
VX_INLINE void ordered_sum(const Group &group, OrderedTile<Acc, T> &tile, Acc start, const T *map,
                           int64_t count, const Done &done)
{
    VX_FOR (group, only, 1) {
        tile.sum = start;
    }
    int now = 0;
    int size = ordered_fetch(group, tile, map, count, 0, now);
    VX_SYNC(group);
    for (int64_t at = 0; at < count; at += kOrderedPart) {
        const int next = ordered_fetch(group, tile, map, count, at + size, 1 - now);
        VX_FOR (group, only, 1) {
            Acc sum = tile.sum;
            for (int i = 0; i < size; ++i)
                sum += static_cast<Acc>(tile.part[now][i]);
            tile.sum = sum;
        }
        VX_SYNC(group);
        now = 1 - now;
        size = next;
    }
    VX_FOR (group, only, 1) {
        done(tile.sum);
    }
}

#endif

} // namespace vx

#endif
