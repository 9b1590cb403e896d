/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ADM's and AIM's numerators: decouple, weight, mask, and sum up by rows; with them, the
 * reference's cubes. A tile walks down a strip of columns; a row is masked once the weights of the
 * one below it are known.
 */
#include "features/adm/adm_arithmetic.h"
#include "features/adm/adm_kernels.h"

#include "kernels/items.h"
#include "kernels/kernel.h"
#include "kernels/lanes.h"

namespace adm_mask_kernels
{

constexpr AdmMaskShape kShape = VX_CPU_TILES ? kAdmMaskCpuShape : kAdmMaskGpuShape;
constexpr int kItems = kShape.columns;

template <int kGains> struct Tile {
    /* Neighbour weights of the newest row, from 32, for the restored and the additive part. */
    alignas(64) int32_t line[kGains][2][kItems + 64];
    vx::Shares<kGains * kAdmSums + kAdmDenSums, kAdmThreads> shares;
    uint64_t sums[kShape.rows][kGains * kAdmSums + kAdmDenSums];
};

using Row = vx::Items<int32_t, kItems>;

/** One role: the restored or the additive part, as signal and as mask. */
struct Role {
    vx::Delayed<int32_t, kItems> x[3];   /* |signal| of h, v, d */
    vx::Delayed<int32_t, kItems> centre; /* the centre's own weights, less those as a neighbour */
    Row around;                          /* the newest row's weights */
    Row across;                          /* ... summed over three columns */
    Row two_rows;                        /* ... and those of the row before it with them */
    Row threshold;                       /* of the row before, less the centre's */
};

template <int kGains> struct State {
    Role role[kGains][2];
    Row flag;
};

using vx::smaller;

/** Weights' own border rule. */
VX_INLINE int border(int i, int n)
{
    return i < 0 ? 1 : i >= n ? n - 1 : i;
}

struct Strip {
    int x;          /* column of item 0, one before the strip */
    int count;      /* columns of the strip */
    int columns;    /* items */
    int last;       /* column that the transform has written details of */
    uint32_t pitch; /* elements of a row */
};

/* Where items of row y find their samples. Vectors of a CPU run on beside the picture, where nobody
 * looks at what they find; a thread of a GPU repeats the last column instead, and has one index for
 * all bands. */
#if VX_GPU
VX_INLINE uint32_t place(const Strip &strip, int y, int i)
{
    const int x = strip.x + i;
    return static_cast<uint32_t>(y) * strip.pitch + static_cast<uint32_t>(x < 0 ? 0
                                                                          : x > strip.last
                                                                              ? strip.last
                                                                              : x);
}
#else
VX_INLINE int64_t place(const Strip &strip, int y, int i)
{
    return static_cast<int64_t>(y) * strip.pitch + strip.x + i;
}
#endif

VX_INLINE bool inside(const Strip &strip, int i)
{
    return static_cast<uint32_t>(i) - 1 < static_cast<uint32_t>(strip.count);
}

template <class Value, bool kDiagonal> VX_INLINE adm::Weighted weigh(int32_t value, uint32_t factor)
{
    if constexpr (sizeof(Value) == 2)
        return adm::weigh0<kDiagonal>(value, factor);
    else
        return adm::weigh(value, factor);
}

struct Gains {
    uint32_t whole[2], most[2]; /* most: the largest value that a gain keeps within 31 bits */
    double real;
};

template <class Value, int kGain, bool kReal>
VX_INLINE uint32_t limit(adm::Restored v, const Gains &gains)
{
    if constexpr (kReal)
        return adm::limit_real(v, gains.real);
    else if constexpr (sizeof(Value) == 2)
        return adm::limit_whole0(v, gains.whole[kGain]);
    else
        return adm::limit_whole(v, gains.whole[kGain], gains.most[kGain]);
}

/** Where a row's weighted coefficients of one band and role go. */
struct RoleViews {
    vx::ItemView<int32_t> x, around, centre;
};

VX_INLINE RoleViews views_of(Role &role, int band)
{
    return {role.x[band].newest(), role.around.view(), role.centre.newest()};
}

template <int kBand>
VX_INLINE void note(const RoleViews &role, int i, const adm::Weighted &weighted)
{
    role.x[i] = static_cast<int32_t>(weighted.x);
    role.around[i] = kBand == 0 ? weighted.around : role.around[i] + weighted.around;
    role.centre[i] = kBand == 0 ? weighted.centre : role.centre[i] + weighted.centre;
}

#if VX_WIDE

/** Bits 28 to 59 of v * factor + 2^27. */
VX_INLINE vx::U32 scaled(vx::U32 v, uint32_t factor)
{
    const vx::I32 by = (vx::I32)vx::splat(factor);
    constexpr int64_t kHalf = 1 << 27;
    const vx::U64 even = (vx::U64)(vx::multiply_even((vx::I32)v, by) + kHalf);
    const vx::U64 odd = (vx::U64)(vx::multiply_even((vx::I32)((vx::U64)v >> 32), by) + kHalf);
    return (vx::U32)(((even >> 28) & 0xffffffffu) | ((odd << 4) & ~UINT64_C(0xffffffff)));
}

/** adm::weigh() of a row of values, which lie where x goes, and note(). */
template <int kBand> VX_INLINE void weigh_row(const RoleViews &role, uint32_t factor, int count)
{
    const uint32_t negative = static_cast<uint32_t>(static_cast<int32_t>(factor) >> 31);
    for (int i = 0; i < count; i += vx::kLanes) {
        const vx::U32 value = vx::load(role.x + i);
        const vx::I32 c = (vx::I32)(scaled(value, factor) + ((value << 4) & negative));
        const vx::U32 x = (vx::U32)((c ^ (c >> 31)) - (c >> 31));
        vx::U32 around = vx::multiply_rounded_high(x, vx::splat(adm::kThirtieth)) - 1;
        vx::U32 centre = vx::multiply_rounded_high(x, vx::splat(adm::kFifteenth)) - 1 - around;
        vx::store(role.x + i, x);
        if constexpr (kBand > 0) {
            around += vx::load(role.around + i);
            centre += vx::load(role.centre + i);
        }
        vx::store(role.around + i, around);
        vx::store(role.centre + i, centre);
    }
}

/* Compilers do not find the 32-bit products of these. */
template <class Value> constexpr bool kWeighsLater = sizeof(Value) == 4;
#else
template <class Value> constexpr bool kWeighsLater = false;
#endif

template <class Value, int kBand>
VX_INLINE void weigh_item(const RoleViews &role, int i, int32_t value, uint32_t factor)
{
    if constexpr (kWeighsLater<Value>)
        role.x[i] = value;
    else
        note<kBand>(role, i, weigh < Value, kBand == 2 > (value, factor));
}

/** Decouples and weighs band kBand of a row, for every gain and both roles. */
template <class Value, int kBand, int kGains, bool kReal>
VX_INLINE void weigh_band(const AdmMaskScale &scale, State<kGains> &state, const vx::Group &group,
                          const Strip &strip, int y, const Gains &gains)
{
    const Value *VX_RESTRICT reference = static_cast<const Value *>(scale.reference[kBand]);
    const Value *VX_RESTRICT distorted = static_cast<const Value *>(scale.distorted[kBand]);
    const uint32_t factor = scale.factor[kBand == 2];
    const auto flag = state.flag.view();
    const RoleViews restored0 = views_of(state.role[0][0], kBand);
    const RoleViews additive0 = views_of(state.role[0][1], kBand);
    const RoleViews restored1 = views_of(state.role[kGains - 1][0], kBand);
    const RoleViews additive1 = views_of(state.role[kGains - 1][1], kBand);
    VX_ITEMS(group, i, strip.columns)
    {
        const auto at = place(strip, y, i);
        const Value o = reference[at];
        const Value t = distorted[at];
        const adm::Restored v = adm::restore(o, t);
        const uint32_t limited0 = limit<Value, 0, kReal>(v, gains);
        const int32_t r0 = adm::with_sign_of(flag[i] ? limited0 : v.r, o);
        weigh_item<Value, kBand>(restored0, i, r0, factor);
        weigh_item<Value, kBand>(additive0, i, t - r0, factor);
        if constexpr (kGains == 2) {
            const uint32_t limited1 = limit<Value, 1, kReal>(v, gains);
            const int32_t r1 = adm::with_sign_of(flag[i] ? limited1 : v.r, o);
            weigh_item<Value, kBand>(restored1, i, r1, factor);
            weigh_item<Value, kBand>(additive1, i, t - r1, factor);
        }
    }
#if VX_WIDE
    if constexpr (kWeighsLater<Value>) {
        weigh_row<kBand>(restored0, factor, strip.columns);
        weigh_row<kBand>(additive0, factor, strip.columns);
        if constexpr (kGains == 2) {
            weigh_row<kBand>(restored1, factor, strip.columns);
            weigh_row<kBand>(additive1, factor, strip.columns);
        }
    }
#endif
}

template <class Value>
VX_INLINE void directions(const AdmMaskScale &scale, Row &flag, const vx::Group &group,
                          const Strip &strip, int y)
{
    const Value *VX_RESTRICT oh = static_cast<const Value *>(scale.reference[0]);
    const Value *VX_RESTRICT ov = static_cast<const Value *>(scale.reference[1]);
    const Value *VX_RESTRICT th = static_cast<const Value *>(scale.distorted[0]);
    const Value *VX_RESTRICT tv = static_cast<const Value *>(scale.distorted[1]);
    VX_ITEMS(group, i, strip.columns)
    {
        const auto at = place(strip, y, i);
#if VX_CPU_TILES
        flag[i] = adm::same_direction(oh[at], ov[at], th[at], tv[at]) ? -1 : 0;
#else
        flag[i] = adm::branching_same_direction(oh[at], ov[at], th[at], tv[at]) ? -1 : 0;
#endif
    }
}

/** Lets the items beside see the newest row's weights. */
VX_INLINE void show_weights(const Role &role, int32_t *VX_RESTRICT line, const vx::Group &group,
                            const Strip &strip)
{
    VX_ITEMS(group, i, strip.columns)
    {
        line[32 + i] = role.around[i];
    }
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
        int32_t *line = tile.line[i / 2][i % 2] + 32;
        if (at_left)
            line[0] = line[2];
        if (at_right)
            line[outside] = line[outside - 1];
    }
}

