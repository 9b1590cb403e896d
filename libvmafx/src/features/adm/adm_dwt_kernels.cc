/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ADM's wavelet transform: one level, columns first, then rows.
 */
#include "features/adm/adm_kernels.h"

#include "kernels/kernel.h"

namespace adm_dwt_kernels
{

constexpr AdmDwtShape kShape = VX_CPU_TILES ? kAdmDwtCpuShape : kAdmDwtGpuShape;
constexpr int kColumns = 2 * kShape.columns + 2; /* inputs that one row of outputs reads */

/* Daubechies 2. */
constexpr int kLow[4] = {15826, 27411, 7345, -4240};
constexpr int kHigh[4] = {-4240, -7345, 27411, -15826};
constexpr uint32_t kLowSum = 46342;

template <class Value> struct Tile {
    alignas(64) Value low[kShape.rows][kColumns + 62];
    alignas(64) Value high[kShape.rows][kColumns + 62];
};

VX_INLINE int smaller(int a, int b)
{
    return a < b ? a : b;
}
VX_INLINE int larger(int a, int b)
{
    return a > b ? a : b;
}

/** Where the sample at position p of 0..n-1 is found: -1 mirrors, the far end repeats. */
VX_INLINE int position(int p, int n)
{
    return p < 0 ? 1 : p >= n ? 2 * n - 1 - p : p;
}

/** Taps times samples modulo 2^32. */
VX_INLINE uint32_t dot(const int (&taps)[4], uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return static_cast<uint32_t>(taps[0]) * a + static_cast<uint32_t>(taps[1]) * b +
           static_cast<uint32_t>(taps[2]) * c + static_cast<uint32_t>(taps[3]) * d;
}

/** A 32-bit value as high * 2^16 + low with low in -2^15..2^15-1, so that products of taps (16
 * bits) and halves stay within 32 bits where those of whole values do not. */
struct Halves {
    int32_t high, low;
};
VX_INLINE Halves halves(int32_t s)
{
    return {((s >> 15) + 1) >> 1, static_cast<int16_t>(s)};
}

/** (taps * samples + 2^(shift-1)) >> shift for 1 <= shift <= 16. */
VX_INLINE int32_t dot_halves(const int (&taps)[4], Halves a, Halves b, Halves c, Halves d,
                             uint32_t shift)
{
    const uint32_t high = dot(taps, static_cast<uint32_t>(a.high), static_cast<uint32_t>(b.high),
                              static_cast<uint32_t>(c.high), static_cast<uint32_t>(d.high));
    const int32_t low =
        static_cast<int32_t>(dot(taps, static_cast<uint32_t>(a.low), static_cast<uint32_t>(b.low),
                                 static_cast<uint32_t>(c.low), static_cast<uint32_t>(d.low)));
    const int32_t half = 1 << (shift - 1);
    return static_cast<int32_t>((high << (16 - shift)) +
                                static_cast<uint32_t>((low + half) >> shift));
}

/** The vertical pass on four samples of a column. */
struct PictureColumns {
    uint32_t bits;
    int32_t operator()(const int (&taps)[4], uint32_t offset, uint32_t a, uint32_t b, uint32_t c,
                       uint32_t d) const
    {
        const uint32_t half = 1u << (bits - 1);
        return static_cast<int32_t>(dot(taps, a, b, c, d) - offset * half + half) >> bits;
    }
};
struct PlainColumns {
    int32_t operator()(const int (&taps)[4], uint32_t, int32_t a, int32_t b, int32_t c,
                       int32_t d) const
    {
        return static_cast<int32_t>(dot(taps, static_cast<uint32_t>(a), static_cast<uint32_t>(b),
                                        static_cast<uint32_t>(c), static_cast<uint32_t>(d)));
    }
};
struct WideColumns {
    int32_t operator()(const int (&taps)[4], uint32_t, int32_t a, int32_t b, int32_t c,
                       int32_t d) const
    {
        return dot_halves(taps, halves(a), halves(b), halves(c), halves(d), 16);
    }
};

/** The horizontal pass: output i of a row of the tile. */
typedef int32_t __attribute__((may_alias)) TwoValues; /* the first in the low half */
VX_INLINE int16_t across(const int (&taps)[4], const int16_t *row, int i, uint32_t)
{
    /* Words in place of a load of every other value, which costs permutations. */
    const TwoValues *VX_RESTRICT pairs = reinterpret_cast<const TwoValues *>(row);
    const uint32_t ab = static_cast<uint32_t>(pairs[i]);
    const uint32_t cd = static_cast<uint32_t>(pairs[i + 1]);
    const int32_t a = static_cast<int32_t>(ab << 16) >> 16;
    const int32_t b = static_cast<int32_t>(ab) >> 16;
    const int32_t c = static_cast<int32_t>(cd << 16) >> 16;
    const int32_t d = static_cast<int32_t>(cd) >> 16;
    const int32_t sum =
        static_cast<int32_t>(dot(taps, static_cast<uint32_t>(a), static_cast<uint32_t>(b),
                                 static_cast<uint32_t>(c), static_cast<uint32_t>(d)));
    return static_cast<int16_t>((sum + 32768) >> 16);
}
VX_INLINE int32_t across(const int (&taps)[4], const int32_t *row, int i, uint32_t shift)
{
    return dot_halves(taps, halves(row[2 * i]), halves(row[2 * i + 1]), halves(row[2 * i + 2]),
                      halves(row[2 * i + 3]), shift);
}

template <class Sample> VX_INLINE const auto *source_row(const void *source, uint64_t pitch, int y)
{
    if constexpr (static_cast<Sample>(-1) > 0)
        return vx::row_of<Sample>(source, pitch, y);
    else
        return reinterpret_cast<const Sample *>(static_cast<const char *>(source) +
                                                static_cast<uint64_t>(y) * pitch);
}

/** What a tile computes: outputs first..end of a row, details only in detail_first..detail_end. */
struct Span {
    int x;                        /* of the tile's first output */
    int count;                    /* outputs */
    int detail_first, detail_end; /* of the tile's outputs */
    int input;                    /* position of the tile's first input */
    int input_first, input_end;   /* inputs that lie in the picture */
};

VX_INLINE Span span_of(const AdmDwtArgs &args, int x)
{
    Span s;
    s.x = x;
    s.count = smaller(kShape.columns, args.out[0].width - x);
    s.detail_first = smaller(larger(args.details.left - x, 0), s.count);
    s.detail_end = larger(smaller(args.details.right - x, s.count), s.detail_first);
    s.input = 2 * x - 1;
    s.input_first = x == 0 ? 1 : 0;
    s.input_end = smaller(2 * s.count + 2, args.width - s.input);
    return s;
}

template <class Sample, class Value, class Columns>
VX_INLINE void columns_of_row(const AdmDwtArgs &args, Tile<Value> &tile, const vx::Group &group,
                              const Span &span, int y, int r, bool details, const Columns &columns)
{
    /* Not by reference to the arguments, from which the compiler could not tell device memory. */
    const auto row = [source = args.source[group.z], pitch = args.source_pitch[group.z], y,
                      height = args.height, x = span.input + span.input_first](int tap) {
        return source_row<Sample>(source, pitch, position(2 * y - 1 + tap, height)) + x;
    };
    const auto *VX_RESTRICT row0 = row(0);
    const auto *VX_RESTRICT row1 = row(1);
    const auto *VX_RESTRICT row2 = row(2);
    const auto *VX_RESTRICT row3 = row(3);
    Value *VX_RESTRICT low = tile.low[r] + span.input_first;

    VX_FOR (group, x, span.input_end - span.input_first) {
        low[x] = static_cast<Value>(columns(kLow, kLowSum, row0[x], row1[x], row2[x], row3[x]));
    }
    if (!details)
        return;
    const int first = larger(2 * span.detail_first, span.input_first);
    const int end = smaller(2 * span.detail_end + 2, span.input_end);
    Value *VX_RESTRICT high = tile.high[r] + first;
    const int skip = first - span.input_first;

    VX_FOR (group, x, end - first) {
        high[x] = static_cast<Value>(
            columns(kHigh, 0, row0[skip + x], row1[skip + x], row2[skip + x], row3[skip + x]));
    }
}

/** Fills the inputs outside of the picture, which are copies of columns inside. */
template <class Value>
VX_INLINE void mirror_columns(const AdmDwtArgs &args, Tile<Value> &tile, const vx::Group &group,
                              const Span &span)
{
    const int outside = 2 * span.count + 2 - span.input_end;
    VX_FOR (group, i, kShape.rows * 3) {
        const int r = i / 3;
        const int k = i - 3 * r;
        const int to = k == 0 ? 0 : span.input_end + k - 1;
        const bool wanted = k == 0 ? span.input_first == 1 : k <= outside;
        if (wanted) {
            const int from = position(span.input + to, args.width) - span.input;
            tile.low[r][to] = tile.low[r][from];
            tile.high[r][to] = tile.high[r][from];
        }
    }
}

template <class Value>
VX_INLINE void rows_out(const AdmDwtArgs &args, const Tile<Value> &tile, const vx::Group &group,
                        const Span &span, int y, int r, bool details)
{
    const AdmBands &out = args.out[group.z];
    Value *VX_RESTRICT a =
        static_cast<Value *>(out.first) + static_cast<uint64_t>(y) * out.pitch + span.x;
    const Value *VX_RESTRICT low = tile.low[r];

    VX_FOR (group, i, span.count) {
        a[i] = across(kLow, low, i, args.shift);
    }
    if (!details)
        return;
    const int first = span.detail_first;
    low += 2 * first;
    const Value *VX_RESTRICT high = tile.high[r] + 2 * first;
    Value *VX_RESTRICT h = a + out.plane + first;
    Value *VX_RESTRICT v = h + out.plane;
    Value *VX_RESTRICT d = v + out.plane;

    VX_FOR (group, i, span.detail_end - first) {
        v[i] = across(kHigh, low, i, args.shift);
        h[i] = across(kLow, high, i, args.shift);
        d[i] = across(kHigh, high, i, args.shift);
    }
}

template <class Sample, class Value, class Columns>
VX_INLINE void body(const AdmDwtArgs &args, Tile<Value> &tile, const vx::Group &group,
                    const Columns &columns)
{
    const Span span = span_of(args, static_cast<int>(group.x) * kShape.columns);
    const int height = args.out[0].height;

    for (int chunk = 0; chunk < kShape.chunks; ++chunk) {
        const int y0 = (static_cast<int>(group.y) * kShape.chunks + chunk) * kShape.rows;
        const int rows = smaller(kShape.rows, height - y0);
        if (chunk > 0)
            VX_SYNC(group);

        for (int r = 0; r < rows; ++r) {
            const bool details = y0 + r >= args.details.top && y0 + r < args.details.bottom;
            columns_of_row<Sample>(args, tile, group, span, y0 + r, r, details, columns);
        }
        VX_SYNC(group);
        mirror_columns(args, tile, group, span);
        VX_SYNC(group);

        for (int r = 0; r < rows; ++r) {
            const bool details = y0 + r >= args.details.top && y0 + r < args.details.bottom;
            rows_out(args, tile, group, span, y0 + r, r, details);
        }
    }
}

} // namespace adm_dwt_kernels

VX_KERNEL(adm_dwt0_8, AdmDwtArgs, adm_dwt_kernels::Tile<int16_t>, kAdmThreads)
{
    adm_dwt_kernels::body<uint8_t>(args, tile, group, adm_dwt_kernels::PictureColumns{8});
}

VX_KERNEL(adm_dwt0_16, AdmDwtArgs, adm_dwt_kernels::Tile<int16_t>, kAdmThreads)
{
    adm_dwt_kernels::body<uint16_t>(args, tile, group, adm_dwt_kernels::PictureColumns{args.bits});
}

VX_KERNEL(adm_dwt1, AdmDwtArgs, adm_dwt_kernels::Tile<int32_t>, kAdmThreads)
{
    adm_dwt_kernels::body<int16_t>(args, tile, group, adm_dwt_kernels::PlainColumns{});
}

VX_KERNEL(adm_dwt2, AdmDwtArgs, adm_dwt_kernels::Tile<int32_t>, kAdmThreads)
{
    adm_dwt_kernels::body<int32_t>(args, tile, group, adm_dwt_kernels::WideColumns{});
}
