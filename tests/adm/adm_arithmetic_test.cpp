/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The branch-free forms of ADM's arithmetic against the plain definitions.
 */
#include "features/adm/adm_arithmetic.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <random>

#include "check_text.h"

/* Check's own assertions note each call, which is too slow for millions of them. */
template <class A, class B> static void check_equal(A actual, B expected, const char *what)
{
    if (actual != expected)
        ck_abort_msg("%s: %lld, not %lld", what, static_cast<long long>(actual),
                     static_cast<long long>(expected));
}

static int64_t table(int64_t n)
{
    return (int64_t{1} << 30) / n;
}

/** Gain and restored value by division and 64-bit products. */
static int64_t plain_restored(int64_t o, int64_t t, bool scale0)
{
    if (o == 0)
        return 0;
    const int64_t q = std::llabs(o), sign = o < 0 ? -1 : 1;
    int c = 0;
    int64_t m = q;
    if (!scale0 && q >= 32768) {
        c = 17 - std::countl_zero(static_cast<uint32_t>(q));
        m = (q + (int64_t{1} << (c - 1))) >> c;
    }
    const int64_t k = (table(m) * t * sign + (int64_t{1} << (14 + c))) >> (15 + c);
    return (std::clamp<int64_t>(k, 0, 32768) * o + 16384) >> 15;
}

START_TEST(reciprocals_are_the_table)
{
    for (uint32_t n = 1; n <= 32768; ++n)
        check_equal(int64_t{adm::reciprocal(n)}, table(n), "reciprocal");
}
END_TEST

/* GPUs estimate what is divided here. */
START_TEST(reciprocals_need_no_exact_inverse)
{
    for (uint32_t n = 1; n <= 32768; ++n) {
        const uint32_t bits = std::bit_cast<uint32_t>(1.0f / static_cast<float>(n));
        for (const uint32_t inverse : {bits - 2, bits - 1, bits + 1, bits + 2})
            check_equal(int64_t{adm::reciprocal(n, std::bit_cast<float>(inverse))}, table(n),
                        "reciprocal");
    }
}
END_TEST

START_TEST(logarithms)
{
    for (int e = 0; e < 31; ++e) {
        const uint32_t power = 1u << e;
        ck_assert_int_eq(adm::log2_floor(power), e);
        ck_assert_int_eq(adm::log2_floor(power | (power - 1)), e);
        ck_assert_int_eq(adm::log2_floor(power | (power >> 1)), e);
    }
}
END_TEST

template <class Value> static void check_restored(Value o, Value t)
{
    const int64_t plain = plain_restored(o, t, sizeof(Value) == 2);
    const adm::Restored v = adm::restore(o, t);
    if (adm::with_sign_of(v.r, o) != plain)
        ck_abort_msg("o %d, t %d: %d, not %lld", int{o}, int{t}, adm::with_sign_of(v.r, o),
                     static_cast<long long>(plain));
}

START_TEST(restored_values_of_16_bits)
{
    std::mt19937 random(1);
    for (int o = -32767; o <= 32767; o += o > -300 && o < 300 ? 1 : 13) {
        for (const int t : {0, 1, -1, o / 2, o - 1, o, o + 1, 2 * o, 32767, -32767})
            check_restored(static_cast<int16_t>(o),
                           static_cast<int16_t>(std::clamp(t, -32767, 32767)));
        for (int i = 0; i < 50; ++i)
            check_restored(static_cast<int16_t>(o), static_cast<int16_t>(random() % 65535 - 32767));
    }
}
END_TEST

START_TEST(restored_values_of_32_bits)
{
    std::mt19937 random(2);
    const auto any = [&] {
        const int32_t v = static_cast<int32_t>(random() >> 2 >> (random() % 30));
        return random() & 1 ? -v : v;
    };
    for (int i = 0; i < 400000; ++i) {
        const int32_t o = any();
        check_restored(o, any());
        check_restored(o, static_cast<int32_t>(o + o / 3));
        check_restored(o, static_cast<int32_t>(o - (random() & 3)));
    }
}
END_TEST