/** Sums neighbour weights over three columns, and over three rows around the one before. */
VX_INLINE void sum_weights(Role &role, const int32_t *VX_RESTRICT line, const vx::Group &group,
                           const Strip &strip)
{
    VX_ITEMS(group, i, strip.columns)
    {
        const int32_t across = line[31 + i] + line[32 + i] + line[33 + i];
        role.threshold[i] = role.two_rows[i] + across;
        role.two_rows[i] = role.across[i] + across;
        role.across[i] = across;
    }
}

#if VX_WIDE

/** All ones in the lanes of items inside. */
VX_INLINE vx::U32 inside(const Strip &strip, vx::I32 i)
{
    return (vx::U32)((vx::U32)i - 1 < vx::splat(static_cast<uint32_t>(strip.count)));
}

/** Cubes of the even lanes, rounded after the square and after the cube as below. The square's low
 *  half is taken as signed. */
VX_INLINE vx::I64 masked_cubes(vx::U32 u, int square_shift, uint32_t shift)
{
    const vx::I32 v = (vx::I32)u;
    const auto square =
        (vx::U64)vx::multiply_even(v, v) + (static_cast<uint64_t>(1) << (square_shift - 1));
    const vx::I64 half = vx::I64{} + (static_cast<int64_t>(1) << (shift - 1));
    return (vx::multiply_even((vx::I32)(square >> square_shift), v) + half) >> shift;
}

