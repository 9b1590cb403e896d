/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/ciede/ciede_kernels.h"

#include "features/ciede/ciede_difference.h"

namespace ciede_kernels
{

constexpr int kWidth = VX_CPU_TILES ? kCiedeCpuWidth : kCiedeGpuWidth;

struct Tile {
    float value[2][kChannels][kWidth]; /* samples, then the lightness of X, Y and Z */
    double light[kChannels][kWidth];   /* red, green, blue */
};

template <class T>
VX_INLINE void load(const CiedeArgs &args, Tile &tile, const vx::Group &group, int x0, int columns)
{
    const int y = static_cast<int>(group.y);
    VX_UNROLL
    for (int side = 0; side < 2; ++side) {
        VX_UNROLL
        for (int p = 0; p < kCiedePlanes; ++p) {
            const int shift_x = p > 0 ? args.shift_x : 0;
            const auto *row =
                vx::row_of<T>(args.picture[side].samples[p], args.picture[side].pitch[p],
                              y >> (p > 0 ? args.shift_y : 0));
            float *const samples = tile.value[side][p];
            VX_FOR (group, x, columns) {
                samples[x] = static_cast<float>(static_cast<int>(row[(x0 + x) >> shift_x]));
            }
        }
    }
}

/* The loops over channels and sides are the same for all threads: little code, and few constants at
 * a time. */

VX_INLINE void find_light(const CiedeArgs &args, Tile &tile, const vx::Group &group, int side,
                          int columns)
{
    const double black = args.black, grey = args.grey;
    const double luma_step = args.luma_step, chroma_step = args.chroma_step;
    const auto &sample = tile.value[side];
    VX_ROLLED
    for (int k = 0; k < kChannels; ++k) {
        const ChannelWeights weights = kOfChannel[k];
        double *const light = tile.light[k];
        VX_FOR (group, x, columns) {
            const double y = (static_cast<double>(sample[0][x]) - black) * luma_step;
            const double u = (static_cast<double>(sample[1][x]) - grey) * chroma_step;
            const double v = (static_cast<double>(sample[2][x]) - grey) * chroma_step;
            light[x] = light_of(y + weights.from_u * u + weights.from_v * v);
        }
    }
}

VX_INLINE void find_lightness(Tile &tile, const vx::Group &group, int side, int columns)
{
    const auto &light = tile.light;
    VX_ROLLED
    for (int k = 0; k < kChannels; ++k) {
        const LightWeights weights = kOfLight[k];
        float *const lightness = tile.value[side][k];
        VX_FOR (group, x, columns) {
            const double sum = weights.red * light[0][x] + weights.green * light[1][x] +
                               weights.blue * light[2][x];
            lightness[x] = lightness_of(sum * weights.of_white);
        }
    }
}

VX_INLINE Lab colour(const Tile &tile, int side, int x)
{
    return lab_of(tile.value[side][0][x], tile.value[side][1][x], tile.value[side][2][x]);
}

} // namespace ciede_kernels

VX_KERNEL(ciede, CiedeArgs, ciede_kernels::Tile, kCiedeThreads)
{
    using namespace ciede_kernels;
    const int x0 = static_cast<int>(group.x) * kWidth;
    const int columns = args.width - x0 < kWidth ? args.width - x0 : kWidth;
    if (args.sample_bytes == 1)
        load<uint8_t>(args, tile, group, x0, columns);
    else
        load<uint16_t>(args, tile, group, x0, columns);
    VX_SYNC(group);
    VX_ROLLED
    for (int side = 0; side < 2; ++side) {
        find_light(args, tile, group, side, columns);
        VX_SYNC(group);
        find_lightness(tile, group, side, columns);
        VX_SYNC(group);
    }

    float *const out = args.differences + static_cast<int64_t>(group.y) * args.width + x0;
    VX_FOR (group, x, columns) {
        out[x] = difference_of(colour(tile, 0, x), colour(tile, 1, x));
    }
}
