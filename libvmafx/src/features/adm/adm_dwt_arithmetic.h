/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The arithmetic of ADM's wavelet transform, and where it finds its samples.
 */
#ifndef VMAFX_FEATURES_ADM_DWT_ARITHMETIC_H
#define VMAFX_FEATURES_ADM_DWT_ARITHMETIC_H

#include "features/adm/adm_kernels.h"
#include "features/dwt_span.h"

#include "kernels/kernel.h"

namespace adm_dwt_kernels
{

/* Daubechies 2. */
constexpr int kLow[4] = {15826, 27411, 7345, -4240};
constexpr int kHigh[4] = {-4240, -7345, 27411, -15826};
constexpr uint32_t kLowSum = 46342;

using dwt::position;
using vx::larger;
using vx::smaller;

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

/** The horizontal pass on four neighbours of a row. */
VX_INLINE int16_t across(const int (&taps)[4], int16_t a, int16_t b, int16_t c, int16_t d, uint32_t)
{
    const auto wide = [](int16_t v) { return static_cast<uint32_t>(static_cast<int32_t>(v)); };
    const int32_t sum = static_cast<int32_t>(dot(taps, wide(a), wide(b), wide(c), wide(d)));
    return static_cast<int16_t>((sum + 32768) >> 16);
}
VX_INLINE int32_t across(const int (&taps)[4], int32_t a, int32_t b, int32_t c, int32_t d,
                         uint32_t shift)
{
    return dot_halves(taps, halves(a), halves(b), halves(c), halves(d), shift);
}

template <class Sample> VX_INLINE const auto *source_row(const void *source, uint64_t pitch, int y)
{
    if constexpr (static_cast<Sample>(-1) > 0)
        return vx::row_of<Sample>(source, pitch, y);
    else
        return reinterpret_cast<const Sample *>(static_cast<const char *>(source) +
                                                static_cast<uint64_t>(y) * pitch);
}

} // namespace adm_dwt_kernels

#endif
