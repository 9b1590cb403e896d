/* SPDX-License-Identifier: BSD-2-Clause */
#include "test_kernels.h"

#include "kernels/kernel.h"

VX_KERNEL(number_tiles, NumberTilesArgs, vx::NoTile, 64)
{
    VX_FOR (group, i, 1) {
        const uint64_t row = group.y + uint64_t{args.rows} * group.z;
        args.cells[row * args.columns + group.x + static_cast<uint32_t>(i)] =
            group.x + 1000 * group.y + 1000000 * group.z;
    }
}

VX_KERNEL(append_digit, AppendDigitArgs, vx::NoTile, 64)
{
    VX_FOR (group, i, 1) {
        args.number[i] = args.number[i] * 10 + args.digit;
    }
}

struct SumSquaresTile {
    uint32_t squares[kSumSquaresItems];
    vx::Sums<1> sums;
};

VX_KERNEL(sum_squares, SumSquaresArgs, SumSquaresTile, 64)
{
    const uint32_t begin = group.x * kSumSquaresItems;
    vx::sums_clear(group, tile.sums);
    VX_FOR (group, i, kSumSquaresItems) {
        const uint32_t at = begin + static_cast<uint32_t>(i);
        const uint32_t value = at < args.count ? args.values[at] : 0;
        tile.squares[i] = value * value;
    }
    VX_SYNC(group);
    int64_t sum = 0;
    VX_FOR (group, i, kSumSquaresItems) {
        sum += tile.squares[i];
    }
    vx::sums_add(group, tile.sums, 0, sum);
    vx::sums_store(group, tile.sums, args.sum);
}

VX_KERNEL(many_args, ManyArgs, vx::NoTile, 64)
{
    VX_FOR (group, i, 100) {
        args.to[i] = args.from[i];
    }
}

VX_KERNEL(divide, DivideArgs, vx::NoTile, 64)
{
    VX_FOR (group, i, 1) {
        args.quotient[i] = args.numerator / args.denominator;
    }
}

VX_KERNEL(stamp_tiles, StampTilesArgs, vx::NoTile, 64)
{
    VX_FOR (group, i, 1) {
        args.cells[group.x + static_cast<uint32_t>(i)] = ++args.counter[i];
    }
}

VX_KERNEL(mix, MixArgs, vx::NoTile, 64)
{
    const uint32_t begin = group.x * kMixItems;
    VX_FOR (group, i, kMixItems) {
        const uint32_t at = begin + static_cast<uint32_t>(i);
        args.to[at] = args.to[at] * 3 + args.from[at] + args.number;
    }
}
