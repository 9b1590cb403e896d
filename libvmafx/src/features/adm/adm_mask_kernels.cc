/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ADM's and AIM's numerators: decouple, weight, mask, and sum up by rows. A tile walks down a strip
 * of columns; a row is masked once the weights of the one below it are known.
 */
#include "features/adm/adm_arithmetic.h"
#include "features/adm/adm_kernels.h"

#include "kernels/kernel.h"

namespace adm_mask_kernels
{

constexpr AdmMaskShape kShape = VX_CPU_TILES ? kAdmMaskCpuShape : kAdmMaskGpuShape;
/* A thread of a GPU may still read the row above while others write the one below. */
constexpr int kSlots = VX_CPU_TILES ? 2 : 3;

struct Row {
    alignas(64) int32_t v[kShape.columns];
};

/** One role: the restored or the additive part, as signal and as mask. */
struct Role {
    Row x[kSlots][3];                              /* |signal| of h, v, d */
    Row centre[kSlots];                            /* sums over h, v, d */
    Row around[3];                                 /* ... over three columns as well */
    alignas(64) int32_t line[kShape.columns + 64]; /* the newest row's neighbour weights, from 32 */
};

template <int kGains> struct Tile {
    Role role[kGains][2];
    Row flag;
    vx::Sums<kShape.rows * kAdmSums> sums[kGains];
};

VX_INLINE int smaller(int a, int b)
{
    return a < b ? a : b;
}

/** Weights' own border rule. */
VX_INLINE int border(int i, int n)
{
    return i < 0 ? 1 : i >= n ? n - 1 : i;
}

template <class Value>
VX_INLINE const Value *band_row(const AdmBands &bands, int band, int y, int x)
{
    return static_cast<const Value *>(bands.first) + band * bands.plane +
           static_cast<int64_t>(y) * bands.pitch + x;
}

struct Strip {
    int x;       /* column of item 0, one before the strip */
    int count;   /* columns of the strip */
    int columns; /* items */
    int last;    /* column of the picture */
};

/** Where item i reads. Vectors of a CPU run on beside the picture, where nobody looks at what they
 * find; a thread of a GPU repeats the picture's border instead. */
VX_INLINE int item(const Strip &strip, int i)
{
#if VX_GPU
    const int x = strip.x + i;
    return (x < 0 ? 0 : x > strip.last ? strip.last : x) - strip.x;
#else
    (void)strip;
    return i;
#endif
}

template <class Value, bool kDiagonal> VX_INLINE adm::Weighted weigh(int32_t value, uint32_t factor)
{
    if constexpr (sizeof(Value) == 2)
        return adm::weigh0<kDiagonal>(value, factor);
    else
        return adm::weigh(value, factor);
}

/** Decouples and weighs band kBand of a row, for every gain and both roles. */
template <class Value, int kBand, int kGains, bool kReal>
VX_INLINE void weigh_band(const AdmMaskArgs &args, Tile<kGains> &tile, const vx::Group &group,
                          const Strip &strip, int y, int slot)
{
    const Value *VX_RESTRICT reference = band_row<Value>(args.reference, 1 + kBand, y, strip.x);
    const Value *VX_RESTRICT distorted = band_row<Value>(args.distorted, 1 + kBand, y, strip.x);
    const int32_t *VX_RESTRICT flag = tile.flag.v;
    constexpr bool kDiagonal = kBand == 2;
    const uint32_t factor = args.factor[kDiagonal];
    const uint32_t gain0 = args.whole_gain[0], most0 = 0x7fffffffu / gain0;
    const uint32_t gain1 = args.whole_gain[1], most1 = 0x7fffffffu / gain1;
    const double real_gain = args.real_gain;
    Role &restored0 = tile.role[0][0], &additive0 = tile.role[0][1];
    Role &restored1 = tile.role[kGains - 1][0], &additive1 = tile.role[kGains - 1][1];
    int32_t *VX_RESTRICT x0 = restored0.x[slot][kBand].v;
    int32_t *VX_RESTRICT x1 = additive0.x[slot][kBand].v;
    int32_t *VX_RESTRICT x2 = restored1.x[slot][kBand].v;
    int32_t *VX_RESTRICT x3 = additive1.x[slot][kBand].v;
    int32_t *VX_RESTRICT line0 = restored0.line + 32;
    int32_t *VX_RESTRICT line1 = additive0.line + 32;
    int32_t *VX_RESTRICT line2 = restored1.line + 32;
    int32_t *VX_RESTRICT line3 = additive1.line + 32;
    int32_t *VX_RESTRICT centre0 = restored0.centre[slot].v;
    int32_t *VX_RESTRICT centre1 = additive0.centre[slot].v;
    int32_t *VX_RESTRICT centre2 = restored1.centre[slot].v;
    int32_t *VX_RESTRICT centre3 = additive1.centre[slot].v;

    VX_FOR (group, i, strip.columns) {
        const int at = item(strip, i);
        const Value o = reference[at];
        const Value t = distorted[at];
        const adm::Restored v = adm::restore(o, t);
        uint32_t limited =
            kReal ? adm::limit_real(v, real_gain) : adm::limit_whole(v, gain0, most0);
        const int32_t r0 = adm::with_sign_of(flag[i] ? limited : v.r, o);
        const adm::Weighted a = weigh<Value, kDiagonal>(r0, factor);
        const adm::Weighted b = weigh<Value, kDiagonal>(t - r0, factor);
        x0[i] = static_cast<int32_t>(a.x);
        x1[i] = static_cast<int32_t>(b.x);
        line0[i] = kBand == 0 ? a.around : line0[i] + a.around;
        line1[i] = kBand == 0 ? b.around : line1[i] + b.around;
        centre0[i] = kBand == 0 ? a.centre : centre0[i] + a.centre;
        centre1[i] = kBand == 0 ? b.centre : centre1[i] + b.centre;
        if (kGains == 2) {
            limited = adm::limit_whole(v, gain1, most1);
            const int32_t r1 = adm::with_sign_of(flag[i] ? limited : v.r, o);
            const adm::Weighted c = weigh<Value, kDiagonal>(r1, factor);
            const adm::Weighted d = weigh<Value, kDiagonal>(t - r1, factor);
            x2[i] = static_cast<int32_t>(c.x);
            x3[i] = static_cast<int32_t>(d.x);
            line2[i] = kBand == 0 ? c.around : line2[i] + c.around;
            line3[i] = kBand == 0 ? d.around : line3[i] + d.around;
            centre2[i] = kBand == 0 ? c.centre : centre2[i] + c.centre;
            centre3[i] = kBand == 0 ? d.centre : centre3[i] + d.centre;
        }
    }
}

template <class Value>
VX_INLINE void directions(const AdmMaskArgs &args, Row &flag, const vx::Group &group,
                          const Strip &strip, int y)
{
    const Value *VX_RESTRICT oh = band_row<Value>(args.reference, 1, y, strip.x);
    const Value *VX_RESTRICT ov = band_row<Value>(args.reference, 2, y, strip.x);
    const Value *VX_RESTRICT th = band_row<Value>(args.distorted, 1, y, strip.x);
    const Value *VX_RESTRICT tv = band_row<Value>(args.distorted, 2, y, strip.x);
    VX_FOR (group, i, strip.columns) {
        const int at = item(strip, i);
        flag.v[i] = adm::same_direction(oh[at], ov[at], th[at], tv[at]) ? -1 : 0;
    }
}

/** Sums neighbour weights over three columns. */
VX_INLINE void across(Role &role, const vx::Group &group, const Strip &strip, int slot)
{
    const int32_t *VX_RESTRICT line = role.line + 32;
    int32_t *VX_RESTRICT sums = role.around[slot].v;
    VX_FOR (group, i, strip.columns) {
        sums[i] = line[i - 1] + line[i] + line[i + 1];
    }
}

/** The masked signals of a row. */
template <class Value, int kGains>
VX_INLINE void mask_row(const AdmMaskArgs &args, Tile<kGains> &tile, const vx::Group &group,
                        const Strip &strip, int gain, int role, int slot, int row)
{
    constexpr bool kScale0 = sizeof(Value) == 2;
    constexpr int kThresholdShift[3] = {kScale0 ? 10 : 0, kScale0 ? 10 : 0, kScale0 ? 12 : 0};
    constexpr int kSquareShift[3] = {kScale0 ? 29 : 30, kScale0 ? 29 : 30, 30};
    const Role &signal = tile.role[gain][role];
    const Role &mask = tile.role[gain][1 - role];
    const int32_t *VX_RESTRICT around0 = mask.around[0].v; /* above, here and below in some order */
    const int32_t *VX_RESTRICT around1 = mask.around[1].v;
    const int32_t *VX_RESTRICT around2 = mask.around[2].v;
    const int32_t *VX_RESTRICT centre = mask.centre[slot].v;
    const int32_t *VX_RESTRICT x0 = signal.x[slot][0].v;
    const int32_t *VX_RESTRICT x1 = signal.x[slot][1].v;
    const int32_t *VX_RESTRICT x2 = signal.x[slot][2].v;
    const uint32_t shift[3] = {args.shift, args.shift, args.shift + (kScale0 ? 1 : 0)};
    const uint32_t count = static_cast<uint32_t>(strip.count);
    int64_t sum[3] = {0, 0, 0};
    VX_FOR (group, i, strip.columns) {
        const uint32_t threshold =
            static_cast<uint32_t>(around0[i] + around1[i] + around2[i] + centre[i]);
        const bool inside = static_cast<uint32_t>(i) - 1 < count;
        const int32_t x[3] = {x0[i], x1[i], x2[i]};
        VX_UNROLL
        for (int b = 0; b < 3; ++b) {
            const int32_t over = static_cast<int32_t>(static_cast<uint32_t>(x[b]) -
                                                      (threshold << kThresholdShift[b]));
            const int32_t u = inside && over > 0 ? over : 0;
            const int32_t e = static_cast<int32_t>(
                (adm::product(u, u) + (static_cast<int64_t>(1) << (kSquareShift[b] - 1))) >>
                kSquareShift[b]);
            const int64_t half = static_cast<int64_t>(1) << (shift[b] - 1);
            sum[b] += (adm::product(e, u) + half) >> shift[b];
        }
    }
    for (int b = 0; b < 3; ++b)
        vx::sums_add(group, tile.sums[gain], row * kAdmSums + role * 3 + b, sum[b]);
}

/** The weights beside the picture, where the strip touches its border. */
template <int kGains>
VX_INLINE void border_columns(Tile<kGains> &tile, const vx::Group &group, const Strip &strip,
                              int width)
{
    const int outside = width - strip.x;
    const bool at_left = strip.x < 0;
    const bool at_right = outside <= strip.count + 1;
    if (!at_left && !at_right)
        return;
    VX_SYNC(group);
    VX_FOR (group, i, kGains * 2) {
        int32_t *line = tile.role[i / 2][i % 2].line + 32;
        if (at_left)
            line[0] = line[2];
        if (at_right)
            line[outside] = line[outside - 1];
    }
}

template <class Value, int kGains, bool kReal>
VX_INLINE void body(const AdmMaskArgs &args, Tile<kGains> &tile, const vx::Group &group)
{
    const int left = args.window.left + static_cast<int>(group.x) * args.strip;
    const int top = args.window.top + static_cast<int>(group.y) * kShape.rows;
    const int rows = smaller(kShape.rows, args.window.bottom - top);
    const int count = smaller(args.strip, args.window.right - left);
    constexpr int kStep = VX_GPU ? 1 : 32; /* of items: vectors of a CPU */
    const Strip strip = {left - 1, count,
                         smaller((count + 2 + kStep - 1) / kStep * kStep, kShape.columns),
                         args.reference.width - 1};
    for (int g = 0; g < kGains; ++g)
        vx::sums_clear(group, tile.sums[g]);

    int slot = 0, line = 0; /* of the newest row */
    for (int r = -1; r <= rows; ++r) {
        const int y = border(top + r, args.reference.height);
        directions<Value>(args, tile.flag, group, strip, y);
        weigh_band<Value, 0, kGains, kReal>(args, tile, group, strip, y, slot);
        weigh_band<Value, 1, kGains, kReal>(args, tile, group, strip, y, slot);
        weigh_band<Value, 2, kGains, kReal>(args, tile, group, strip, y, slot);
        border_columns(tile, group, strip, args.reference.width);
        VX_SYNC(group);
        for (int g = 0; g < kGains; ++g) {
            across(tile.role[g][0], group, strip, line);
            across(tile.role[g][1], group, strip, line);
        }
        VX_SYNC(group);
        if (r >= 1) {
            const int before = slot == 0 ? kSlots - 1 : slot - 1;
            for (int g = 0; g < kGains; ++g) {
                mask_row<Value>(args, tile, group, strip, g, 0, before, r - 1);
                mask_row<Value>(args, tile, group, strip, g, 1, before, r - 1);
            }
        }
        slot = slot == kSlots - 1 ? 0 : slot + 1;
        line = line == 2 ? 0 : line + 1;
    }
    const uint64_t first = static_cast<uint64_t>(top - args.window.top) * kAdmSums;
    for (int g = 0; g < kGains; ++g)
        vx::sums_store(group, tile.sums[g], args.rows[g] + first);
}

} // namespace adm_mask_kernels