#endif

/** The masked signals of the row before the newest one. */
template <class Value, int kGains, int kGain, int kRole>
VX_INLINE void mask_row(const AdmMaskScale &scale, const State<kGains> &state, Tile<kGains> &tile,
                        const vx::Group &group, const Strip &strip)
{
    constexpr bool kScale0 = sizeof(Value) == 2;
    constexpr int kThresholdShift[3] = {kScale0 ? 10 : 0, kScale0 ? 10 : 0, kScale0 ? 12 : 0};
    constexpr int kSquareShift[3] = {kScale0 ? 29 : 30, kScale0 ? 29 : 30, 30};
    const Role &signal = state.role[kGain][kRole];
    const Role &mask = state.role[kGain][1 - kRole];
    const uint32_t shift[3] = {scale.shift, scale.shift, scale.shift + (kScale0 ? 1 : 0)};
    const auto thresholds = mask.threshold.view();
    const auto centre = mask.centre.before();
    const vx::ItemView<const int32_t> x[3] = {signal.x[0].before(), signal.x[1].before(),
                                              signal.x[2].before()};
    int64_t sum[3] = {0, 0, 0};
#if VX_WIDE
    vx::I64 sums[3] = {};
    for (int i = 0; i < strip.columns; i += vx::kLanes) {
        const vx::U32 threshold = vx::load(thresholds + i) + vx::load(centre + i);
        const vx::U32 counts = inside(strip, vx::lane_index() + i);
        VX_UNROLL
        for (int b = 0; b < 3; ++b) {
            const vx::U32 over = vx::load(x[b] + i) - (threshold << kThresholdShift[b]);
            const vx::U32 u = (vx::U32)vx::positive((vx::I32)over) & counts;
            sums[b] += masked_cubes(u, kSquareShift[b], shift[b]) +
                       masked_cubes((vx::U32)((vx::U64)u >> 32), kSquareShift[b], shift[b]);
        }
    }
    for (int b = 0; b < 3; ++b)
        sum[b] = vx::sum_lanes(sums[b]);
#else
    VX_ITEMS(group, i, strip.columns)
    {
        const uint32_t threshold = static_cast<uint32_t>(thresholds[i] + centre[i]);
        const bool counts = inside(strip, i);
        VX_UNROLL
        for (int b = 0; b < 3; ++b) {
            const int32_t over = static_cast<int32_t>(static_cast<uint32_t>(x[b][i]) -
                                                      (threshold << kThresholdShift[b]));
            const int32_t u = counts && over > 0 ? over : 0;
            const int32_t e = static_cast<int32_t>(
                (adm::product(u, u) + (static_cast<int64_t>(1) << (kSquareShift[b] - 1))) >>
                kSquareShift[b]);
            const int64_t half = static_cast<int64_t>(1) << (shift[b] - 1);
            sum[b] += (adm::product(vx::any_value(e), vx::any_value(u)) + half) >> shift[b];
        }
    }
#endif
    for (int b = 0; b < 3; ++b)
        vx::shares_put(group, tile.shares, kGain * kAdmSums + kRole * 3 + b, sum[b]);
}

