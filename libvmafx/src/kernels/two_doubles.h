/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Numbers of more bits than a double has, as the sum of two doubles.
 */
#ifndef VMAFX_KERNELS_TWO_DOUBLES_H
#define VMAFX_KERNELS_TWO_DOUBLES_H

#include "kernels/kernel.h"

namespace vx
{

/** What is lost when a * b is rounded. Exact, so that both ways give the same. */
VX_INLINE double product_error(double a, double b, double product)
{
#if VX_GPU || defined(__FMA__)
    return __builtin_fma(a, b, -product);
#else
    constexpr double kHalves = 134217729.0; /* 2^27 + 1 */
    const double wide_a = a * kHalves, wide_b = b * kHalves;
    const double a1 = wide_a - (wide_a - a), b1 = wide_b - (wide_b - b);
    const double a0 = a - a1, b0 = b - b1;
    return ((a1 * b1 - product) + a1 * b0 + a0 * b1) + a0 * b0;
#endif
}

} // namespace vx

#endif
