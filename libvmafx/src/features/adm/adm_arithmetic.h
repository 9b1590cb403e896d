/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ADM's arithmetic on one sample, as branch-free expressions that compilers vectorise.
 */
#ifndef VMAFX_FEATURES_ADM_ARITHMETIC_H
#define VMAFX_FEATURES_ADM_ARITHMETIC_H

#include "kernels/kernel.h"

namespace adm
{

VX_INLINE uint32_t magnitude(int32_t v)
{
    return v < 0 ? 0u - static_cast<uint32_t>(v) : static_cast<uint32_t>(v);
}

VX_INLINE int64_t product(int32_t a, int32_t b)
{
    return static_cast<int64_t>(a) * b;
}

using vx::smaller;

/** floor(2^30 / m) for 1 <= m <= 2^15, given 1 / m within 2^-22 of it, relatively.
 *  The first quotient is never too large and lacks at most 832/m + 1; what is left is divided with
 *  half a unit added, so that rounding cannot reach an integer from either side. */
VX_INLINE uint32_t reciprocal(uint32_t m, float inverse)
{
    const int32_t q = static_cast<int32_t>((1073741824.0f * (1.0f - 0x1p-21f)) * inverse);
    const int32_t rest = static_cast<int32_t>((1u << 30) - static_cast<uint32_t>(q) * m);
    return static_cast<uint32_t>(q +
                                 static_cast<int32_t>((static_cast<float>(rest) + 0.5f) * inverse));
}

/** The same; unspecified for other m. */
VX_INLINE uint32_t reciprocal(uint32_t m)
{
    return reciprocal(m,
                      vx::near_reciprocal(static_cast<float>(static_cast<int32_t>(m | (m == 0)))));
}

/** floor(log2(q)) for 1 <= q < 2^31. Without its second bit q cannot round up to the next power. */
VX_INLINE int32_t log2_floor(uint32_t q)
{
#if VX_GPU
    return 31 - __builtin_clz(q);
#endif
    const float f = static_cast<float>(static_cast<int32_t>(q & ~(q >> 1)));
    return static_cast<int32_t>(__builtin_bit_cast(uint32_t, f) >> 23) - 127;
}

/** What decoupling gives before the gain limit, as magnitudes: all of o, t and r have o's sign. */
struct Restored {
    uint32_t r; /* |r| */
    uint32_t t; /* |t|, 0 where t and o differ in sign */
};

/** Scale 0. Above |o| the gain is at its limit, so |t| can be cut: products fit into 32 bits. */
VX_INLINE Restored restore(int16_t reference, int16_t distorted)
{
    const int32_t o = reference;
    const int32_t t = distorted;
    const uint32_t ao = magnitude(o);
    const uint32_t at = (o ^ t) < 0 ? 0 : magnitude(t);
    const uint32_t k = smaller((reciprocal(ao) * smaller(at, ao + 1) + 16384) >> 15, 32768u);
    const uint32_t half = o < 0 ? 16383 : 16384; /* floor towards minus infinity */
    return {(k * ao + half) >> 15, at};
}

/** Scales 1..3. */
VX_INLINE Restored restore(int32_t o, int32_t t)
{
    const uint32_t ao = magnitude(o);
    const uint32_t at = (o ^ t) < 0 ? 0 : magnitude(t);
    const int32_t e = log2_floor(ao | 1) - 14;
    const uint32_t c = e > 0 ? static_cast<uint32_t>(e) : 0;
    /* Rounded by (x >> (n - 1)) + 1 >> 1: compilers vectorise no shift of a constant. */
    const uint32_t m = ((2 * ao >> c) + 1) >> 1;
    const uint64_t product = static_cast<uint64_t>(reciprocal(m)) * smaller(at, 2 * ao);
    const uint64_t twice = product >> static_cast<uint64_t>(14 + c);
    const uint32_t k = smaller((static_cast<uint32_t>(twice) + 1) >> 1, 32768u);
    const uint32_t half = o < 0 ? 16383 : 16384;
    return {k * (ao >> 15) + ((k * (ao & 32767) + half) >> 15), at};
}

/** min(r * gain, t) for a whole gain, where most = floor((2^31 - 1) / gain). */
VX_INLINE uint32_t limit_whole(Restored v, uint32_t gain, uint32_t most)
{
    const uint32_t enhanced = v.r > most ? 0x7fffffffu : v.r * gain;
    return smaller(enhanced, v.t);
}

/** The same where the product fits into 32 bits: scale 0. */
VX_INLINE uint32_t limit_whole0(Restored v, uint32_t gain)
{
    return smaller(v.r * gain, v.t);
}

/** trunc(min(r * gain, t)). */
VX_INLINE uint32_t limit_real(Restored v, double gain)
{
    const double enhanced = static_cast<double>(static_cast<int32_t>(v.r)) * gain;
    const double t = static_cast<double>(static_cast<int32_t>(v.t));
    return static_cast<uint32_t>(static_cast<int32_t>(enhanced < t ? enhanced : t));
}

VX_INLINE int32_t with_sign_of(uint32_t value, int32_t o)
{
    const uint32_t sign = static_cast<uint32_t>(o >> 31);
    return static_cast<int32_t>((value ^ sign) - sign);
}

/** The f32 nearest to x. */
VX_INLINE float nearest_float(int64_t x)
{
#if VX_GPU || defined(__AVX512DQ__)
    return static_cast<float>(x);
#else
    /* Without such an instruction: bits that cannot matter are folded into one, after which the
     * double is exact and there is one rounding only. */
    const int64_t low = x & 0xfff;
    const int64_t folded = (x ^ low) | (low == 0 ? 0 : 0x800);
    const int64_t top = x >> 45;
    const int64_t v = top == 0 || top == -1 ? x : folded;
    const double high = static_cast<double>(static_cast<int32_t>(v >> 32));
    const double rest =
        static_cast<double>(static_cast<int32_t>(static_cast<uint32_t>(v) ^ 0x80000000u)) +
        2147483648.0;
    return static_cast<float>(high * 4294967296.0 + rest);
#endif
}

/** cos(1 degree)^2 as f32. */
constexpr float kCos2 = 0x1.ffd814p-1f;

VX_INLINE bool small_angle(double dot, double reference, double distorted)
{
    return dot >= 0 && dot * dot >= (static_cast<double>(kCos2) * reference) * distorted;
}

/** true where (h, v) of both pictures point within one degree of each other. The reference divides
 *  each sum by 4096; a power of two changes nothing here. */
VX_INLINE bool same_direction(int16_t oh, int16_t ov, int16_t th, int16_t tv)
{
    const int32_t dot = oh * th + ov * tv;
    const int32_t reference = oh * oh + ov * ov;
    const int32_t distorted = th * th + tv * tv;
    return small_angle(static_cast<float>(dot), static_cast<float>(reference),
                       static_cast<float>(distorted));
}
VX_INLINE bool same_direction(int32_t oh, int32_t ov, int32_t th, int32_t tv)
{
    return small_angle(nearest_float(product(oh, th) + product(ov, tv)),
                       nearest_float(product(oh, oh) + product(ov, ov)),
                       nearest_float(product(th, th) + product(tv, tv)));
}

/* Forms with branches, for GPUs. Floats are near enough to decide on almost all angles; doubles,
 * slow on many GPUs, take the rest. With u = 2^-24: the estimate of the product of lengths is off
 * by 10u of it, that of the dot product by 4u of the root of the former, so that their comparison
 * is right where they differ by 24u. kMargin is more. Without length all are 0 and equal. */
enum class Angle { kSmall, kLarge, kUnclear };
VX_INLINE Angle estimated_angle(float dot, float reference, float distorted)
{
    constexpr float kMargin = 0x1p-18f;
    const float left = dot * dot;
    const float right = (kCos2 * reference) * distorted;
    if (dot < 0 || left < right * (1 - kMargin))
        return Angle::kLarge;
    return left >= right * (1 + kMargin) ? Angle::kSmall : Angle::kUnclear;
}
VX_INLINE bool branching_same_direction(int16_t oh, int16_t ov, int16_t th, int16_t tv)
{
    const float dot = static_cast<float>(oh * th + ov * tv);
    const float reference = static_cast<float>(oh * oh + ov * ov);
    const float distorted = static_cast<float>(th * th + tv * tv);
    const Angle angle = estimated_angle(dot, reference, distorted);
    return angle == Angle::kUnclear ? small_angle(dot, reference, distorted)
                                    : angle == Angle::kSmall;
}
VX_INLINE bool branching_same_direction(int32_t oh, int32_t ov, int32_t th, int32_t tv)
{
    const float foh = static_cast<float>(oh), fov = static_cast<float>(ov);
    const float fth = static_cast<float>(th), ftv = static_cast<float>(tv);
    const Angle angle =
        estimated_angle(foh * fth + fov * ftv, foh * foh + fov * fov, fth * fth + ftv * ftv);
    return angle == Angle::kUnclear ? same_direction(oh, ov, th, tv) : angle == Angle::kSmall;
}

/** A share of the denominator at scale 0: |o|^3. */
VX_INLINE uint64_t cube(int16_t o)
{
    const uint32_t q = magnitude(o);
    return static_cast<uint64_t>(q * q) * q;
}
/** At scales 1..3, after shifts of the square and of the cube. */
VX_INLINE uint64_t cube(int32_t o, uint32_t square_shift, uint32_t shift)
{
    const uint32_t q = magnitude(o);
    const uint64_t unit = static_cast<uint64_t>(1) << square_shift; /* not a half */
    const uint32_t e = static_cast<uint32_t>((static_cast<uint64_t>(q) * q + unit) >> square_shift);
    const uint64_t half = (static_cast<uint64_t>(1) << shift) >> 1;
    return (static_cast<uint64_t>(e) * q + half) >> shift;
}

/** A weighted coefficient: its magnitude as signal, and its share in the masking threshold. */
struct Weighted {
    uint32_t x;     /* |signal| */
    int32_t around; /* weight as a neighbour */
    int32_t centre; /* weight as the centre, less around */
};

/** The low 16 bits, as a signed number. */
VX_INLINE int32_t wrapped(int32_t v)
{
    return static_cast<int32_t>(static_cast<uint32_t>(v) << 16) >> 16;
}

/** Scale 0. */
template <bool kDiagonal> VX_INLINE Weighted weigh0(int32_t value, uint32_t factor)
{
    const int32_t x = static_cast<int32_t>(factor * static_cast<uint32_t>(value));
    /* The diagonal's rounding is one short of a half. */
    const int32_t c = wrapped(kDiagonal ? (x + 65535) >> 17 : (x + 16384) >> 15);
    const int32_t ac = c < 0 ? -c : c;
    const int32_t around = wrapped((4369 * ac + 2048) >> 12);
    const int32_t centre = wrapped((8738 * ac + 2048) >> 12); /* wraps above 15360 */
    return {magnitude(x), around, centre - around};
}

constexpr uint32_t kThirtieth = 143165577u, kFifteenth = 286331153u; /* of 2^32 */

/** Scales 1..3. */
VX_INLINE Weighted weigh(int32_t value, uint32_t factor)
{
    /* A factor of 2^31 and more is taken as negative by a signed product; value * 2^32 makes up. */
    const uint32_t missing = static_cast<uint32_t>(static_cast<int32_t>(factor) >> 31) &
                             (static_cast<uint32_t>(value) << 4);
    const int64_t p = product(value, static_cast<int32_t>(factor));
    const int32_t c = static_cast<int32_t>(static_cast<uint32_t>((p + (1 << 27)) >> 28) + missing);
    const uint32_t ac = magnitude(c);
    const uint64_t around = static_cast<uint64_t>(kThirtieth) * ac;
    const uint64_t centre = static_cast<uint64_t>(kFifteenth) * ac;
    const int64_t half = static_cast<int64_t>(1) << 31; /* subtracted, as the reference does */
    const int32_t f = static_cast<int32_t>((static_cast<int64_t>(around) - half) >> 32);
    const int32_t z = static_cast<int32_t>((static_cast<int64_t>(centre) - half) >> 32);
    return {ac, f, z - f};
}

} // namespace adm

#endif