VX_INLINE uint64_t cube(int16_t o, const AdmMaskScale &)
{
    return adm::cube(o);
}
VX_INLINE uint64_t cube(int32_t o, const AdmMaskScale &scale)
{
    return adm::cube(o, scale.den_square_shift, scale.den_shift);
}

template <class Value, int kGains>
VX_INLINE void cubes_of_row(const AdmMaskScale &scale, Tile<kGains> &tile, const vx::Group &group,
                            const Strip &strip, int y)
{
    for (int b = 0; b < kAdmDenSums; ++b) {
        const Value *VX_RESTRICT o = static_cast<const Value *>(scale.reference[b]);
        uint64_t sum = 0;
        VX_ITEMS(group, i, strip.columns)
        {
            const uint64_t cubed = cube(o[place(strip, y, i)], scale);
            sum += inside(strip, i) ? cubed : 0;
        }
        vx::shares_put(group, tile.shares, kGains * kAdmSums + b, static_cast<int64_t>(sum));
    }
}

template <class Value, int kGains, int kGain>
VX_INLINE void mask_rows(const AdmMaskScale &scale, const State<kGains> &state, Tile<kGains> &tile,
                         const vx::Group &group, const Strip &strip)
{
    mask_row<Value, kGains, kGain, 0>(scale, state, tile, group, strip);
    mask_row<Value, kGains, kGain, 1>(scale, state, tile, group, strip);
}

VX_INLINE void clear(Role &role, const vx::Group &group, const Strip &strip)
{
    VX_ITEMS(group, i, strip.columns)
    {
        role.across[i] = 0;
        role.two_rows[i] = 0;
    }
}

VX_INLINE void advance(Role &role)
{
    role.centre.advance();
    for (int b = 0; b < 3; ++b)
        role.x[b].advance();
}

/** Stores count sums of each row, from the k-th on. */
template <int N>
VX_INLINE void store_sums(const AdmMaskScale &scale, const uint64_t (*sums)[N],
                          const vx::Group &group, uint64_t *VX_RESTRICT out, int k, int count,
                          int across, int first, int rows)
{
    const int height = scale.window.bottom - scale.window.top;
    uint64_t *const to = out + static_cast<uint64_t>(across) * count * height + first;
    VX_FOR (group, i, count * rows) {
        const int sum = i / rows, row = i - sum * rows;
        to[sum * height + row] = sums[row][k + sum];
    }
}

