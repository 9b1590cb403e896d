/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/float_moment/float_moment_kernels.h"

#include "kernels/kernel.h"

namespace float_moment_kernels
{

constexpr FloatMomentShape kShape = VX_CPU_TILES ? kFloatMomentCpuShape : kFloatMomentGpuShape;

/* So many squares of 12-bit samples fit into 32 bits: 256 * 4095^2 < 2^32. */
constexpr int kRun = 256;

struct Sum {
    uint64_t first, second;
};

using vx::smaller;

/** At most kRun samples of 8 or 12 bits. */
template <class Sample>
VX_INLINE void add_narrow(const vx::Group &group, const Sample *row, int count, Sum &sum)
{
    uint32_t first = 0, second = 0;
    VX_FOR (group, x, count) {
        const uint32_t v = row[x];
        first += v;
        second += v * v;
    }
    sum.first += first;
    sum.second += second;
}

/** A rounded square is a whole number, and below 2^32, since the largest one is 2^32 - 2^17 + 1. */
template <class Sample>
VX_INLINE void add_wide(const vx::Group &group, const Sample *row, int count, Sum &sum)
{
    uint64_t first = 0, second = 0;
    VX_FOR (group, x, count) {
        const float v = static_cast<float>(static_cast<int>(row[x]));
        first += row[x];
        second += static_cast<uint32_t>(v * v);
    }
    sum.first += first;
    sum.second += second;
}

template <class T, int depth>
VX_INLINE void body(const FloatMomentArgs &args, vx::Sums<2> &sums, const vx::Group &group)
{
    const FloatMomentPicture &picture = args.picture[group.z];
    const int x0 = static_cast<int>(group.x) * kShape.width;
    const int y0 = static_cast<int>(group.y) * kShape.height;
    const int x1 = smaller(x0 + kShape.width, args.width);
    const int y1 = smaller(y0 + kShape.height, args.height);

    vx::sums_clear(group, sums);
    Sum sum = {0, 0};
    for (int y = y0; y < y1; ++y) {
        const auto *row = vx::row_of<T>(picture.samples, picture.pitch, y);
        if constexpr (depth > 12) {
            add_wide(group, row + x0, x1 - x0, sum);
        } else {
            for (int x = x0; x < x1; x += kRun)
                add_narrow(group, row + x, smaller(kRun, x1 - x), sum);
        }
    }
    vx::sums_add(group, sums, 0, static_cast<int64_t>(sum.first));
    vx::sums_add(group, sums, 1, static_cast<int64_t>(sum.second));
    vx::sums_store(group, sums, picture.sums);
}

} // namespace float_moment_kernels

VX_KERNEL(float_moment_8, FloatMomentArgs, vx::Sums<2>, kFloatMomentThreads)
{
    float_moment_kernels::body<uint8_t, 8>(args, tile, group);
}

VX_KERNEL(float_moment_12, FloatMomentArgs, vx::Sums<2>, kFloatMomentThreads)
{
    float_moment_kernels::body<uint16_t, 12>(args, tile, group);
}

VX_KERNEL(float_moment_16, FloatMomentArgs, vx::Sums<2>, kFloatMomentThreads)
{
    float_moment_kernels::body<uint16_t, 16>(args, tile, group);
}
