/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What items keep from phase to phase, and sums over them without atomics, for kernels with one
 * item per thread.
 *
 *     vx::Items<int32_t, kFooThreads> weight;      a local of the kernel: no tile memory
 *     VX_ITEMS (group, i, count) { weight[i] = ...; tile.line[i] = weight[i]; }
 *     VX_SYNC(group);
 *     VX_ITEMS (group, i, count) { ... weight[i] ... tile.line[i + 1] ... }
 */
#ifndef VMAFX_KERNELS_ITEMS_H
#define VMAFX_KERNELS_ITEMS_H

#include "kernels/kernel.h"

/* A phase over the first count items, on a GPU over all of them: without VX_SYNC in between, such
 * phases are one there. */
#if VX_GPU
#define VX_ITEMS(group, i, count)                                                                  \
    for (int i = (group).thread, vx_todo_##i = 1 + 0 * (count); vx_todo_##i > 0; vx_todo_##i = 0)
#else
#define VX_ITEMS VX_FOR
#endif

#define VX_MEMBER __attribute__((always_inline)) inline

namespace vx
{

#if VX_GPU
/** The calling thread's item, whatever its index. */
template <class T> struct ItemView {
    T *item;
    VX_MEMBER T &operator[](int) const { return *item; }
};
#else
template <class T> using ItemView = T *;
#endif

/** A value of each of N items that no other item reads. On a GPU a register of each thread. */
template <class T, int N> struct Items {
#if VX_GPU
    T value = {};
    VX_MEMBER ItemView<T> view() { return {&value}; }
    VX_MEMBER ItemView<const T> view() const { return {&value}; }
#else
    alignas(64) T value[N];
    VX_MEMBER T *view() { return value; }
    VX_MEMBER const T *view() const { return value; }
#endif
    VX_MEMBER T &operator[](int i) { return view()[i]; }
    VX_MEMBER const T &operator[](int i) const { return view()[i]; }
};

/** Values of two rounds: those of the newest one and those before it. Loops take their views before
 *  they begin. */
template <class T, int N> struct Delayed {
#if VX_GPU
    T newest_value = {}, value_before = {};
    VX_MEMBER ItemView<T> newest() { return {&newest_value}; }
    VX_MEMBER ItemView<const T> before() const { return {&value_before}; }
    VX_MEMBER void advance() { value_before = newest_value; }
#else
    alignas(64) T value[2][N];
    int slot = 0;
    VX_MEMBER T *newest() { return value[slot]; }
    VX_MEMBER const T *before() const { return value[1 - slot]; }
    VX_MEMBER void advance() { slot = 1 - slot; }
#endif
};

/* Threads put their shares of N sums into tile memory; after VX_SYNC some of them fold the shares
 * of each sum into a few parts, and after another one they add up the parts. Many threads with
 * little to do each, and each of the three may be done while others still do the next one's. */
constexpr int kShareParts = VX_GPU ? 8 : 1;

template <int N, int Threads> struct Shares {
    uint64_t share[N][VX_GPU ? Threads : 1];
    uint64_t part[N][kShareParts];
};

template <int N, int Threads>
VX_INLINE void shares_put([[maybe_unused]] const Group &group, Shares<N, Threads> &shares, int k,
                          int64_t value)
{
#if VX_GPU
    shares.share[k][group.thread] = static_cast<uint64_t>(value);
#else
    shares.share[k][0] = static_cast<uint64_t>(value);
#endif
}

/** Of the first count sums. */
template <int N, int Threads>
VX_INLINE void shares_fold(const Group &group, Shares<N, Threads> &shares, int count)
{
    constexpr int kShares = VX_GPU ? Threads : 1;
    VX_FOR (group, i, count * kShareParts) {
        const int k = i / kShareParts, part = i % kShareParts;
        uint64_t sum = 0;
        VX_UNROLL
        for (int share = 0; share < kShares; share += kShareParts)
            sum += shares.share[k][share + part];
        shares.part[k][part] = sum;
    }
}

template <int N, int Threads>
VX_INLINE void shares_total(const Group &group, const Shares<N, Threads> &shares,
                            uint64_t *VX_RESTRICT sums, int count)
{
    VX_FOR (group, k, count) {
        uint64_t sum = 0;
        VX_UNROLL
        for (int part = 0; part < kShareParts; ++part)
            sum += shares.part[k][part];
        sums[k] = sum;
    }
}

} // namespace vx

#endif
