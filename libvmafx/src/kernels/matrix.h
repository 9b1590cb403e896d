/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Products of small matrices of bytes by the matrix units of NVIDIA GPUs (sm_80 and later). They
 * are exact: sums of byte products in 32-bit integers, modulo 2^32.
 *
 * A warp works as one. With c = lane / 4 and q = lane % 4, which is PTX's own order:
 *
 *     Left    16 rows by 32: rows c and c + 8, in each columns 4q.. and 16 + 4q.., four to a word
 *     Right   32 by 8 columns: column c, rows 4q.. and 16 + 4q..
 *     Sums    16 by 8: rows c and c + 8, in each columns 2q and 2q + 1
 */
#ifndef VMAFX_KERNELS_MATRIX_H
#define VMAFX_KERNELS_MATRIX_H

#include "kernels/kernel.h"

/* Images of older GPUs, and of those of other makers, have no kernels of this kind. */
#if (defined(__NVPTX__) && __CUDA_ARCH__ >= 800) || defined(VX_THREADS_OF_TEST)
#define VX_MATRIX 1
#else
#define VX_MATRIX 0
#endif

#if VX_MATRIX

/** VX_KERNEL with registers for that many work-groups on a multiprocessor. */
#define VX_MATRIX_KERNEL(name, Args, Tile, Threads, Groups)                                        \
    VX_GPU_KERNEL(name, Args, Tile, Threads, launch_bounds(Threads, Groups))

namespace vx
{

struct Left {
    uint32_t w[4]; /* row c, row c + 8; then the same for the columns from 16 on */
};
struct Sums16x8 {
    uint32_t v[4]; /* row c: two columns; row c + 8: two columns */
};

VX_INLINE void start(Sums16x8 &sums, uint32_t value)
{
    for (uint32_t &v : sums.v)
        v = value;
}

/** sums += left * right; right0 holds the rows 4q.., right1 those from 16 + 4q on. */
VX_INLINE void multiply_add(Sums16x8 &sums, const Left &left, uint32_t right0, uint32_t right1)
{
#if defined(__NVPTX__)
    asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+r"(sums.v[0]), "+r"(sums.v[1]), "+r"(sums.v[2]), "+r"(sums.v[3])
        : "r"(left.w[0]), "r"(left.w[1]), "r"(left.w[2]), "r"(left.w[3]), "r"(right0), "r"(right1));
#else
    multiply_add_of_warp(sums.v, left.w, right0, right1);
#endif
}

/** Bytes of a (0..3) and b (4..7), by the digits of order from the last one on. */
template <uint32_t order> VX_INLINE uint32_t pick_bytes(uint32_t a, uint32_t b)
{
#if defined(__NVPTX__)
    return __nvvm_prmt(a, b, order);
#else
    uint32_t picked = 0;
    for (uint32_t i = 0; i < 4; ++i) {
        const uint32_t byte = order >> (4 * i) & 7u;
        picked |= ((byte < 4 ? a >> (8 * byte) : b >> (8 * (byte - 4))) & 0xffu) << (8 * i);
    }
    return picked;
#endif
}

/** Words of rows become words of columns. */
VX_INLINE void transpose(uint32_t (&w)[4])
{
    const uint32_t low01 = pick_bytes<0x5140>(w[0], w[1]), low23 = pick_bytes<0x5140>(w[2], w[3]);
    const uint32_t high01 = pick_bytes<0x7362>(w[0], w[1]), high23 = pick_bytes<0x7362>(w[2], w[3]);
    w[0] = pick_bytes<0x5410>(low01, low23);
    w[1] = pick_bytes<0x7632>(low01, low23);
    w[2] = pick_bytes<0x5410>(high01, high23);
    w[3] = pick_bytes<0x7632>(high01, high23);
}

} // namespace vx

#endif

#endif
