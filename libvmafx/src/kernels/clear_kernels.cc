/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernels/clear_kernels.h"

#include "kernels/kernel.h"

VX_KERNEL(clear, ClearArgs, vx::NoTile, kClearThreads)
{
    const uint64_t first = uint64_t{group.x} * kClearWords;
    const uint64_t left = first < args.count ? args.count - first : 0;
    const int words = static_cast<int>(left < kClearWords ? left : kClearWords);
    VX_FOR (group, i, words) {
        args.words[first + static_cast<uint64_t>(i)] = 0;
    }
    const int stamps = group.x == 0 ? args.stamps : 0;
    VX_FOR (group, i, stamps) {
        args.to[i] = *args.stamp[i];
    }
}
