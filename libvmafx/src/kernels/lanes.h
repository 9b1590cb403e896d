/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Lanes: kernel code that is written once and runs on one value at a time on a GPU and on a whole
 * vector register on the CPU. For loops that the vectoriser does not see through.
 *
 *     vx::kLanes        values in a register: 1 on a GPU, 4, 8 or 16 on x86-64
 *     vx::U32, vx::I32  that many 32-bit integers; also pairs of 16-bit values, low half first
 *     vx::F32           that many binary32
 *     vx::F64           that many binary64
 *
 * + - * & | ^ ~ >> << work on U32 and I32, + - * / on F32 and F64, also with one scalar operand.
 * Integer arithmetic is modulo 2^32, floating arithmetic is rounded operation by operation.
 */
#ifndef VMAFX_KERNELS_LANES_H
#define VMAFX_KERNELS_LANES_H

#include "kernels/kernel.h"

#if VX_CPU_TILES && defined(__SSE4_1__)
#define VX_WIDE 1
/* gcc 12 takes the "undefined" operands of its own header for a mistake. */
#if !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <immintrin.h>
#if !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#else
#define VX_WIDE 0
#endif

/* Phases whose items are whole registers: VX_FOR and VX_FOR2 without a call for the vectoriser. */
#if VX_WIDE
#define VX_LANES_FOR(group, i, count)                                                              \
    for (int i = ((void)(group), 0), vx_end_##i = (count); i < vx_end_##i; ++i)
#define VX_LANES_FOR2(group, y, x, rows, cols)                                                     \
    VX_LANES_FOR (group, y, rows)                                                                  \
        VX_LANES_FOR (group, x, cols)
#else
#define VX_LANES_FOR VX_FOR
#define VX_LANES_FOR2 VX_FOR2
#endif

namespace vx
{

#if VX_WIDE

#if defined(__AVX512F__)
constexpr int kLanes = 16;
#elif defined(__AVX2__)
constexpr int kLanes = 8;
#else
constexpr int kLanes = 4;
#endif

typedef uint32_t __attribute__((vector_size(4 * kLanes))) U32;
typedef int32_t __attribute__((vector_size(4 * kLanes))) I32;
typedef uint64_t __attribute__((vector_size(4 * kLanes))) U64;
typedef int64_t __attribute__((vector_size(4 * kLanes))) I64;
typedef uint16_t __attribute__((vector_size(4 * kLanes))) U16;
typedef float __attribute__((vector_size(4 * kLanes))) F32;
typedef float __attribute__((vector_size(4 * kLanes), aligned(4), may_alias)) UnalignedF32;
typedef double __attribute__((vector_size(4 * kLanes))) HalfF64;
typedef uint32_t __attribute__((vector_size(4 * kLanes), aligned(2), may_alias)) UnalignedU32;

struct F64 {
    HalfF64 low, high;
};

VX_INLINE F64 operator+(F64 a, double b)
{
    return {a.low + b, a.high + b};
}
VX_INLINE F64 operator-(F64 a, F64 b)
{
    return {a.low - b.low, a.high - b.high};
}
VX_INLINE F64 operator*(F64 a, F64 b)
{
    return {a.low * b.low, a.high * b.high};
}
VX_INLINE F64 operator/(F64 a, F64 b)
{
    return {a.low / b.low, a.high / b.high};
}

VX_INLINE U32 splat(uint32_t v)
{
    return U32{} + v;
}

/** 0, 1, 2, … */
VX_INLINE I32 lane_index()
{
    I32 v;
    for (int i = 0; i < kLanes; ++i)
        v[i] = i;
    return v;
}

VX_INLINE U32 load(const void *p)
{
    return *static_cast<const UnalignedU32 *>(p);
}
VX_INLINE void store(void *p, U32 v)
{
    *static_cast<UnalignedU32 *>(p) = v;
}

/** 2 * kLanes bytes as 16-bit values. */
VX_INLINE U32 load_bytes(const uint8_t *p)
{
    typedef uint8_t __attribute__((vector_size(2 * kLanes), aligned(1), may_alias)) Bytes;
    return (U32) __builtin_convertvector(*reinterpret_cast<const Bytes *>(p), U16);
}

VX_INLINE F32 load(const float *p)
{
    return *reinterpret_cast<const UnalignedF32 *>(p);
}
VX_INLINE void store(float *p, F32 v)
{
    *reinterpret_cast<UnalignedF32 *>(p) = v;
}

VX_INLINE F32 to_f32(I32 v)
{
    return __builtin_convertvector(v, F32);
}
VX_INLINE U32 bits_of(F32 v)
{
    return (U32)v;
}
/** v where the mask is all ones, 0 where it is 0. */
VX_INLINE F32 kept_where(U32 mask, F32 v)
{
    return (F32)((U32)v & mask);
}
VX_INLINE U32 above(F32 a, float b)
{
    return (U32)(a > b);
}

/** All ones where a >= b. */
VX_INLINE U32 at_least(I32 a, int32_t b)
{
    return (U32)(a >= b);
}
VX_INLINE U32 less(I32 a, int32_t b)
{
    return (U32)(a < b);
}

/** Sum of all lanes, each taken as unsigned. */
VX_INLINE uint64_t sum_lanes(U32 v)
{
    uint64_t sum = 0;
    for (int i = 0; i < kLanes; ++i)
        sum += v[i];
    return sum;
}
/** The same of I32 and I64, signed. */
template <class Lanes> VX_INLINE int64_t sum_lanes(Lanes v)
{
    int64_t sum = 0;
    for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); ++i)
        sum += v[i];
    return sum;
}

