/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Samples of 8 to 16 bits as floats in 8-bit steps, converted where they are loaded. `step` is 1
 * divided by a power of two (features/float_depth.h), so nothing is rounded.
 */
#ifndef VMAFX_KERNELS_FLOAT_SAMPLE_H
#define VMAFX_KERNELS_FLOAT_SAMPLE_H

#include "kernels/kernel.h"

namespace vx
{

/** Sample x of a row that row_of() gave: 0 <= value < 256. */
template <class Sample> VX_INLINE float float_sample(const Sample *row, int x, float step)
{
    return static_cast<float>(static_cast<int>(row[x])) * step;
}

/** The same around zero: -128 <= value < 128. */
template <class Sample> VX_INLINE float centred_sample(const Sample *row, int x, float step)
{
    return float_sample(row, x, step) - 128.0f;
}

} // namespace vx

#endif