START_TEST(gain_limits)
{
    std::mt19937 random(3);
    for (int i = 0; i < 200000; ++i) {
        const auto r = static_cast<uint32_t>(random() >> 1 >> (random() % 31));
        const auto t = static_cast<uint32_t>(random() >> 1 >> (random() % 31));
        for (const uint32_t gain : {1u, 2u, 3u, 100u}) {
            const uint64_t expected = std::min<uint64_t>(uint64_t{r} * gain, t);
            check_equal(adm::limit_whole({r, t}, gain, 0x7fffffffu / gain), expected, "whole");
            check_equal(adm::limit_real({r, t}, gain), expected, "real");
        }
    }
    /* 5 * 1.2 rounds up to a whole number, 3 * 1.37 is cut. */
    ck_assert_uint_eq(adm::limit_real({5, 100}, 1.2), 6);
    ck_assert_uint_eq(adm::limit_real({3, 100}, 1.37), 4);
}
END_TEST

START_TEST(gain_limits_of_scale_0)
{
    for (uint32_t r = 0; r <= 32768; r += 7) {
        for (const uint32_t gain : {1u, 2u, 100u}) {
            for (const uint32_t t : {0u, r, r * gain, 32767u})
                check_equal(adm::limit_whole0({r, t}, gain), std::min(r * gain, t), "limit");
        }
    }
}
END_TEST

template <class Value> static void check_direction(Value oh, Value ov, Value th, Value tv)
{
    if (adm::branching_same_direction(oh, ov, th, tv) != adm::same_direction(oh, ov, th, tv))
        ck_abort_msg("(%d, %d) and (%d, %d)", int{oh}, int{ov}, int{th}, int{tv});
}

/** Vectors of any length, among them many that lie one degree apart, in four quadrants. */
template <class Value> static void check_directions(uint32_t seed, int bits)
{
    std::mt19937 random(seed);
    const double degree = std::acos(-1.0) / 180;
    const auto value = [&](double v) { return static_cast<Value>(std::lround(v)); };
    for (int i = 0; i < 300000; ++i) {
        const auto length = [&] {
            return std::ldexp(1.0 + random() % 1000 / 1000.0, random() % bits);
        };
        const double angle = random() % 36000 / 100.0 * degree;
        const double apart = (random() & 1 ? 1 : -1) * (1 + random() % 3 * 1e-9) * degree;
        const double one = length(), other = length();
        const Value oh = value(one * std::cos(angle)), ov = value(one * std::sin(angle));
        const Value th = value(other * std::cos(angle + apart));
        const Value tv = value(other * std::sin(angle + apart));
        check_direction<Value>(oh, ov, th, tv);
        check_direction<Value>(oh, ov, static_cast<Value>(-th), static_cast<Value>(-tv));
        check_direction<Value>(oh, ov, oh, ov);
        check_direction<Value>(oh, ov, 0, 0);
        check_direction<Value>(0, 0, th, tv);
        check_direction<Value>(oh, 0, 0, tv);
    }
}

START_TEST(estimated_directions)
{
    check_directions<int16_t>(5, 14);
    check_directions<int32_t>(6, 30);
    check_direction<int16_t>(0, 0, 0, 0);
    check_direction<int32_t>(-INT32_MAX, INT32_MAX, -INT32_MAX, INT32_MAX);
}
END_TEST

START_TEST(floats_are_rounded_once)
{
    std::mt19937_64 random(4);
    for (int i = 0; i < 400000; ++i) {
        const int64_t v = static_cast<int64_t>(random()) >> (random() % 63);
        /* Halves between two floats, and their neighbours. */
        const int64_t half =
            static_cast<int64_t>((random() | 0x8000000000000000u) >> 1 >> (random() % 38)) &
            ~int64_t{1};
        const int shift = std::max(0, 63 - std::countl_zero(static_cast<uint64_t>(half)) - 24);
        const int64_t tie = (half >> shift | 1) << shift;
        for (const int64_t x : {v, tie, tie - 1, tie + 1, -tie, -tie + 1, -tie - 1})
            check_equal(adm::nearest_float(x), static_cast<float>(x), "float");
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("adm arithmetic");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, reciprocals_are_the_table);
    tcase_add_test(tcase, reciprocals_need_no_exact_inverse);
    tcase_add_test(tcase, logarithms);
    tcase_add_test(tcase, restored_values_of_16_bits);
    tcase_add_test(tcase, restored_values_of_32_bits);
    tcase_add_test(tcase, gain_limits);
    tcase_add_test(tcase, gain_limits_of_scale_0);
    tcase_add_test(tcase, estimated_directions);
    tcase_add_test(tcase, floats_are_rounded_once);
    return run_tests(tcase, "adm arithmetic");
}
