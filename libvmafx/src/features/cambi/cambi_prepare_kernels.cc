/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/cambi/cambi_kernels.h"

#include "kernels/kernel.h"

namespace cambi_prepare_kernels
{

constexpr CambiShape kRows = VX_CPU_TILES ? kCambiRowsCpuShape : kCambiRowsGpuShape;
constexpr CambiShape kMask = VX_CPU_TILES ? kCambiMaskCpuShape : kCambiMaskGpuShape;
constexpr CambiShape kScale = VX_CPU_TILES ? kCambiScaleCpuShape : kCambiScaleGpuShape;
constexpr int kReach = kCambiFlatSide / 2;

using vx::larger;
using vx::smaller;

/** The part of a plane that a tile covers. */
struct Area {
    int x0, y0, x1, y1;
};
VX_INLINE Area area_of(const vx::Group &group, const CambiShape &shape, int width, int height)
{
    const int x0 = static_cast<int>(group.x) * shape.width;
    const int y0 = static_cast<int>(group.y) * shape.height;
    return {x0, y0, smaller(x0 + shape.width, width), smaller(y0 + shape.height, height)};
}

template <class T> VX_INLINE T *row(T *plane, int width, int y)
{
    return plane + static_cast<int64_t>(y) * width;
}

/* ---- samples to codes ------------------------------------------------------------------------ */

VX_INLINE int code(const CambiPrepareArgs &args, int sample)
{
    return ((sample << args.left) + ((1 << args.right) >> 1)) >> args.right;
}

/* An index that a lost upload left unwritten must not lead out of the picture. */
VX_INLINE int inside(int i, int count)
{
    return larger(smaller(i, count - 1), 0);
}

/** Rows y and y + 1 of the picture, as the plane sees them. Beyond the last row it is repeated,
 *  and so is the last column: the mean of two equal pairs is that of one. */
template <class T> struct Rows {
    const typename vx::SampleOf<T>::type *here;
    const typename vx::SampleOf<T>::type *below;
};

template <class T> VX_INLINE Rows<T> rows_at(const CambiPrepareArgs &args, int y)
{
    int here = y, below = smaller(y + 1, args.height - 1);
    if (args.rows) {
        here = inside(args.rows[here], args.source_height);
        below = inside(args.rows[below], args.source_height);
    }
    return {vx::row_of<T>(args.picture, args.pitch, here),
            vx::row_of<T>(args.picture, args.pitch, below)};
}

template <class T>
VX_INLINE uint16_t smoothed(const CambiPrepareArgs &args, const Rows<T> &rows, int x, int right)
{
    const int sum = code(args, rows.here[x]) + code(args, rows.here[right]) +
                    code(args, rows.below[x]) + code(args, rows.below[right]);
    return static_cast<uint16_t>(sum >> 2);
}

template <class T>
VX_INLINE void same_size(const vx::Group &group, const CambiPrepareArgs &args, const Area &area)
{
    for (int y = area.y0; y < area.y1; ++y) {
        const Rows<T> rows = rows_at<T>(args, y);
        uint16_t *VX_RESTRICT const out = row(args.codes, args.width, y) + area.x0;
        const int count = area.x1 - area.x0;
        if (!args.smooth) {
            VX_FOR (group, x, count) {
                out[x] = static_cast<uint16_t>(code(args, rows.here[area.x0 + x]));
            }
            continue;
        }
        const bool ends = area.x1 == args.width;
        VX_FOR (group, x, count - ends) {
            out[x] = smoothed(args, rows, area.x0 + x, area.x0 + x + 1);
        }
        VX_FOR (group, i, static_cast<int>(ends)) {
            out[count - 1 + i] = smoothed(args, rows, area.x1 - 1, area.x1 - 1);
        }
    }
}

template <class T>
VX_INLINE void other_size(const vx::Group &group, const CambiPrepareArgs &args, const Area &area)
{
    const int last = args.width - 1;
    for (int y = area.y0; y < area.y1; ++y) {
        const Rows<T> rows = rows_at<T>(args, y);
        uint16_t *VX_RESTRICT const out = row(args.codes, args.width, y) + area.x0;
        VX_FOR (group, x, area.x1 - area.x0) {
            const int at = inside(args.columns[area.x0 + x], args.source_width);
            const int right =
                inside(args.columns[smaller(area.x0 + x + 1, last)], args.source_width);
            out[x] = args.smooth ? smoothed(args, rows, at, right)
                                 : static_cast<uint16_t>(code(args, rows.here[at]));
        }
    }
}

template <class T> VX_INLINE void prepare(const vx::Group &group, const CambiPrepareArgs &args)
{
    const Area area = area_of(group, kRows, args.width, args.height);
    if (args.columns)
        other_size<T>(group, args, area);
    else
        same_size<T>(group, args, area);
}

/* ---- mask ------------------------------------------------------------------------------------ */

struct MaskTile {
    uint8_t flat[kMask.height + 2 * kReach][kMask.width + 2 * kReach];
    uint8_t across[kMask.height + 2 * kReach][kMask.width]; /* sums of seven neighbours */
};

/** 1 where a code equals its neighbours to the right and below, as far as there are any. */
VX_INLINE uint8_t is_flat(const uint16_t *here, const uint16_t *below, int x, int right)
{
    return (here[x] == here[right]) & (here[x] == below[x]);
}

VX_INLINE void find_flat(const vx::Group &group, const CambiMaskArgs &args, MaskTile &tile,
                         const Area &area)
{
    const int begin = area.x0 - kReach, end = area.x1 + kReach;
    const int first = larger(begin, 0), last = smaller(end, args.width);
    const int inner = smaller(last, args.width - 1); /* these have a neighbour to the right */
    VX_FOR2 (group, r, c, area.y1 - area.y0 + 2 * kReach, kMask.width + 2 * kReach) {
        const int y = area.y0 - kReach + r, x = begin + c;
        const bool in = y >= 0 && y < args.height && x >= first && x < last;
        const int at_y = larger(smaller(y, args.height - 1), 0);
        const int at_x = larger(smaller(x, args.width - 1), 0);
        const uint16_t *const here = row(args.codes, args.width, at_y);
        const uint16_t *const below =
            row(args.codes, args.width, smaller(at_y + 1, args.height - 1));
        const int right = at_x < inner ? at_x + 1 : at_x;
        tile.flat[r][c] = in ? is_flat(here, below, at_x, right) : 0;
    }
}

#if VX_CPU_TILES

/** As above, with contiguous loops. */
VX_INLINE void find_flat_by_rows(const vx::Group &group, const CambiMaskArgs &args, MaskTile &tile,
                                 const Area &area)
{
    const int begin = area.x0 - kReach;
    const int first = larger(begin, 0), last = smaller(area.x1 + kReach, args.width);
    const int inner = smaller(last, args.width - 1);
    for (int r = 0; r < area.y1 - area.y0 + 2 * kReach; ++r) {
        const int y = area.y0 - kReach + r;
        uint8_t *VX_RESTRICT const out = tile.flat[r];
        VX_FOR (group, c, kMask.width + 2 * kReach) {
            out[c] = 0;
        }
        if (y < 0 || y >= args.height)
            continue;
        const uint16_t *const here = row(args.codes, args.width, y);
        const uint16_t *const below = row(args.codes, args.width, smaller(y + 1, args.height - 1));
        uint8_t *VX_RESTRICT const from = out + (first - begin);
        VX_FOR (group, i, inner - first) {
            from[i] = is_flat(here, below, first + i, first + i + 1);
        }
        for (int x = larger(inner, first); x < last; ++x)
            out[x - begin] = is_flat(here, below, x, x);
    }
}

#endif

VX_INLINE void mask(const vx::Group &group, const CambiMaskArgs &args, MaskTile &tile)
{
    const Area area = area_of(group, kMask, args.width, args.height);
#if VX_CPU_TILES
    find_flat_by_rows(group, args, tile, area);
#else
    find_flat(group, args, tile, area);
#endif
    VX_SYNC(group);
    VX_FOR2 (group, r, c, area.y1 - area.y0 + 2 * kReach, kMask.width) {
        int sum = 0;
        VX_UNROLL
        for (int k = 0; k < kCambiFlatSide; ++k)
            sum += tile.flat[r][c + k];
        tile.across[r][c] = static_cast<uint8_t>(sum);
    }
    VX_SYNC(group);
    const int threshold = args.threshold;
    for (int r = 0; r < area.y1 - area.y0; ++r) {
        uint8_t *VX_RESTRICT const out = row(args.mask, args.width, area.y0 + r) + area.x0;
        VX_FOR (group, c, area.x1 - area.x0) {
            int sum = 0;
            VX_UNROLL
            for (int k = 0; k < kCambiFlatSide; ++k)
                sum += tile.across[r + k][c];
            out[c] = sum > threshold;
        }
    }
}

/* ---- scales ---------------------------------------------------------------------------------- */

struct ScaleTile {
    uint16_t across[kScale.height + 2][kScale.width]; /* filtered along the rows */
};

/** The value that occurs twice, else the smallest. */
VX_INLINE uint16_t mode(uint16_t a, uint16_t b, uint16_t c)
{
    uint16_t found = a < b ? a : b;
    found = found < c ? found : c;
    found = b == c ? b : found;
    found = a == b ? a : found;
    return a == c ? a : found;
}

VX_INLINE uint16_t bin_of(const CambiScaleArgs &args, uint16_t value, uint8_t counted)
{
    const bool in = (counted != 0) & (value >= args.low) & (value <= args.high);
    return in ? static_cast<uint16_t>(value - args.low + args.first_bin) : uint16_t{0};
}

VX_INLINE const uint16_t *source_row(const CambiScaleArgs &args, int y)
{
    return row(args.source, args.source_width, y * args.step);
}

/** The first column and the last one are copied. kStep: args.step as a constant, or 0. */
template <int kStep>
VX_INLINE void filter_across(const vx::Group &group, const CambiScaleArgs &args, ScaleTile &tile,
                             const Area &area, int y)
{
    const uint16_t *const in = source_row(args, y);
    uint16_t *VX_RESTRICT const out = tile.across[y - area.y0 + 1];
    const int step = kStep > 0 ? kStep : args.step;
    const int first = larger(area.x0, 1), last = smaller(area.x1, args.width - 1);
    VX_FOR (group, i, last - first) {
        const uint16_t *const at = in + (first + i) * step;
        out[first - area.x0 + i] = mode(at[-step], at[0], at[step]);
    }
    VX_FOR (group, i, static_cast<int>(area.x0 == 0)) {
        out[i] = in[i];
    }
    VX_FOR (group, i, static_cast<int>(area.x1 == args.width)) {
        out[args.width - 1 - area.x0 + i] = in[(args.width - 1 + i) * step];
    }
}

/** The first row and the last one are copied as they were. */
VX_INLINE void filter_down(const vx::Group &group, const CambiScaleArgs &args, ScaleTile &tile,
                           const Area &area, int y)
{
    uint16_t *VX_RESTRICT const out = row(args.codes, args.width, y) + area.x0;
    const int count = area.x1 - area.x0;
    if (y == 0 || y == args.height - 1) {
        const uint16_t *const in = source_row(args, y) + area.x0 * args.step;
        const int step = args.step;
        VX_FOR (group, x, count) {
            out[x] = in[x * step];
        }
        return;
    }
    const int r = y - area.y0;
    VX_FOR (group, x, count) {
        out[x] = mode(tile.across[r][x], tile.across[r + 1][x], tile.across[r + 2][x]);
    }
}

template <int kStep>
VX_INLINE void filter_rows_across(const vx::Group &group, const CambiScaleArgs &args,
                                  ScaleTile &tile, const Area &area)
{
    for (int y = larger(area.y0 - 1, 0); y < smaller(area.y1 + 1, args.height); ++y)
        filter_across<kStep>(group, args, tile, area, y);
}

#if VX_CPU_TILES

/** bin_of() of a row, in 16 bits. kStep as below. */
template <int kStep>
VX_INLINE void bins_of_row(const vx::Group &group, const CambiScaleArgs &args, const uint16_t *in,
                           const uint8_t *mask, uint16_t *VX_RESTRICT out, int count)
{
    const int step = kStep > 0 ? kStep : args.mask_step;
    const auto low = static_cast<uint16_t>(args.low), high = static_cast<uint16_t>(args.high);
    const auto shift = static_cast<uint16_t>(args.first_bin - args.low);
    VX_FOR (group, x, count) {
        const uint16_t value = in[x];
        const bool counted = (mask[x * step] != 0) & (value >= low) & (value <= high);
        const uint16_t bin = static_cast<uint16_t>(value + shift);
        out[x] = counted ? bin : uint16_t{0};
    }
}

#endif

/** kStep: args.mask_step as a constant, or 0. */
template <int kStep>
VX_INLINE void store_bins(const vx::Group &group, const CambiScaleArgs &args, const Area &area)
{
    [[maybe_unused]] const int step = kStep > 0 ? kStep : args.mask_step;
    for (int y = area.y0; y < area.y1; ++y) {
        const uint16_t *const in = row(args.codes, args.width, y) + area.x0;
        const uint8_t *const mask =
            row(args.mask, args.mask_width, y * args.mask_step) + area.x0 * args.mask_step;
        uint16_t *VX_RESTRICT const out = row(args.bins, args.width, y) + area.x0;
#if VX_CPU_TILES
        bins_of_row<kStep>(group, args, in, mask, out, area.x1 - area.x0);
#else
        VX_FOR (group, x, area.x1 - area.x0) {
            out[x] = bin_of(args, in[x], mask[x * step]);
        }
#endif
    }
}

VX_INLINE void scale(const vx::Group &group, const CambiScaleArgs &args, ScaleTile &tile)
{
    const Area area = area_of(group, kScale, args.width, args.height);
#if VX_CPU_TILES
    /* With a step that is known the loops are vectors. */
    if (args.step == 1)
        filter_rows_across<1>(group, args, tile, area);
    else
        filter_rows_across<2>(group, args, tile, area);
#else
    filter_rows_across<0>(group, args, tile, area);
#endif
    VX_SYNC(group);
    for (int y = area.y0; y < area.y1; ++y)
        filter_down(group, args, tile, area, y);
    VX_SYNC(group);
#if VX_CPU_TILES
    if (args.mask_step == 1)
        return store_bins<1>(group, args, area);
    if (args.mask_step == 2)
        return store_bins<2>(group, args, area);
#endif
    store_bins<0>(group, args, area);
}

} // namespace cambi_prepare_kernels