/** Sums of lanes in 64 bits. */
struct WideSum {
    U64 v;
};
VX_INLINE void clear(WideSum &sum)
{
    sum.v = U64{};
}
VX_INLINE void add(WideSum &sum, U32 v)
{
    sum.v += ((U64)v & 0xffffffffu) + ((U64)v >> 32);
}
VX_INLINE uint64_t total(const WideSum &sum)
{
    uint64_t all = 0;
    for (int i = 0; i < kLanes / 2; ++i)
        all += sum.v[i];
    return all;
}

#if defined(__AVX512F__)

VX_INLINE bool any(U32 v)
{
    return _mm512_test_epi32_mask((__m512i)v, (__m512i)v) != 0;
}
VX_INLINE I32 dot2(U32 a, U32 b)
{
    return (I32)_mm512_madd_epi16((__m512i)a, (__m512i)b);
}
VX_INLINE U32 multiply_low16(U32 a, U32 b)
{
    return (U32)_mm512_mullo_epi16((__m512i)a, (__m512i)b);
}
VX_INLINE U32 multiply_high16(U32 a, U32 b)
{
    return (U32)_mm512_mulhi_epu16((__m512i)a, (__m512i)b);
}
VX_INLINE U64 multiply_even(U32 a, U32 b)
{
    return (U64)_mm512_mul_epu32((__m512i)a, (__m512i)b);
}
VX_INLINE I64 multiply_even(I32 a, I32 b)
{
    return (I64)_mm512_mul_epi32((__m512i)a, (__m512i)b);
}
VX_INLINE F32 positive(F32 a)
{
    return (F32)_mm512_max_ps((__m512)a, _mm512_setzero_ps());
}
VX_INLINE I32 positive(I32 a)
{
    return (I32)_mm512_max_epi32((__m512i)a, _mm512_setzero_si512());
}
VX_INLINE F64 to_f64(I32 v)
{
    const __m512i w = (__m512i)v;
    return {(HalfF64)_mm512_cvtepi32_pd(_mm512_castsi512_si256(w)),
            (HalfF64)_mm512_cvtepi32_pd(_mm512_extracti64x4_epi64(w, 1))};
}
VX_INLINE I32 truncate(F64 v)
{
    const __m512i low = _mm512_castsi256_si512(_mm512_cvttpd_epi32((__m512d)v.low));
    return (I32)_mm512_inserti64x4(low, _mm512_cvttpd_epi32((__m512d)v.high), 1);
}
VX_INLINE F64 smaller(F64 a, double b)
{
    const __m512d limit = _mm512_set1_pd(b);
    return {(HalfF64)_mm512_min_pd((__m512d)a.low, limit),
            (HalfF64)_mm512_min_pd((__m512d)a.high, limit)};
}
VX_INLINE U32 f32_bits_down(I32 v)
{
    return (U32)_mm512_castps_si512(
        _mm512_cvt_roundepi32_ps((__m512i)v, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC));
}
VX_INLINE U32 gather32(const uint32_t *table, U32 index)
{
    return (U32)_mm512_i32gather_epi32((__m512i)index, table, 4);
}
VX_INLINE void store_low16(uint16_t *p, U32 v)
{
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(p), _mm512_cvtepi32_epi16((__m512i)v));
}

