/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Pictures shrunk by a whole number: each sample is the mean of a square, added up in binary64 row
 * by row. A work-group makes a part of one row.
 */
#include "features/float_ssim/float_ssim_kernels.h"
#include "features/float_ssim/mirrored_row.h"
#include "kernels/kernel.h"

namespace ssim_box_kernels
{

using namespace ssim_rows;

constexpr int kSpan = VX_CPU_TILES ? kSsimBoxCpuSpan : kSsimBoxGpuSpan;
constexpr int kColumns = kSpan / 2; /* of the result, with the smallest factor */

struct Tile {
    double weighted[kSpan]; /* samples of one row of the picture, times the weight */
    double sum[kColumns];
};

struct Place {
    int first, count; /* columns of the picture; some are outside of it */
    int x0, columns;  /* of the result */
};

VX_INLINE Place place_of(const SsimBoxArgs &args, const vx::Group &group)
{
    const int wide = ssim_box_columns(kSpan, args.factor);
    Place place;
    place.x0 = static_cast<int>(group.x) * wide;
    place.columns = smaller(wide, args.shrunk_width - place.x0);
    place.first = place.x0 * args.factor - args.factor / 2;
    place.count = place.columns * args.factor;
    return place;
}

/** A row in three parts, of which the long one in the middle is free of mirroring. */
template <class T>
VX_INLINE void weigh_row(const SsimBoxArgs &args, const Place &place, Tile &tile,
                         const vx::Group &group, int y)
{
    const void *const picture = args.picture[group.z];
    const uint64_t pitch = args.pitch[group.z];
    const auto weighted = [&](int x) __attribute__((always_inline)) {
        return static_cast<double>(sample_at<T>(picture, pitch, y, x, args.step) * args.weight);
    };
    const int begin = larger(0, -place.first);
    const int end = smaller(place.count, args.width - place.first);
    VX_FOR (group, i, end - begin) {
        tile.weighted[begin + i] = weighted(place.first + begin + i);
    }
    VX_FOR (group, i, begin) {
        tile.weighted[i] = weighted(mirrored(place.first + i, args.width));
    }
    VX_FOR (group, i, place.count - end) {
        tile.weighted[end + i] = weighted(mirrored(place.first + end + i, args.width));
    }
}

template <class T> VX_INLINE void body(const SsimBoxArgs &args, Tile &tile, const vx::Group &group)
{
    const Place place = place_of(args, group);
    const int y = static_cast<int>(group.y);
    const int top = y * args.factor - args.factor / 2;
    VX_FOR (group, x, place.columns) {
        tile.sum[x] = 0;
    }
    for (int row = 0; row < args.factor; ++row) {
        weigh_row<T>(args, place, tile, group, mirrored(top + row, args.height));
        VX_SYNC(group);
        VX_FOR (group, x, place.columns) {
            double sum = tile.sum[x];
            for (int u = 0; u < args.factor; ++u)
                sum += tile.weighted[x * args.factor + u];
            tile.sum[x] = sum;
        }
        VX_SYNC(group);
    }
    float *const out =
        args.shrunk[group.z] + static_cast<int64_t>(y) * args.shrunk_width + place.x0;
    VX_FOR (group, x, place.columns) {
        out[x] = static_cast<float>(tile.sum[x]);
    }
}

} // namespace ssim_box_kernels

VX_KERNEL(ssim_box_8, SsimBoxArgs, ssim_box_kernels::Tile, kSsimBoxThreads)
{
    ssim_box_kernels::body<uint8_t>(args, tile, group);
}

VX_KERNEL(ssim_box_16, SsimBoxArgs, ssim_box_kernels::Tile, kSsimBoxThreads)
{
    ssim_box_kernels::body<uint16_t>(args, tile, group);
}
