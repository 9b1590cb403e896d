/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernels/squares_in_order_kernels.h"

#include "kernels/kernel.h"

namespace squares_in_order_kernels
{

constexpr int kPart = 1024; /* samples that are squared before they are added */

struct Tile {
    double sum;
    float square[kPart];
};

VX_INLINE void square_part(const vx::Group &group, const SquaresEntry &entry, Tile &tile, int x0,
                           int y, int count)
{
    const auto *a = vx::row_of<uint16_t>(entry.samples, entry.samples_pitch, y) + x0;
    if (entry.others == nullptr) {
        VX_FOR (group, x, count) {
            const float v = static_cast<float>(static_cast<int>(a[x]));
            tile.square[x] = v * v;
        }
        return;
    }
    const auto *b = vx::row_of<uint16_t>(entry.others, entry.others_pitch, y) + x0;
    VX_FOR (group, x, count) {
        const float v = static_cast<float>(a[x] - b[x]);
        tile.square[x] = v * v;
    }
}

} // namespace squares_in_order_kernels

VX_KERNEL(squares_in_order, SquaresArgs, squares_in_order_kernels::Tile, kSquaresThreads)
{
    using namespace squares_in_order_kernels;
    const SquaresEntry &entry = args.entry[group.x];
    if (*entry.sum < kSquaresExact)
        return;
    VX_FOR (group, only, 1) {
        tile.sum = 0;
    }
    for (int y = 0; y < args.height; ++y) {
        for (int x = 0; x < args.width; x += kPart) {
            const int count = args.width - x < kPart ? args.width - x : kPart;
            square_part(group, entry, tile, x, y, count);
            VX_SYNC(group);
            VX_FOR (group, only, 1) {
                double sum = tile.sum;
                for (int i = 0; i < count; ++i)
                    sum += static_cast<double>(tile.square[i]);
                tile.sum = sum;
            }
            VX_SYNC(group);
        }
    }
    VX_FOR (group, only, 1) {
        __builtin_memcpy(entry.result, &tile.sum, sizeof(tile.sum));
    }
}