#elif defined(__AVX2__)

VX_INLINE bool any(U32 v)
{
    return !_mm256_testz_si256((__m256i)v, (__m256i)v);
}
VX_INLINE I32 dot2(U32 a, U32 b)
{
    return (I32)_mm256_madd_epi16((__m256i)a, (__m256i)b);
}
VX_INLINE U32 multiply_low16(U32 a, U32 b)
{
    return (U32)_mm256_mullo_epi16((__m256i)a, (__m256i)b);
}
VX_INLINE U32 multiply_high16(U32 a, U32 b)
{
    return (U32)_mm256_mulhi_epu16((__m256i)a, (__m256i)b);
}
VX_INLINE U64 multiply_even(U32 a, U32 b)
{
    return (U64)_mm256_mul_epu32((__m256i)a, (__m256i)b);
}
VX_INLINE I64 multiply_even(I32 a, I32 b)
{
    return (I64)_mm256_mul_epi32((__m256i)a, (__m256i)b);
}
VX_INLINE F32 positive(F32 a)
{
    return (F32)_mm256_max_ps((__m256)a, _mm256_setzero_ps());
}
VX_INLINE I32 positive(I32 a)
{
    return (I32)_mm256_max_epi32((__m256i)a, _mm256_setzero_si256());
}
VX_INLINE F64 to_f64(I32 v)
{
    const __m256i w = (__m256i)v;
    return {(HalfF64)_mm256_cvtepi32_pd(_mm256_castsi256_si128(w)),
            (HalfF64)_mm256_cvtepi32_pd(_mm256_extracti128_si256(w, 1))};
}
VX_INLINE I32 truncate(F64 v)
{
    const __m256i low = _mm256_castsi128_si256(_mm256_cvttpd_epi32((__m256d)v.low));
    return (I32)_mm256_inserti128_si256(low, _mm256_cvttpd_epi32((__m256d)v.high), 1);
}
VX_INLINE F64 smaller(F64 a, double b)
{
    const __m256d limit = _mm256_set1_pd(b);
    return {(HalfF64)_mm256_min_pd((__m256d)a.low, limit),
            (HalfF64)_mm256_min_pd((__m256d)a.high, limit)};
}
VX_INLINE U32 f32_bits_down(I32 v)
{
    /* The cleared bit stops a carry into the 17 highest bits, which is all that is promised. */
    return (U32)_mm256_castps_si256(_mm256_cvtepi32_ps((__m256i)(v & ~(v >> 17))));
}
VX_INLINE U32 gather32(const uint32_t *table, U32 index)
{
    return (U32)_mm256_i32gather_epi32(reinterpret_cast<const int *>(table), (__m256i)index, 4);
}
VX_INLINE void store_low16(uint16_t *p, U32 v)
{
    const __m256i low = (__m256i)(v & 0xffffu);
    const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(low, low), 0x08);
    _mm_storeu_si128(reinterpret_cast<__m128i *>(p), _mm256_castsi256_si128(packed));
}

#else