VX_KERNEL(adm_mask0, AdmMaskArgs, adm_mask_kernels::Tile<1>, kAdmThreads)
{
    adm_mask_kernels::body<int16_t, 1, false>(args, tile, group);
}

VX_KERNEL(adm_mask0_pair, AdmMaskArgs, adm_mask_kernels::Tile<2>, kAdmThreads)
{
    adm_mask_kernels::body<int16_t, 2, false>(args, tile, group);
}

VX_KERNEL(adm_mask0_real, AdmMaskArgs, adm_mask_kernels::Tile<1>, kAdmThreads)
{
    adm_mask_kernels::body<int16_t, 1, true>(args, tile, group);
}

VX_KERNEL(adm_mask, AdmMaskArgs, adm_mask_kernels::Tile<1>, kAdmThreads)
{
    adm_mask_kernels::body<int32_t, 1, false>(args, tile, group);
}

VX_KERNEL(adm_mask_pair, AdmMaskArgs, adm_mask_kernels::Tile<2>, kAdmThreads)
{
    adm_mask_kernels::body<int32_t, 2, false>(args, tile, group);
}

VX_KERNEL(adm_mask_real, AdmMaskArgs, adm_mask_kernels::Tile<1>, kAdmThreads)
{
    adm_mask_kernels::body<int32_t, 1, true>(args, tile, group);
}