VX_KERNEL(cambi_excess_16, CambiExcessArgs, vx::Sums<1>, kCambiThreads)
{
    const cambi_prepare_kernels::Area area = cambi_prepare_kernels::area_of(
        group, cambi_prepare_kernels::kRows, args.width, args.height);
    vx::sums_clear(group, tile);
    int64_t sum = 0;
    for (int y = area.y0; y < area.y1; ++y) {
        const auto *const in = vx::row_of<uint16_t>(args.picture, args.pitch, y) + area.x0;
        VX_FOR (group, x, area.x1 - area.x0) {
            sum += in[x] > args.limit;
        }
    }
    vx::sums_add(group, tile, 0, sum);
    vx::sums_store(group, tile, args.excess);
}

VX_KERNEL(cambi_prepare_8, CambiPrepareArgs, vx::NoTile, kCambiThreads)
{
    cambi_prepare_kernels::prepare<uint8_t>(group, args);
}

VX_KERNEL(cambi_prepare_16, CambiPrepareArgs, vx::NoTile, kCambiThreads)
{
    cambi_prepare_kernels::prepare<uint16_t>(group, args);
}

VX_KERNEL(cambi_mask, CambiMaskArgs, cambi_prepare_kernels::MaskTile, kCambiThreads)
{
    cambi_prepare_kernels::mask(group, args, tile);
}

VX_KERNEL(cambi_scale, CambiScaleArgs, cambi_prepare_kernels::ScaleTile, kCambiThreads)
{
    cambi_prepare_kernels::scale(group, args, tile);
}