VX_INLINE bool any(U32 v)
{
    return !_mm_testz_si128((__m128i)v, (__m128i)v);
}
VX_INLINE I32 dot2(U32 a, U32 b)
{
    return (I32)_mm_madd_epi16((__m128i)a, (__m128i)b);
}
VX_INLINE U32 multiply_low16(U32 a, U32 b)
{
    return (U32)_mm_mullo_epi16((__m128i)a, (__m128i)b);
}
VX_INLINE U32 multiply_high16(U32 a, U32 b)
{
    return (U32)_mm_mulhi_epu16((__m128i)a, (__m128i)b);
}
VX_INLINE U64 multiply_even(U32 a, U32 b)
{
    return (U64)_mm_mul_epu32((__m128i)a, (__m128i)b);
}
VX_INLINE I64 multiply_even(I32 a, I32 b)
{
    return (I64)_mm_mul_epi32((__m128i)a, (__m128i)b);
}
VX_INLINE F32 positive(F32 a)
{
    return (F32)_mm_max_ps((__m128)a, _mm_setzero_ps());
}
VX_INLINE I32 positive(I32 a)
{
    return (I32)_mm_max_epi32((__m128i)a, _mm_setzero_si128());
}
VX_INLINE F64 to_f64(I32 v)
{
    const __m128i w = (__m128i)v;
    return {(HalfF64)_mm_cvtepi32_pd(w), (HalfF64)_mm_cvtepi32_pd(_mm_shuffle_epi32(w, 0xee))};
}
VX_INLINE I32 truncate(F64 v)
{
    return (I32)_mm_unpacklo_epi64(_mm_cvttpd_epi32((__m128d)v.low),
                                   _mm_cvttpd_epi32((__m128d)v.high));
}
VX_INLINE F64 smaller(F64 a, double b)
{
    const __m128d limit = _mm_set1_pd(b);
    return {(HalfF64)_mm_min_pd((__m128d)a.low, limit),
            (HalfF64)_mm_min_pd((__m128d)a.high, limit)};
}
VX_INLINE U32 f32_bits_down(I32 v)
{
    return (U32)_mm_castps_si128(_mm_cvtepi32_ps((__m128i)(v & ~(v >> 17))));
}
VX_INLINE U32 gather32(const uint32_t *table, U32 index)
{
    return U32{table[index[0]], table[index[1]], table[index[2]], table[index[3]]};
}
VX_INLINE void store_low16(uint16_t *p, U32 v)
{
    const __m128i low = (__m128i)(v & 0xffffu);
    _mm_storel_epi64(reinterpret_cast<__m128i *>(p), _mm_packus_epi32(low, low));
}

#endif

VX_INLINE U32 dot2_add(U32 sum, U32 a, U32 b)
{
#if defined(__AVX512VNNI__) && defined(__AVX512F__)
    return (U32)_mm512_dpwssd_epi32((__m512i)sum, (__m512i)a, (__m512i)b);
#else
    return sum + (U32)dot2(a, b);
#endif
}

/** (a * b + 2^31) >> 32 */
VX_INLINE U32 multiply_rounded_high(U32 a, U32 b)
{
    const U64 even = multiply_even(a, b) + 0x80000000u;
    const U64 odd = multiply_even((U32)((U64)a >> 32), (U32)((U64)b >> 32)) + 0x80000000u;
    return (U32)((even >> 32) | (odd & 0xffffffff00000000u));
}

#else /* one lane */

constexpr int kLanes = 1;
typedef uint32_t U32;
typedef int32_t I32;
typedef float F32;
typedef double F64;
struct __attribute__((packed, aligned(2), may_alias)) UnalignedU32 {
    uint32_t value;
};

VX_INLINE U32 splat(uint32_t v)
{
    return v;
}
VX_INLINE I32 lane_index()
{
    return 0;
}
VX_INLINE U32 load(const void *p)
{
    return static_cast<const UnalignedU32 *>(p)->value;
}
VX_INLINE void store(void *p, U32 v)
{
    static_cast<UnalignedU32 *>(p)->value = v;
}
VX_INLINE F32 load(const float *p)
{
    return *p;
}
VX_INLINE void store(float *p, F32 v)
{
    *p = v;
}
VX_INLINE F32 to_f32(I32 v)
{
    return static_cast<F32>(v);
}
VX_INLINE U32 bits_of(F32 v)
{
    return __builtin_bit_cast(U32, v);
}
VX_INLINE F32 kept_where(U32 mask, F32 v)
{
    return mask != 0 ? v : 0.0f;
}
VX_INLINE U32 above(F32 a, float b)
{
    return a > b ? ~0u : 0u;
}
VX_INLINE U32 at_least(I32 a, int32_t b)
{
    return a >= b ? ~0u : 0u;
}
VX_INLINE U32 less(I32 a, int32_t b)
{
    return a < b ? ~0u : 0u;
}
VX_INLINE uint64_t sum_lanes(U32 v)
{
    return v;
}
VX_INLINE int64_t sum_lanes(I32 v)
{
    return v;
}

struct WideSum {
    uint64_t v;
};
VX_INLINE void clear(WideSum &sum)
{
    sum.v = 0;
}
VX_INLINE void add(WideSum &sum, U32 v)
{
    sum.v += v;
}
VX_INLINE uint64_t total(const WideSum &sum)
{
    return sum.v;
}

