/* SPDX-License-Identifier: BSD-2-Clause
 *
 * An ordered sum (ordered_sum.h) by all threads of a work-group, with the same bits.
 *
 * As long as a sum stays in one binade [2^e, 2^(e+1)), its values are whole numbers of units in the
 * last place, and adding x moves it by x rounded to whole units: by the same amount wherever in the
 * binade it is. Only if x lies just between two whole numbers does it depend on the sum: on whether
 * it is even. So each thread adds up a run of values twice, starting at an even and at an odd
 * number in the middle of the binade, and what both have grown by tells how the true sum grows. If
 * the two agree in all runs of a block, the growths are whole numbers that can be added up in any
 * order.
 *
 * One thread makes sure of that, and else goes from run to run: by the growth that fits, or, where
 * the sum may leave its binade, value by value.
 */
#ifndef VMAFX_KERNELS_ORDERED_RUNS_H
#define VMAFX_KERNELS_ORDERED_RUNS_H

#include "kernels/float_bits.h"
#include "kernels/kernel.h"

namespace vx
{

constexpr int kRuns = 512;         /* of a block, one for each thread */
constexpr int kRunValues = 8;      /* of a run */
constexpr int kRunBits = 3;        /* their logarithm */
constexpr int kBlockBits = 12;     /* of all values of a block */
constexpr int kRunParts = 32;      /* of a block's runs, added up on their own */
constexpr int kLingeringRuns = 16; /* added value by value after the sum has left its binade */
constexpr int kBlockValues = kRuns * kRunValues;

/* What is noted of values: the largest exponent, 0 if all are zero, and two flags. */
constexpr uint32_t kNoteExponent = 0xfff, kNoteNegative = 0x1000, kNoteTie = 0x2000;

template <class Acc> struct OrderedRuns {
    Acc even[kRuns], odd[kRuns]; /* growth of an even and of an odd sum */
    uint32_t note[kRuns];
    Acc part[kRunParts];
    uint32_t part_note[kRunParts];
    Acc sum;
    int64_t at;   /* where the block starts */
    int32_t from; /* first run of the block that is not in the sum */
};

VX_INLINE uint32_t noted_together(uint32_t a, uint32_t b)
{
    const uint32_t x = a & kNoteExponent, y = b & kNoteExponent;
    return (x > y ? x : y) | ((a | b) & ~kNoteExponent);
}

/** Where a sum is; values count as if it were positive. */
template <class Acc> struct Binade {
    FloatWord<Acc> flip; /* the sum's sign */
    int exponent;        /* of the sum, biased */
    bool usable;         /* it is neither zero, denormal, infinite nor NaN */
    Acc even, odd;       /* in the middle */
    Acc low, high;       /* limits */
};

template <class Acc> VX_INLINE Binade<Acc> binade_of(Acc sum)
{
    const FloatWord<Acc> word = float_bits(sum);
    Binade<Acc> b;
    b.flip = word & kSignBit<Acc>;
    b.exponent = exponent_of<Acc>(word);
    b.usable = b.exponent > 0 && b.exponent < FloatFormat<Acc>::kTop;
    const int e = b.usable ? b.exponent : 1;
    b.low = power_of_two<Acc>(e);
    b.high = power_of_two<Acc>(e + 1);
    const FloatWord<Acc> half = FloatWord<Acc>{1} << (FloatFormat<Acc>::kFraction - 1);
    b.even = float_of_bits<Acc>(float_bits(b.low) | half);
    b.odd = float_of_bits<Acc>(float_bits(b.low) | half | 1);
    return b;
}

VX_INLINE bool all_zero(uint32_t note)
{
    return (note & kNoteExponent) == 0;
}

/** The values noted are together less than a quarter of the binade, if there are 2^bits of them. */
template <class Acc> VX_INLINE bool are_small(const Binade<Acc> &b, uint32_t note, int bits)
{
    return static_cast<int>(note & kNoteExponent) + 1 + bits + 2 <= b.exponent;
}

/** true: no partial sum of the 2^bits values noted leaves the binade; all of them take `sum` (> 0)
 *  to `grown`. */
template <class Acc>
VX_INLINE bool stays_inside(const Binade<Acc> &b, uint32_t note, int bits, Acc sum, Acc grown)
{
    if (!(note & kNoteNegative))
        return grown < b.high;
    if (!are_small(b, note, bits))
        return false;
    /* Twice of what they can be, for what is rounded. */
    const Acc bound = power_of_two<Acc>(static_cast<int>(note & kNoteExponent) + 1 + bits + 1);
    return sum - bound >= b.low && sum + bound < b.high;
}

template <class Acc, class T>
VX_INLINE void grow_run(const Binade<Acc> &b, const T *values, Acc &even, Acc &odd, uint32_t &note)
{
    Acc e = b.even, o = b.odd;
    int largest = 0;
    bool negative = false;
    VX_UNROLL
    for (int k = 0; k < kRunValues; ++k) {
        const FloatWord<Acc> word = float_bits(static_cast<Acc>(values[k])) ^ b.flip;
        const Acc value = float_of_bits<Acc>(word);
        e += value;
        o += value;
        const int exponent = exponent_of<Acc>(word);
        const int least = value != 0 ? 1 : 0; /* also for denormals */
        largest = exponent > largest ? exponent : largest;
        largest = least > largest ? least : largest;
        negative = negative || value < 0;
    }
    even = e - b.even;
    odd = o - b.odd;
    note = static_cast<uint32_t>(largest) | (negative ? kNoteNegative : 0) |
           (even == odd ? 0 : kNoteTie);
}

/** Values of the run that starts at `first`, zero beyond the end. */
template <class T> VX_INLINE void load_run(const T *map, int64_t count, int64_t first, T *values)
{
    if (first + kRunValues <= count) {
        VX_UNROLL
        for (int k = 0; k < kRunValues; ++k)
            values[k] = map[first + k];
        return;
    }
    VX_UNROLL
    for (int k = 0; k < kRunValues; ++k)
        values[k] = first + k < count ? map[first + k] : T{0};
}

/** Adds up the parts; true if the whole block could be taken at once. */
template <class Acc> VX_INLINE bool take_block(const Binade<Acc> &b, OrderedRuns<Acc> &tile)
{
    Acc total = 0;
    uint32_t note = 0;
    VX_UNROLL
    for (int k = 0; k < kRunParts; ++k) {
        total += tile.part[k];
        note = noted_together(note, tile.part_note[k]);
    }
    if (all_zero(note))
        return true;
    const Acc sum = float_of_bits<Acc>(float_bits(tile.sum) ^ b.flip);
    if (!b.usable || (note & kNoteTie) || !are_small(b, note, kRunBits) ||
        !stays_inside(b, note, kBlockBits, sum, sum + total))
        return false;
    tile.sum = float_of_bits<Acc>(float_bits(sum + total) ^ b.flip);
    return true;
}

/** Run by run. Stops a little after the sum has left its binade. */
template <class Acc, class T>
VX_INLINE void take_runs(const Binade<Acc> &b, OrderedRuns<Acc> &tile, const T *map, int64_t count)
{
    Acc sum = tile.sum;
    int run = tile.from;
    /* From infinity or NaN there is hardly a way back. */
    int lingering = b.usable ? 0 : b.exponent == FloatFormat<Acc>::kTop ? kRuns : kLingeringRuns;
    while (run < kRuns) {
        const uint32_t note = tile.note[run];
        if (all_zero(note)) {
            ++run;
            continue;
        }
        if (lingering == 0 && are_small(b, note, kRunBits)) {
            const Acc positive = float_of_bits<Acc>(float_bits(sum) ^ b.flip);
            const Acc grown = positive + (float_bits(sum) & 1 ? tile.odd[run] : tile.even[run]);
            if (stays_inside(b, note, kRunBits, positive, grown)) {
                sum = float_of_bits<Acc>(float_bits(grown) ^ b.flip);
                ++run;
                continue;
            }
        }
        const int64_t first = tile.at + int64_t{run} * kRunValues;
        const int64_t left = count - first;
        const int values = left < kRunValues ? static_cast<int>(left) : kRunValues;
        for (int k = 0; k < values; ++k)
            sum += static_cast<Acc>(map[first + k]);
        ++run;
        if (lingering > 0 && --lingering == 0)
            break;
        const FloatWord<Acc> word = float_bits(sum);
        if (lingering == 0 &&
            (exponent_of<Acc>(word) != b.exponent || (word & kSignBit<Acc>) != b.flip))
            lingering = kLingeringRuns;
    }
    tile.sum = sum;
    tile.from = run;
}

/** As ordered_sum(); the work-group has kRuns threads. */
template <class Acc, class T, class Done>
VX_INLINE void ordered_runs(const Group &group, OrderedRuns<Acc> &tile, Acc start, const T *map,
                            int64_t count, const Done &done)
{
    VX_FOR (group, only, 1) {
        tile.sum = start;
        tile.at = 0;
        tile.from = 0;
    }
#if VX_GPU
    T now[kRunValues], ahead[kRunValues]; /* the thread's run of this block and of the next one */
    int64_t now_at = 0;
    load_run(map, count, int64_t{group.thread} * kRunValues, now);
    load_run(map, count, kBlockValues + int64_t{group.thread} * kRunValues, ahead);
#endif
    VX_SYNC(group);
    while (tile.at < count) {
        const int64_t at = tile.at;
        const int from = tile.from;
        const Binade<Acc> b = binade_of(tile.sum);
#if VX_GPU
        if (at != now_at) {
            now_at = at;
            VX_UNROLL
            for (int k = 0; k < kRunValues; ++k)
                now[k] = ahead[k];
            load_run(map, count, at + kBlockValues + int64_t{group.thread} * kRunValues, ahead);
        }
#endif
        VX_FOR (group, run, kRuns) {
#if !VX_GPU
            T now[kRunValues];
            load_run(map, count, at + int64_t{run} * kRunValues, now);
#endif
            Acc even, odd;
            uint32_t note;
            grow_run(b, now, even, odd, note);
            tile.even[run] = run < from ? 0 : even;
            tile.odd[run] = run < from ? 0 : odd;
            tile.note[run] = run < from ? 0 : note;
        }
        VX_SYNC(group);
        VX_FOR (group, part, kRunParts) {
            Acc sum = 0;
            uint32_t note = 0;
            VX_UNROLL
            for (int k = 0; k < kRuns / kRunParts; ++k) {
                sum += tile.even[k * kRunParts + part];
                note = noted_together(note, tile.note[k * kRunParts + part]);
            }
            tile.part[part] = sum;
            tile.part_note[part] = note;
        }
        VX_SYNC(group);
        VX_FOR (group, only, 1) {
            if (take_block(b, tile))
                tile.from = kRuns;
            else
                take_runs(b, tile, map, count);
            if (tile.from == kRuns) {
                tile.at = at + kBlockValues;
                tile.from = 0;
            }
        }
        VX_SYNC(group);
    }
    VX_FOR (group, only, 1) {
        done(tile.sum);
    }
}

} // namespace vx

#endif
