/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The sum of the K largest contrasts of a plane, exactly. The K-th largest is found by its key's
 * digits, highest first: cambi_count counts the values of a digit among the contrasts whose higher
 * digits are those found so far, cambi_pick takes the value at which K is reached. What is above
 * it for certain is added up on the way.
 */
#include "features/cambi/cambi_kernels.h"

#include "kernels/kernel.h"
#include "kernels/lanes.h"

namespace cambi_select_kernels
{

constexpr int kChunk = VX_CPU_TILES ? kCambiCpuCount : kCambiGpuCount;

struct Tile {
    vx::Sums<1> sums;
    uint32_t counts[kCambiDigitValues];
};

using vx::smaller;

/** Bits of a key below a digit. */
VX_INLINE int shift_of(int digit)
{
    return (kCambiDigits - 1 - digit) * kCambiDigitBits;
}

/** Of a contrast that is not 0. Where commands were lost it may be anything. */
VX_INLINE uint32_t key_of(uint32_t bits)
{
    return (bits - kCambiKeyOffset) & ((1u << kCambiDigits * kCambiDigitBits) - 1);
}

/** The contrast with this key in units of the sum. */
VX_INLINE uint64_t units_of(uint32_t key)
{
    constexpr uint32_t kFraction = 1u << 23;
    return static_cast<uint64_t>(kFraction | (key & (kFraction - 1))) << (key >> 23);
}

/** What a phase over the contrasts needs. */
struct Search {
    uint32_t prefix, above; /* digits found so far, without the last one */
    int shift;
    bool first;
};

VX_INLINE Search search_of(const CambiSelectArgs &args, const vx::Group &group)
{
    const uint32_t prefix = args.digit == 0 ? 0 : args.selection[group.z].prefix;
    return {prefix, prefix >> kCambiDigitBits, shift_of(args.digit), args.digit == 0};
}

#if VX_CPU_TILES
VX_INLINE void count_value(uint32_t *counts, uint32_t value)
{
    ++counts[value];
}
#else
VX_INLINE void count_value(uint32_t *counts, uint32_t value)
{
    vx::add_in_tile(counts + value, 1);
}
#endif

/** Counts a contrast if it has the prefix; gives its units if it is above the prefix and was not
 *  added up before. */
VX_INLINE uint64_t take(const Search &search, Tile &tile, float contrast)
{
    const uint32_t bits = __builtin_bit_cast(uint32_t, contrast);
    if (bits == 0)
        return 0;
    const uint32_t key = key_of(bits);
    const uint32_t digits = key >> search.shift;
    const uint32_t higher = digits >> kCambiDigitBits;
    if (higher == search.prefix) {
        count_value(tile.counts, digits & (kCambiDigitValues - 1));
        return 0;
    }
    const bool open = !search.first && higher >> kCambiDigitBits == search.above;
    return open && higher > search.prefix ? units_of(key) : 0;
}

#if VX_CPU_TILES

constexpr int kBlock = 16;

/** take() of kBlock contrasts. Most planes have long rows of zeros, and of the lower digits few
 *  contrasts are counted. */
VX_INLINE uint64_t take_block(const Search &search, Tile &tile, const float *contrast)
{
    vx::U32 some = vx::splat(0);
    for (int i = 0; i < kBlock; i += vx::kLanes)
        some |= vx::bits_of(vx::load(contrast + i));
    if (!vx::any(some))
        return 0;
    uint32_t bits[kBlock];
    __builtin_memcpy(bits, contrast, sizeof(bits));
    uint64_t sum = 0;
    if (!search.first) {
        uint32_t counted = 0;
        VX_INDEPENDENT
        for (int i = 0; i < kBlock; ++i) {
            const uint32_t key = key_of(bits[i]);
            const uint32_t higher = (key >> search.shift) >> kCambiDigitBits;
            const bool is_some = bits[i] != 0;
            counted |= is_some & (higher == search.prefix);
            const bool above =
                is_some & (higher > search.prefix) & (higher >> kCambiDigitBits == search.above);
            sum += above ? units_of(key) : 0;
        }
        if (counted == 0)
            return sum;
        sum = 0;
    }
    for (int i = 0; i < kBlock; ++i)
        sum += take(search, tile, contrast[i]);
    return sum;
}

#endif

VX_INLINE void count(const vx::Group &group, const CambiSelectArgs &args, Tile &tile)
{
    const CambiSelectPlane &plane = args.plane[group.z];
    const int64_t begin = static_cast<int64_t>(group.x) * kChunk;
    if (begin >= plane.samples)
        return;
    const int samples = smaller(kChunk, static_cast<int>(plane.samples - begin));
    const float *const contrast = plane.contrast + begin;
    const Search search = search_of(args, group);
    VX_FOR (group, i, kCambiDigitValues) {
        tile.counts[i] = 0;
    }
    vx::sums_clear(group, tile.sums);
    uint64_t sum = 0;
#if VX_CPU_TILES
    int done = 0;
    for (; done + kBlock <= samples; done += kBlock)
        sum += take_block(search, tile, contrast + done);
    for (; done < samples; ++done)
        sum += take(search, tile, contrast[done]);
#else
    VX_FOR (group, i, samples) {
        sum += take(search, tile, contrast[i]);
    }
#endif
    vx::sums_add(group, tile.sums, 0, static_cast<int64_t>(sum));
    vx::sums_store(group, tile.sums, args.sums + group.z);
    uint32_t *const counts = args.selection[group.z].counts[args.digit];
    VX_FOR (group, i, kCambiDigitValues) {
        if (tile.counts[i] != 0)
            vx::atomic_add(counts + i, tile.counts[i]);
    }
}

VX_INLINE void pick(const CambiSelectArgs &args, const uint32_t *counts, CambiSelection &selection,
                    uint64_t *sum, int wanted)
{
    const bool last = args.digit == kCambiDigits - 1;
    const uint32_t prefix = args.digit == 0 ? 0 : selection.prefix << kCambiDigitBits;
    uint32_t remaining = args.digit == 0 ? static_cast<uint32_t>(wanted) : selection.remaining;
    uint64_t units = 0;
    uint32_t value = kCambiDigitValues - 1;
    for (; value > 0 && counts[value] < remaining; --value) {
        remaining -= counts[value];
        units += last ? counts[value] * units_of(prefix | value) : 0;
    }
    /* Zeros, which nobody counts, make up what is still missing at the lowest value. */
    const uint32_t rest = counts[value] < remaining ? counts[value] : remaining;
    units += last ? rest * units_of(prefix | value) : 0;
    selection.prefix = prefix | value;
    selection.remaining = remaining;
    *sum += units;
}

} // namespace cambi_select_kernels

VX_KERNEL(cambi_count, CambiSelectArgs, cambi_select_kernels::Tile, kCambiThreads)
{
    cambi_select_kernels::count(group, args, tile);
}

VX_KERNEL(cambi_pick, CambiSelectArgs, cambi_select_kernels::Tile, kCambiThreads)
{
    CambiSelection &selection = args.selection[group.z];
    VX_FOR (group, i, kCambiDigitValues) {
        tile.counts[i] = selection.counts[args.digit][i];
    }
    VX_SYNC(group);
    VX_FOR (group, i, 1) {
        (void)i;
        cambi_select_kernels::pick(args, tile.counts, selection, args.sums + group.z,
                                   args.plane[group.z].wanted);
    }
}
