/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/psnr/psnr_kernels.h"

#include "kernels/kernel.h"

namespace psnr_kernels
{

constexpr PsnrShape kShape = VX_CPU_TILES ? kPsnrCpuShape : kPsnrGpuShape;

/* So many squares of differences fit into 32 bits: 256 * 4095^2 < 2^32, 65536 * 255^2 < 2^32. */
template <int depth> constexpr int kRun = VX_CPU_TILES && depth == 8 ? 1 << 16 : 256;

using vx::smaller;

/** Adds up at most kRun<depth> squares in 32 bits. Depth is 8 or 12, differences fit into 16 bits.
 */
template <class Sample>
VX_INLINE uint32_t run_narrow(const vx::Group &group, const Sample *a, const Sample *b, int count)
{
    uint32_t sum = 0;
    VX_FOR (group, x, count) {
        const int16_t d = static_cast<int16_t>(a[x] - b[x]);
        sum += static_cast<uint32_t>(d * d);
    }
    return sum;
}

template <class Sample>
VX_INLINE uint64_t run_wide(const vx::Group &group, const Sample *a, const Sample *b, int count)
{
    uint64_t sum = 0;
    VX_FOR (group, x, count) {
        const uint32_t d = static_cast<uint32_t>(a[x] - b[x]);
        sum += d * d; /* modulo 2^32, which the true square is below */
    }
    return sum;
}

template <class T, int depth>
VX_INLINE void body(const PsnrArgs &args, vx::Sums<1> &sums, const vx::Group &group)
{
    const PsnrPlane &plane = args.plane[group.z];
    const int x0 = static_cast<int>(group.x) * kShape.width;
    const int y0 = static_cast<int>(group.y) * kShape.height;
    const int x1 = smaller(x0 + kShape.width, plane.width);
    const int y1 = smaller(y0 + kShape.height, plane.height);
    if (x0 >= x1 || y0 >= y1)
        return;

    vx::sums_clear(group, sums);
    uint64_t sum = 0;
    for (int y = y0; y < y1; ++y) {
        const auto *a = vx::row_of<T>(plane.reference, plane.reference_pitch, y);
        const auto *b = vx::row_of<T>(plane.distorted, plane.distorted_pitch, y);
        if constexpr (depth > 12) {
            sum += run_wide(group, a + x0, b + x0, x1 - x0);
        } else {
            for (int x = x0; x < x1; x += kRun<depth>)
                sum += run_narrow(group, a + x, b + x, smaller(kRun<depth>, x1 - x));
        }
    }
    vx::sums_add(group, sums, 0, static_cast<int64_t>(sum));
    vx::sums_store(group, sums, args.sse + group.z);
}

} // namespace psnr_kernels

VX_KERNEL(psnr_8, PsnrArgs, vx::Sums<1>, kPsnrThreads)
{
    psnr_kernels::body<uint8_t, 8>(args, tile, group);
}

VX_KERNEL(psnr_12, PsnrArgs, vx::Sums<1>, kPsnrThreads)
{
    psnr_kernels::body<uint16_t, 12>(args, tile, group);
}

VX_KERNEL(psnr_16, PsnrArgs, vx::Sums<1>, kPsnrThreads)
{
    psnr_kernels::body<uint16_t, 16>(args, tile, group);
}
