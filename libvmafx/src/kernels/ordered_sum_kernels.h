/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What host and kernels of ordered sums share. A kernel sums up whole maps, value by value in the
 * order of memory, each addition rounded; a map is the work of one work-group.
 *
 *     ordered_sum_f64        binary64 values, sum in binary64
 *     ordered_sum_f32_f64    binary32 values, sum in binary64
 *     ordered_sum_f32        binary32 values, sum in binary32
 *
 * The grid has as many work-groups as there are maps. A result word holds the sum's bits as
 * binary64.
 */
#ifndef VMAFX_KERNELS_ORDERED_SUM_KERNELS_H
#define VMAFX_KERNELS_ORDERED_SUM_KERNELS_H

#include <stdint.h>

constexpr int kOrderedMaps = 8;

struct OrderedMap {
    const void *values;
    int64_t count;
    uint64_t *result;
};

struct OrderedSumArgs {
    OrderedMap map[kOrderedMaps];
};

constexpr int kOrderedThreads = 512;

#endif
