/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The contrast of a code v: over steps d, the largest weight * n(v) * m / (n(v) + m), where n(u)
 * counts the codes u in the window around it and m is the larger of n(v + d) and n(v - d).
 *
 * A tile is a strip of columns. Each column has the histogram of its own window; going down a row,
 * the windows take in the row that enters and drop the one that leaves.
 */
#include "features/cambi/cambi_kernels.h"

#include "kernels/kernel.h"

namespace cambi_contrast_kernels
{

using vx::larger;
using vx::smaller;

VX_INLINE float step_contrast(const float *reciprocals, int weight, int n, int m)
{
    return static_cast<float>(weight * n * m) * reciprocals[n + m];
}

#if VX_CPU_TILES

/* Codes come in runs. To the columns of a strip a run of L codes adds 1, 2, 3, … up to the smaller
 * of L and the window's width, and down again: one pass over L + 2 pad counters. */

constexpr int kRun = 32;  /* counters that are changed together */
constexpr int kTail = 16; /* columns that are computed beyond a run, at most */
/* Runs beside the strip change counters there too, which nobody reads: as far as two windows to its
 * left, and a kRun farther to its right, where the next bin's left side begins. */
constexpr int kFirst = 2 * kCambiMaxPad;
constexpr int kPitch = kFirst + kCambiCpuColumns + kRun;

struct Tile {
    int16_t counts[(kCambiMaxBins + 1) * kPitch];
    float contrast[kCambiCpuColumns + kTail]; /* of a row */
};

/** What does not change within a tile. */
struct Strip {
    const uint16_t *bins;
    int x0, x1;     /* its columns */
    int begin, end; /* those that windows reach */
    int width, pad, count;
};

VX_INLINE int16_t low(int16_t a, int16_t b)
{
    return a < b ? a : b;
}

/** Adds a run to counters, or takes it away: those of the first column whose window it enters, and
 *  on. */
template <int sign> VX_INLINE void change(int16_t *VX_RESTRICT counts, int length, int pad)
{
    const int16_t last = static_cast<int16_t>(length + 2 * pad);
    const int16_t most = static_cast<int16_t>(smaller(length, 2 * pad + 1));
    for (int16_t k = 0; k < last; k = static_cast<int16_t>(k + kRun)) {
        VX_INDEPENDENT
        for (int16_t i = 0; i < kRun; ++i) {
            const int16_t up = static_cast<int16_t>(k + i + 1);
            const int16_t down = static_cast<int16_t>(last - k - i);
            int16_t add = low(low(up, down), most);
            add = add > 0 ? add : int16_t{0};
            counts[k + i] = static_cast<int16_t>(counts[k + i] + sign * add);
        }
    }
}

VX_INLINE int skip_uncounted(const uint16_t *row, int x, int end)
{
    while (x + 4 <= end) {
        uint64_t four;
        __builtin_memcpy(&four, row + x, sizeof(four));
        if (four != 0)
            break;
        x += 4;
    }
    while (x < end && row[x] == 0)
        ++x;
    return x;
}

VX_INLINE int end_of_run(const uint16_t *row, int x, int end)
{
    const uint16_t bin = row[x];
    const uint64_t four_times = bin * UINT64_C(0x0001000100010001);
    for (; x + 4 <= end; x += 4) {
        uint64_t four;
        __builtin_memcpy(&four, row + x, sizeof(four));
        if (four != four_times)
            return x + __builtin_ctzll(four ^ four_times) / 16;
    }
    while (x < end && row[x] == bin)
        ++x;
    return x;
}

template <int sign> VX_INLINE void change_row(const Strip &strip, Tile &tile, int y)
{
    const uint16_t *const row = strip.bins + static_cast<int64_t>(y) * strip.width;
    int x = skip_uncounted(row, strip.begin, strip.end);
    while (x < strip.end) {
        const int bin = row[x], start = x;
        x = end_of_run(row, x, strip.end);
        /* What a lost launch left unwritten may be anything. */
        if (bin < strip.count)
            change<sign>(tile.counts + bin * kPitch + (start - strip.x0 + kFirst - strip.pad),
                         x - start, strip.pad);
        x = skip_uncounted(row, x, strip.end);
    }
}

/** Of one column; steps may be a constant. */
VX_INLINE float contrast_of(const CambiContrastArgs &args, const int16_t *center,
                            const uint8_t *weights, int steps)
{
    const int n = *center;
    float most = 0;
    for (int d = 1; d <= steps; ++d) {
        const int m = larger(center[d * kPitch], center[-d * kPitch]);
        const float value = step_contrast(args.reciprocals, weights[d - 1], n, m);
        most = value > most ? value : most;
    }
    return most;
}

constexpr int kBlock = kTail; /* columns that are computed together */
constexpr int kUsualSteps = 4;

/** Of kBlock columns with one bin. Those beyond the run give anything, but read no memory that is
 *  not theirs. */
VX_INLINE void contrast_of_block(const CambiContrastArgs &args, const int16_t *center,
                                 const uint8_t *weights, float *VX_RESTRICT out)
{
    VX_INDEPENDENT
    for (int i = 0; i < kBlock; ++i) {
        const int n = center[i];
        float most = 0;
        VX_UNROLL
        for (int d = 1; d <= kUsualSteps; ++d) {
            const int m = larger(center[i + d * kPitch], center[i - d * kPitch]);
            const uint32_t sum = static_cast<uint32_t>(n + m);
            const uint32_t at = sum < kCambiWindowSamples ? sum : kCambiWindowSamples;
            const uint32_t product = static_cast<uint32_t>(weights[d - 1]) *
                                     static_cast<uint32_t>(n) * static_cast<uint32_t>(m);
            const float value =
                static_cast<float>(static_cast<int>(product)) * args.reciprocals[at];
            most = value > most ? value : most;
        }
        out[i] = most;
    }
}

VX_INLINE void store_row(const Strip &strip, const CambiContrastArgs &args, Tile &tile, float *out,
                         int y)
{
    constexpr int kShortRun = 3;
    const int steps = args.steps;
    const uint16_t *const row = strip.bins + static_cast<int64_t>(y) * strip.width;
    for (int x = strip.x0; x < strip.x1;) {
        const int end = end_of_run(row, x, strip.x1), bin = row[x];
        float *const to = tile.contrast + (x - strip.x0);
        const int16_t *const center = tile.counts + bin * kPitch + (x - strip.x0 + kFirst);
        const uint8_t *const weights = args.weights + bin * steps;
        if (bin < steps || bin >= strip.count - steps) {
            for (int i = 0; i < end - x; ++i)
                to[i] = 0;
        } else if (steps == kUsualSteps && end - x > kShortRun) {
            for (int i = 0; i < end - x; i += kBlock)
                contrast_of_block(args, center + i, weights, to + i);
        } else {
            for (int i = 0; i < end - x; ++i)
                to[i] = contrast_of(args, center + i, weights, steps);
        }
        x = end;
    }
    __builtin_memcpy(out + strip.x0, tile.contrast,
                     sizeof(float) * static_cast<size_t>(strip.x1 - strip.x0));
}

VX_INLINE void body(const CambiContrastArgs &args, Tile &tile, const vx::Group &group)
{
    const CambiPlane &plane = args.plane[group.z];
    const int x0 = static_cast<int>(group.x) * args.columns;
    const int top = static_cast<int>(group.y) * kCambiCpuRows;
    if (x0 >= plane.width || top >= plane.height)
        return;
    const int bottom = smaller(top + kCambiCpuRows, plane.height);
    Strip strip;
    strip.bins = plane.bins;
    strip.x0 = x0;
    strip.x1 = smaller(x0 + args.columns, plane.width);
    strip.begin = larger(x0 - args.pad, 0);
    strip.end = smaller(strip.x1 + args.pad, plane.width);
    strip.width = plane.width;
    strip.pad = args.pad;
    strip.count = args.bins;

    __builtin_memset(tile.counts, 0, sizeof(int16_t) * kPitch * static_cast<size_t>(args.bins + 1));
    for (int y = larger(top - args.pad, 0); y < smaller(top + args.pad, plane.height); ++y)
        change_row<1>(strip, tile, y);
    for (int y = top; y < bottom; ++y) {
        if (y + args.pad < plane.height)
            change_row<1>(strip, tile, y + args.pad);
        if (y - args.pad - 1 >= 0 && y > top)
            change_row<-1>(strip, tile, y - args.pad - 1);
        float *const out = plane.contrast + static_cast<int64_t>(y) * plane.width;
        store_row(strip, args, tile, out, y);
    }
}

#else

/* Two columns of a strip share a word, so that a counter is changed by one 32-bit addition: column
 * c has the low half of word c of its bin, column c + half the high half. */

constexpr int kSpan = kCambiGpuColumns + 2 * kCambiMaxPad;

struct Tile {
    uint32_t words[kCambiGpuWords];
    uint16_t enter[kSpan]; /* bins of the row that comes into the windows */
    uint16_t leave[kSpan];
};

/** Bins of a row in reach of the strip; 0 beyond the plane. */
VX_INLINE void load_row(const vx::Group &group, const CambiContrastArgs &args, uint16_t *to, int x0,
                        int y)
{
    const CambiPlane &plane = args.plane[group.z];
    const bool in = y >= 0 && y < plane.height;
    const uint16_t *const row = plane.bins + static_cast<int64_t>(in ? y : 0) * plane.width;
    VX_FOR (group, i, args.columns + 2 * args.pad) {
        const int x = x0 - args.pad + i;
        const int bin = in && x >= 0 && x < plane.width ? row[x] : 0;
        /* What a lost launch left unwritten may be anything. */
        to[i] = static_cast<uint16_t>(bin < args.bins ? bin : 0);
    }
}

VX_INLINE int count_at(const Tile &tile, int bin, int column, int half)
{
    const uint32_t word = tile.words[bin * half + (column & (half - 1))];
    return static_cast<int>(column < half ? word & 0xffffu : word >> 16);
}

VX_INLINE void change(Tile &tile, int bin, int column, int half, uint32_t by)
{
    vx::add_in_tile(&tile.words[bin * half + (column & (half - 1))], column < half ? by : by << 16);
}

/** Items are the columns of the strip, each several times with a share of the row. */
VX_INLINE void change_rows(const vx::Group &group, const CambiContrastArgs &args, Tile &tile)
{
    const int half = args.columns / 2, shares = kCambiThreads / args.columns;
    const int window = 2 * args.pad + 1;
    VX_FOR (group, i, kCambiThreads) {
        const int column = i & (args.columns - 1), share = i / args.columns;
        for (int k = share; k < window; k += shares) {
            const int enter = tile.enter[column + k], leave = tile.leave[column + k];
            if (enter == leave)
                continue;
            if (enter != 0)
                change(tile, enter, column, half, 1);
            if (leave != 0)
                change(tile, leave, column, half, 0u - 1);
        }
    }
}

VX_INLINE void store_row(const vx::Group &group, const CambiContrastArgs &args, const Tile &tile,
                         int x0, int y)
{
    const CambiPlane &plane = args.plane[group.z];
    const int half = args.columns / 2, steps = args.steps;
    const uint16_t *const row = plane.bins + static_cast<int64_t>(y) * plane.width;
    float *const out = plane.contrast + static_cast<int64_t>(y) * plane.width;
    VX_FOR (group, c, smaller(args.columns, plane.width - x0)) {
        const int bin = row[x0 + c];
        float most = 0;
        if (bin >= steps && bin < args.bins - steps) {
            const int n = count_at(tile, bin, c, half);
            for (int d = 1; d <= steps; ++d) {
                const int m =
                    larger(count_at(tile, bin + d, c, half), count_at(tile, bin - d, c, half));
                const float value =
                    step_contrast(args.reciprocals, args.weights[bin * steps + d - 1], n, m);
                most = value > most ? value : most;
            }
        }
        out[x0 + c] = most;
    }
}

VX_INLINE void body(const CambiContrastArgs &args, Tile &tile, const vx::Group &group)
{
    const CambiPlane &plane = args.plane[group.z];
    const int x0 = static_cast<int>(group.x) * args.columns;
    const int top = static_cast<int>(group.y) * kCambiGpuRows;
    if (x0 >= plane.width || top >= plane.height)
        return;
    const int bottom = smaller(top + kCambiGpuRows, plane.height);
    const int first = top - args.pad;
    VX_FOR (group, i, args.bins * (args.columns / 2)) {
        tile.words[i] = 0;
    }
    load_row(group, args, tile.enter, x0, first);
    load_row(group, args, tile.leave, x0, -1);
    VX_SYNC(group);
    for (int y = first; y < bottom + args.pad; ++y) {
        change_rows(group, args, tile);
        VX_SYNC(group);
        const int middle = y - args.pad, gone = y - 2 * args.pad;
        if (middle >= top)
            store_row(group, args, tile, x0, middle);
        load_row(group, args, tile.enter, x0, y + 1);
        load_row(group, args, tile.leave, x0, gone >= first ? gone : -1);
        VX_SYNC(group);
    }
}

#endif

} // namespace cambi_contrast_kernels

VX_KERNEL(cambi_contrast, CambiContrastArgs, cambi_contrast_kernels::Tile, kCambiThreads)
{
    cambi_contrast_kernels::body(args, tile, group);
}
