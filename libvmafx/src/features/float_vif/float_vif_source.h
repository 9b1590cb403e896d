/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How float_vif's kernels read pictures.
 */
#ifndef VMAFX_FEATURES_FLOAT_VIF_SOURCE_H
#define VMAFX_FEATURES_FLOAT_VIF_SOURCE_H

#include "features/float_vif/float_vif_kernels.h"
#include "kernels/float_sample.h"
#include "kernels/kernel.h"

namespace float_vif_kernels
{

using vx::smaller;

/** The place of row or column i: mirrored at the ends, and kept inside where nobody looks at it. */
VX_INLINE int inside(int i, int n)
{
    i = vx::mirror(i, n);
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

template <class Sample>
VX_INLINE const auto *source_row(const FloatVifSource &source, uint32_t picture, int y)
{
    if constexpr (sizeof(Sample) == sizeof(float))
        return reinterpret_cast<const float *>(static_cast<const char *>(source.picture[picture]) +
                                               static_cast<uint64_t>(y) * source.pitch[picture]);
    else
        return vx::row_of<Sample>(source.picture[picture], source.pitch[picture], y);
}

VX_INLINE float sample_at(const float *row, int x, float)
{
    return row[x];
}
template <class Sample> VX_INLINE float sample_at(const Sample *row, int x, float step)
{
    return vx::centred_sample(row, x, step);
}

/** Columns first..first+count-1 of row y as floats; both mirrored at the ends. */
template <class Sample>
VX_INLINE void stage_row(const FloatVifSource &source, const vx::Group &group, uint32_t picture,
                         int y, int first, int count, float *to)
{
    const auto *VX_RESTRICT row = source_row<Sample>(source, picture, inside(y, source.height));
    float *VX_RESTRICT out = to;
    const float step = source.step;
    const int left = first < 0 ? smaller(-first, count) : 0;
    const int right = smaller(count, source.width - first);
    VX_FOR (group, i, right - left) {
        out[left + i] = sample_at(row, first + left + i, step);
    }
    VX_FOR (group, i, left) {
        out[i] = sample_at(row, inside(first + i, source.width), step);
    }
    VX_FOR (group, i, count - right) {
        out[right + i] = sample_at(row, inside(first + right + i, source.width), step);
    }
}

} // namespace float_vif_kernels

#endif
