/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/float_psnr/float_psnr_kernels.h"

#include "kernels/kernel.h"

namespace float_psnr_kernels
{

constexpr PsnrShape kShape = VX_CPU_TILES ? kPsnrCpuShape : kPsnrGpuShape;

using vx::smaller;

/** A whole number below 2^32, since the largest square is 2^32 - 2^17 + 1. */
VX_INLINE uint32_t rounded_square(int a, int b)
{
    const float difference = static_cast<float>(a - b);
    return static_cast<uint32_t>(difference * difference);
}

} // namespace float_psnr_kernels

VX_KERNEL(float_psnr_16, PsnrArgs, vx::Sums<1>, kPsnrThreads)
{
    using namespace float_psnr_kernels;
    const PsnrPlane &plane = args.plane[0];
    const int x0 = static_cast<int>(group.x) * kShape.width;
    const int y0 = static_cast<int>(group.y) * kShape.height;
    const int cols = smaller(kShape.width, plane.width - x0);
    const int y1 = smaller(y0 + kShape.height, plane.height);

    vx::sums_clear(group, tile);
    uint64_t sum = 0;
    for (int y = y0; y < y1; ++y) {
        const auto *a = vx::row_of<uint16_t>(plane.reference, plane.reference_pitch, y) + x0;
        const auto *b = vx::row_of<uint16_t>(plane.distorted, plane.distorted_pitch, y) + x0;
        VX_FOR (group, x, cols) {
            sum += rounded_square(a[x], b[x]);
        }
    }
    vx::sums_add(group, tile, 0, static_cast<int64_t>(sum));
    vx::sums_store(group, tile, args.sse);
}
