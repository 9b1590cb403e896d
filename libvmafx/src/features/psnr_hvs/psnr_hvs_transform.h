/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The transform of 8 integers, in lifting steps: what is rounded, is rounded in the same way
 * everywhere.
 */
#ifndef VMAFX_FEATURES_PSNR_HVS_TRANSFORM_H
#define VMAFX_FEATURES_PSNR_HVS_TRANSFORM_H

#include "kernels/lanes.h"

namespace psnr_hvs_kernels
{

/** a / 2, toward zero. */
VX_INLINE vx::I32 half(vx::I32 a)
{
    return (a - (a >> 31)) >> 1;
}

/** a * factor / 2^shift, rounded to the nearest. */
VX_INLINE vx::I32 scaled(vx::I32 a, int factor, int shift)
{
    return (a * factor + (1 << (shift - 1))) >> shift;
}

VX_INLINE void transform(vx::I32 (&x)[8])
{
    /* Sums and differences of mirrored pairs. */
    vx::I32 d07 = x[0] - x[7];
    const vx::I32 half_d07 = half(d07);
    const vx::I32 s07 = x[0] - half_d07;
    const vx::I32 s16 = x[1] + x[6];
    const vx::I32 half_s16 = half(s16);
    vx::I32 d16 = x[6] - half_s16;
    vx::I32 d25 = x[2] - x[5];
    const vx::I32 s25 = x[2] - half(d25);
    const vx::I32 s34 = x[3] + x[4];
    const vx::I32 half_s34 = half(s34);
    vx::I32 d34 = half_s34 - x[4];

    vx::I32 e0 = s07 + half_s34;
    vx::I32 e3 = e0 - s34;
    vx::I32 e2 = half_s16 - s25;
    vx::I32 e1 = e2 - s16;
    e0 -= scaled(e1, 13573, 15);
    e1 += scaled(e0, 11585, 14);
    e0 -= scaled(e1, 13573, 15);
    e3 -= scaled(e2, 21895, 15);
    e2 += scaled(e3, 15137, 14);
    e3 -= scaled(e2, 21895, 15);

    d25 += scaled(d16, 19195, 15);
    d16 += scaled(d25, 11585, 14);
    d25 -= scaled(d16, 7489, 13);
    d34 = half(d16) - d34;
    d16 -= d34;
    d25 = half_d07 - d25;
    d07 -= d25;
    d34 += scaled(d07, 3227, 15);
    d07 -= scaled(d34, 6393, 15);
    d34 += scaled(d07, 3227, 15);
    d16 += scaled(d25, 2485, 13);
    d25 -= scaled(d16, 18205, 15);
    d16 += scaled(d25, 2485, 13);

    x[0] = e0;
    x[1] = d07;
    x[2] = e2;
    x[3] = d25;
    x[4] = e1;
    x[5] = d16;
    x[6] = e3;
    x[7] = d34;
}

} // namespace psnr_hvs_kernels

#endif