/** true if a lane is not zero. */
VX_INLINE bool any(U32 v)
{
    return v != 0;
}
/** Sum of the products of the signed 16-bit halves. */
VX_INLINE I32 dot2(U32 a, U32 b)
{
    const U32 low = static_cast<U32>(static_cast<int16_t>(a) * static_cast<int16_t>(b));
    const U32 high = static_cast<U32>((static_cast<I32>(a) >> 16) * (static_cast<I32>(b) >> 16));
    return static_cast<I32>(low + high);
}
/** sum + dot2(a, b) */
VX_INLINE U32 dot2_add(U32 sum, U32 a, U32 b)
{
    return sum + static_cast<U32>(dot2(a, b));
}
/** Products of the unsigned 16-bit halves, each cut to its low 16 bits. */
VX_INLINE U32 multiply_low16(U32 a, U32 b)
{
    return ((a * b) & 0xffffu) | ((a >> 16) * (b >> 16) << 16);
}
/** The same, the high 16 bits. */
VX_INLINE U32 multiply_high16(U32 a, U32 b)
{
    return ((a & 0xffffu) * (b & 0xffffu) >> 16) | ((a >> 16) * (b >> 16) & 0xffff0000u);
}
/** max(a, 0) */
VX_INLINE I32 positive(I32 a)
{
    return a > 0 ? a : 0;
}
VX_INLINE F32 positive(F32 a)
{
    return a > 0 ? a : 0;
}
VX_INLINE F64 to_f64(I32 v)
{
    return v;
}
/** Toward zero; values outside of 32 bits give any result. */
VX_INLINE I32 truncate(F64 v)
{
    return static_cast<I32>(v);
}
VX_INLINE F64 smaller(F64 a, double b)
{
    return a < b ? a : b;
}
/** The bits of v > 0 as binary32, toward zero; right in sign, exponent and 16 bits of fraction. */
VX_INLINE U32 f32_bits_down(I32 v)
{
#if defined(__NVPTX__)
    U32 bits;
    asm("cvt.rz.f32.s32 %0, %1;" : "=r"(bits) : "r"(v));
    return bits;
#endif
    const U32 top = 31u - static_cast<U32>(__builtin_clz(static_cast<U32>(v)));
    return ((top + 127) << 23) | (((static_cast<U32>(v) << (31 - top)) >> 8) & 0x7fffffu);
}
/** table[index] */
VX_INLINE U32 gather32(const uint32_t *table, U32 index)
{
    return table[index];
}
/** Stores the low 16 bits of each lane. */
VX_INLINE void store_low16(uint16_t *p, U32 v)
{
    *p = static_cast<uint16_t>(v);
}
VX_INLINE U32 multiply_rounded_high(U32 a, U32 b)
{
    return static_cast<U32>((static_cast<uint64_t>(a) * b + 0x80000000u) >> 32);
}

#endif

/** a / b, for numbers (a may be 0) and quotients that are far from the ends of the exponents'
 * range. */
VX_INLINE F64 divide(F64 a, F64 b)
{
#if defined(__NVPTX__)
    /* What NVIDIA's compiler makes of a division, less the branch for numbers at the ends. */
    F64 reciprocal = __nvvm_rcp_approx_ftz_d(b);
    F64 error = __builtin_fma(-b, reciprocal, 1.0);
    error = __builtin_fma(error, error, error);
    reciprocal = __builtin_fma(reciprocal, error, reciprocal);
    error = __builtin_fma(-b, reciprocal, 1.0);
    reciprocal = __builtin_fma(reciprocal, error, reciprocal);
    const F64 quotient = a * reciprocal;
    return __builtin_fma(reciprocal, __builtin_fma(-b, quotient, a), quotient);
#else
    return a / b;
#endif
}

/* 2 * kLanes 16-bit values lie in two registers of pairs, one with the values at even places, one
 * with those at odd places, or in one register in order. */

/** The low halves of even and odd, in order. */
VX_INLINE U32 join_low16(U32 even, U32 odd)
{
    return (even & 0xffffu) | (odd << 16);
}
/** The high halves of even and odd, in order. */
VX_INLINE U32 join_high16(U32 even, U32 odd)
{
    return (even >> 16) | (odd & 0xffff0000u);
}

} // namespace vx

#endif
