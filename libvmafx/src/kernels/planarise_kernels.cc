/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernels/planarise_kernels.h"

#include "kernels/kernel.h"

namespace planarise_kernels
{

constexpr PlanariseShape kShape = VX_CPU_TILES ? kPlanariseCpuShape : kPlanariseGpuShape;

using vx::smaller;

/** A row of a plane that is written, from column x on. */
template <class T>
VX_INLINE typename vx::SampleOf<T>::type *out_row(void *plane, uint64_t pitch, int y, int x)
{
    return reinterpret_cast<typename vx::SampleOf<T>::type *>(static_cast<char *>(plane) +
                                                              static_cast<uint64_t>(y) * pitch) +
           x;
}

VX_INLINE void store(uint8_t &out, int value)
{
    out = static_cast<uint8_t>(value);
}
VX_INLINE void store(vx::UnalignedU16 &out, int value)
{
    out.value = static_cast<uint16_t>(value);
}

template <class T> VX_INLINE void split(const PlanariseArgs &args, const vx::Group &group)
{
    const int x0 = static_cast<int>(group.x) * kShape.width;
    const int y0 = static_cast<int>(group.y) * kShape.height;
    const int cols = smaller(kShape.width, args.width - x0);
    const int bottom = smaller(y0 + kShape.height, args.height);
    const int shift = args.shift;
    for (int y = y0; y < bottom; ++y) {
        const auto *in = vx::row_of<T>(args.source, args.source_pitch, y) + 2 * x0;
        auto *const first = out_row<T>(args.first, args.first_pitch, y, x0);
        auto *const second = out_row<T>(args.second, args.second_pitch, y, x0);
        VX_FOR (group, x, cols) {
            store(first[x], in[2 * x] >> shift);
            store(second[x], in[2 * x + 1] >> shift);
        }
    }
}

VX_INLINE void shift_plane(const PlanariseArgs &args, const vx::Group &group)
{
    const int x0 = static_cast<int>(group.x) * kShape.width;
    const int y0 = static_cast<int>(group.y) * kShape.height;
    const int cols = smaller(kShape.width, args.width - x0);
    const int bottom = smaller(y0 + kShape.height, args.height);
    const int shift = args.shift;
    for (int y = y0; y < bottom; ++y) {
        const auto *in = vx::row_of<uint16_t>(args.source, args.source_pitch, y) + x0;
        auto *const out = out_row<uint16_t>(args.first, args.first_pitch, y, x0);
        VX_FOR (group, x, cols) {
            store(out[x], in[x] >> shift);
        }
    }
}

} // namespace planarise_kernels

VX_KERNEL(planarise_split_8, PlanariseArgs, vx::NoTile, kPlanariseThreads)
{
    planarise_kernels::split<uint8_t>(args, group);
}

VX_KERNEL(planarise_split_16, PlanariseArgs, vx::NoTile, kPlanariseThreads)
{
    planarise_kernels::split<uint16_t>(args, group);
}

VX_KERNEL(planarise_shift_16, PlanariseArgs, vx::NoTile, kPlanariseThreads)
{
    planarise_kernels::shift_plane(args, group);
}
