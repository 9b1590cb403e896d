/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Samples of a row that goes on beyond its ends as in a mirror whose face is the edge of the
 * picture: the last sample comes twice.
 */
#ifndef VMAFX_FEATURES_FLOAT_SSIM_MIRRORED_ROW_H
#define VMAFX_FEATURES_FLOAT_SSIM_MIRRORED_ROW_H

#include "kernels/float_sample.h"
#include "kernels/kernel.h"

namespace ssim_rows
{

/** Index of 0..n-1 for -n <= i < 2n. */
VX_INLINE int mirrored(int i, int n)
{
    i = i < 0 ? -1 - i : i;
    return i >= n ? 2 * n - 1 - i : i;
}

using vx::larger;
using vx::smaller;

/** Samples of all kinds as floats: integers in 8-bit steps, floats as they are. */
template <class T>
VX_INLINE float sample_at(const void *plane, uint64_t pitch, int y, int x, float step)
{
    if constexpr (sizeof(T) == sizeof(float)) {
        const char *row = static_cast<const char *>(plane) + static_cast<uint64_t>(y) * pitch;
        return reinterpret_cast<const float *>(row)[x];
    } else {
        return vx::float_sample(vx::row_of<T>(plane, pitch, y), x, step);
    }
}

} // namespace ssim_rows

#endif
