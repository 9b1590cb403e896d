/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The parts of a binary floating-point number.
 */
#ifndef VMAFX_KERNELS_FLOAT_BITS_H
#define VMAFX_KERNELS_FLOAT_BITS_H

#include "kernels/kernel.h"

namespace vx
{

template <class F> struct FloatFormat;
template <> struct FloatFormat<float> {
    typedef uint32_t Word;
    static constexpr int kFraction = 23; /* bits */
    static constexpr int kTop = 0xff;    /* exponent of infinities */
};
template <> struct FloatFormat<double> {
    typedef uint64_t Word;
    static constexpr int kFraction = 52;
    static constexpr int kTop = 0x7ff;
};
template <class F> using FloatWord = typename FloatFormat<F>::Word;

template <class F> VX_INLINE FloatWord<F> float_bits(F value)
{
    FloatWord<F> word;
    __builtin_memcpy(&word, &value, sizeof(word));
    return word;
}

template <class F> VX_INLINE F float_of_bits(FloatWord<F> word)
{
    F value;
    __builtin_memcpy(&value, &word, sizeof(value));
    return value;
}

template <class F> constexpr FloatWord<F> kSignBit = ~(~FloatWord<F>{0} >> 1);

/** Biased; 0 for zero and denormals, kTop for infinities and NaN. */
template <class F> VX_INLINE int exponent_of(FloatWord<F> word)
{
    return static_cast<int>(word >> FloatFormat<F>::kFraction) & FloatFormat<F>::kTop;
}

/** 2 to the power of a biased exponent, 1..kTop. */
template <class F> VX_INLINE F power_of_two(int exponent)
{
    return float_of_bits<F>(static_cast<FloatWord<F>>(exponent) << FloatFormat<F>::kFraction);
}

} // namespace vx

#endif
