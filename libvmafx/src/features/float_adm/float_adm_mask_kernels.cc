/* SPDX-License-Identifier: BSD-2-Clause
 *
 * float_adm's maps: decouple, weight, mask. A tile walks down a strip of columns; a row is masked
 * once the weights of the one below it are known.
 */
#include "features/float_adm/float_adm_arithmetic.h"
#include "features/float_adm/float_adm_kernels.h"
#include "kernels/elementary.h"
#include "kernels/kernel.h"

namespace float_adm_mask_kernels
{

using namespace float_adm_kernels;

constexpr FloatAdmShape kShape = VX_CPU_TILES ? kFloatAdmMaskCpuShape : kFloatAdmMaskGpuShape;
constexpr int kBorder = VX_CPU_TILES ? 16 : 1; /* before column 0; only the last is of use */
constexpr int kColumns = kShape.columns + 2 * kBorder;

enum Role { kRestored, kAdditive };

/** A row of one role: h, v, d. */
struct Weights {
    alignas(64) float band[3][kColumns];
};

struct Tile {
    Weights weighted[2][2];               /* slot, role: |CSF * coefficient| */
    Weights shares[3][2];                 /* slot, role: of neighbours in the threshold */
    alignas(64) float enhanced[kColumns]; /* not 0: only the contrast was changed */
};

/** Weights' own border rule. */
VX_INLINE int border(int i, int n)
{
    return i < 0 ? 1 : i >= n ? n - 1 : i;
}

struct Strip {
    int x;          /* of the first column */
    int count;      /* columns */
    int first, end; /* columns whose weights are needed and that are in the picture, from x on */
};

VX_INLINE Strip strip_of(const FloatAdmMaskArgs &args, const vx::Group &group)
{
    Strip s;
    s.x = args.window.left + static_cast<int>(group.x) * kShape.columns;
    s.count = smaller(kShape.columns, args.window.right - s.x);
    s.first = larger(-1, -s.x);
    s.end = smaller(s.count + 1, args.reference.width - s.x);
    return s;
}

VX_INLINE const float *band_row(const FloatAdmBands &bands, int band, int y, int x)
{
    return bands.first + static_cast<uint64_t>(band) * bands.plane +
           static_cast<int64_t>(y) * bands.pitch + x;
}

/** Weights of row y of the bands, as row `row` of the tile. */
VX_INLINE void weigh_row(const FloatAdmMaskArgs &args, Tile &tile, const vx::Group &group,
                         const Strip &strip, int y, int row)
{
    const int x = strip.x + strip.first;
    const int at = kBorder + strip.first;
    const float *VX_RESTRICT oh = band_row(args.reference, 1, y, x);
    const float *VX_RESTRICT ov = band_row(args.reference, 2, y, x);
    const float *VX_RESTRICT th = band_row(args.distorted, 1, y, x);
    const float *VX_RESTRICT tv = band_row(args.distorted, 2, y, x);
    float *VX_RESTRICT enhanced = tile.enhanced;
    VX_FOR (group, i, strip.end - strip.first) {
        enhanced[i] = same_direction(oh[i], ov[i], th[i], tv[i]) ? 1.0f : 0.0f;
    }
    VX_SYNC(group);
    const double gain = args.gain;
    for (int band = 0; band < 3; ++band) {
        const float *VX_RESTRICT reference = band_row(args.reference, 1 + band, y, x);
        const float *VX_RESTRICT distorted = band_row(args.distorted, 1 + band, y, x);
        const float factor = args.factor[band == 2];
        float *VX_RESTRICT r_weighted = tile.weighted[row & 1][kRestored].band[band] + at;
        float *VX_RESTRICT a_weighted = tile.weighted[row & 1][kAdditive].band[band] + at;
        float *VX_RESTRICT r_share = tile.shares[row % 3][kRestored].band[band] + at;
        float *VX_RESTRICT a_share = tile.shares[row % 3][kAdditive].band[band] + at;
        VX_FOR (group, i, strip.end - strip.first) {
            const float t = distorted[i];
            const float r = restored(reference[i], t, enhanced[i] != 0.0f, gain);
            const float weighted_r = magnitude(factor * r);
            const float weighted_a = magnitude(factor * (t - r));
            r_weighted[i] = weighted_r;
            a_weighted[i] = weighted_a;
            r_share[i] = neighbour_share(weighted_r);
            a_share[i] = neighbour_share(weighted_a);
        }
    }
}

/** The columns beside a picture, where the window goes up to its edge. */
VX_INLINE void mirror_shares(const FloatAdmMaskArgs &args, Tile &tile, const vx::Group &group,
                             const Strip &strip, int row)
{
    VX_FOR (group, i, 12) {
        float *shares = tile.shares[row % 3][i & 1].band[(i >> 1) % 3] + kBorder;
        const int column = i < 6 ? -1 : strip.count;
        const int mirrored = border(strip.x + column, args.reference.width) - strip.x;
        if (mirrored != column)
            shares[column] = shares[mirrored];
    }
}

/** A map's value: the cube, or what the power is taken of afterwards. */
template <bool kCube> VX_INLINE float map_value(float x)
{
    return kCube ? x * x * x : x;
}

template <bool kCube> VX_INLINE float visible(float value, float threshold)
{
    const float over = value - threshold;
    return map_value<kCube>(over < 0.0f ? 0.0f : over);
}

/** One role as signal, the other as mask. */
template <bool kCube>
VX_INLINE void mask_row(const FloatAdmMaskArgs &args, const Tile &tile, const vx::Group &group,
                        const Strip &strip, int row, Role signal, float *map)
{
    const Role mask = signal == kRestored ? kAdditive : kRestored;
    const auto &above = tile.shares[(row + 2) % 3][mask].band;
    const auto &beside = tile.shares[row % 3][mask].band;
    const auto &below = tile.shares[(row + 1) % 3][mask].band;
    const auto &centre = tile.weighted[row & 1][mask].band;
    const auto &value = tile.weighted[row & 1][signal].band;
    float *VX_RESTRICT h = map;
    float *VX_RESTRICT v = map + args.map;
    float *VX_RESTRICT d = map + 2 * args.map;
    const bool unmasked = args.unmasked != 0;
    VX_FOR (group, i, strip.count) {
        const int x = kBorder + i;
        float threshold = 0.0f;
        VX_UNROLL
        for (int b = 0; b < 3; ++b) {
            float sum = above[b][x - 1] + above[b][x] + above[b][x + 1] + beside[b][x - 1];
            sum = add_centre(sum, centre[b][x]);
            sum = sum + beside[b][x + 1] + below[b][x - 1] + below[b][x] + below[b][x + 1];
            threshold += sum;
        }
        threshold = unmasked ? 0.0f : threshold;
        h[i] = visible<kCube>(value[0][x], threshold);
        v[i] = visible<kCube>(value[1][x], threshold);
        d[i] = visible<kCube>(value[2][x], threshold);
    }
}

template <bool kCube>
VX_INLINE void denominator_row(const FloatAdmMaskArgs &args, const vx::Group &group,
                               const Strip &strip, int y, float *map)
{
    for (int b = 0; b < 3; ++b) {
        const float *VX_RESTRICT o = band_row(args.reference, 1 + b, y, strip.x);
        float *VX_RESTRICT out = map + static_cast<uint64_t>(b) * args.map;
        const float factor = args.factor[b == 2];
        VX_FOR (group, i, strip.count) {
            out[i] = map_value<kCube>(magnitude(factor * o[i]));
        }
    }
}

/** Row `row` of the tile, of which row 0 is the one above its first. */
VX_INLINE void weigh(const FloatAdmMaskArgs &args, Tile &tile, const vx::Group &group,
                     const Strip &strip, int top, int row)
{
    weigh_row(args, tile, group, strip, border(top + row - 1, args.reference.height), row);
    VX_SYNC(group);
    mirror_shares(args, tile, group, strip, row);
    VX_SYNC(group);
}

template <bool kCube>
VX_INLINE void run(const FloatAdmMaskArgs &args, Tile &tile, const vx::Group &group)
{
    const Strip strip = strip_of(args, group);
    const int top = args.window.top + static_cast<int>(group.y) * kShape.rows;
    const int rows = smaller(kShape.rows, args.window.bottom - top);
    weigh(args, tile, group, strip, top, 0);
    weigh(args, tile, group, strip, top, 1);
    for (int row = 1; row <= rows; ++row) {
        const int y = top + row - 1;
        float *map = args.maps + static_cast<uint64_t>(y - args.window.top) * args.pitch +
                     (strip.x - args.window.left);
        weigh(args, tile, group, strip, top, row + 1);
        mask_row<kCube>(args, tile, group, strip, row, kRestored, map + kFloatAdmNum * args.map);
        mask_row<kCube>(args, tile, group, strip, row, kAdditive, map + kFloatAdmAim * args.map);
        if (args.has_denominator)
            denominator_row<kCube>(args, group, strip, y, map + kFloatAdmDen * args.map);
        VX_SYNC(group);
    }
}

} // namespace float_adm_mask_kernels

VX_KERNEL(float_adm_mask, FloatAdmMaskArgs, float_adm_mask_kernels::Tile, kFloatAdmThreads)
{
    float_adm_mask_kernels::run<true>(args, tile, group);
}

VX_KERNEL(float_adm_mask_plain, FloatAdmMaskArgs, float_adm_mask_kernels::Tile, kFloatAdmThreads)
{
    float_adm_mask_kernels::run<false>(args, tile, group);
}

VX_KERNEL(float_adm_power, FloatAdmPowerArgs, vx::NoTile, kFloatAdmThreads)
{
    using namespace float_adm_kernels;
    const int x = static_cast<int>(group.x) * kFloatAdmPowerColumns;
    float *VX_RESTRICT row =
        args.maps + group.z * args.map + static_cast<uint64_t>(group.y) * args.pitch + x;
    const float exponent = args.exponent;
    VX_FOR (group, i, smaller(kFloatAdmPowerColumns, args.width - x)) {
        row[i] = vx::power(row[i], exponent);
    }
}