template <class Value, int kGains, bool kReal>
VX_INLINE void body(const AdmMaskScale &scale, const Gains &gains, Tile<kGains> &tile,
                    const vx::Group &group)
{
    const int index = static_cast<int>(group.x) - scale.first_tile;
    const int down = index / scale.strips, right = index - down * scale.strips;
    const int left = scale.window.left + right * scale.strip;
    const int top = scale.window.top + down * scale.rows;
    const int rows = smaller(scale.rows, scale.window.bottom - top);
    const int count = smaller(scale.strip, scale.window.right - left);
    constexpr int kStep = VX_GPU ? 1 : 32; /* of items: vectors of a CPU */
    const Strip strip = {left - 1, count, smaller((count + 2 + kStep - 1) / kStep * kStep, kItems),
                         smaller(scale.width - 1, scale.window.right), scale.pitch};
    const bool cubes = scale.den != nullptr;
    const int sums = kGains * kAdmSums + (cubes ? kAdmDenSums : 0);

    State<kGains> state;
    for (int g = 0; g < kGains; ++g) {
        clear(state.role[g][0], group, strip);
        clear(state.role[g][1], group, strip);
    }
    for (int r = -1; r <= rows; ++r) {
        const int y = border(top + r, scale.height);
        directions<Value>(scale, state.flag, group, strip, y);
        weigh_band<Value, 0, kGains, kReal>(scale, state, group, strip, y, gains);
        weigh_band<Value, 1, kGains, kReal>(scale, state, group, strip, y, gains);
        weigh_band<Value, 2, kGains, kReal>(scale, state, group, strip, y, gains);
        for (int g = 0; g < kGains; ++g) {
            show_weights(state.role[g][0], tile.line[g][0], group, strip);
            show_weights(state.role[g][1], tile.line[g][1], group, strip);
        }
        border_columns(tile, group, strip, scale.width);
        VX_SYNC(group);
        for (int g = 0; g < kGains; ++g) {
            sum_weights(state.role[g][0], tile.line[g][0], group, strip);
            sum_weights(state.role[g][1], tile.line[g][1], group, strip);
        }
        if (r >= 2)
            vx::shares_total(group, tile.shares, tile.sums[r - 2], sums);
        if (r >= 1) {
            mask_rows<Value, kGains, 0>(scale, state, tile, group, strip);
            if constexpr (kGains == 2)
                mask_rows<Value, kGains, 1>(scale, state, tile, group, strip);
            if (cubes)
                cubes_of_row<Value>(scale, tile, group, strip, top + r - 1);
        }
        for (int g = 0; g < kGains; ++g) {
            advance(state.role[g][0]);
            advance(state.role[g][1]);
        }
        VX_SYNC(group);
        if (r >= 1)
            vx::shares_fold(group, tile.shares, sums);
    }
    VX_SYNC(group);
    vx::shares_total(group, tile.shares, tile.sums[rows - 1], sums);
    VX_SYNC(group);
    for (int g = 0; g < kGains; ++g)
        store_sums(scale, tile.sums, group, scale.num[g], g * kAdmSums, kAdmSums, right,
                   top - scale.window.top, rows);
    if (cubes)
        store_sums(scale, tile.sums, group, scale.den, kGains * kAdmSums, kAdmDenSums, right,
                   top - scale.window.top, rows);
}

template <int kGains, bool kReal>
VX_INLINE void body(const AdmMaskArgs &args, Tile<kGains> &tile, const vx::Group &group)
{
    const Gains gains = {{args.whole_gain[0], args.whole_gain[1]},
                         {0x7fffffffu / args.whole_gain[0], 0x7fffffffu / args.whole_gain[1]},
                         args.real_gain};
    const int tile_index = static_cast<int>(group.x);
    if (tile_index < args.scale[1].first_tile)
        return body<int16_t, kGains, kReal>(args.scale[0], gains, tile, group);
    const int scale = tile_index < args.scale[2].first_tile   ? 1
                      : tile_index < args.scale[3].first_tile ? 2
                                                              : 3;
    body<int32_t, kGains, kReal>(args.scale[scale], gains, tile, group);
}

} // namespace adm_mask_kernels

VX_KERNEL(adm_mask, AdmMaskArgs, adm_mask_kernels::Tile<1>, kAdmThreads)
{
    adm_mask_kernels::body<1, false>(args, tile, group);
}

VX_KERNEL(adm_mask_pair, AdmMaskArgs, adm_mask_kernels::Tile<2>, kAdmThreads)
{
    adm_mask_kernels::body<2, false>(args, tile, group);
}

VX_KERNEL(adm_mask_real, AdmMaskArgs, adm_mask_kernels::Tile<1>, kAdmThreads)
{
    adm_mask_kernels::body<1, true>(args, tile, group);
}
