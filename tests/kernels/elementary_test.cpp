/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The kernels' roots, powers and functions of angles against the C library's of more bits.
 */
#include <cmath>
#include <limits>
#include <random>

#include "kernels/elementary.h"
#include "kernels/roots.h"
#include "kernels/trigonometry.h"

#include "check_text.h"

static_assert(std::numeric_limits<long double>::digits >= 64);

static std::mt19937_64 generator(1);

static double between(double from, double to)
{
    return std::uniform_real_distribution<double>(from, to)(generator);
}

/** Of a sign and of any size between powers of two. */
static double of_any_size(double least_exponent, double most_exponent)
{
    const double size = std::exp2(between(least_exponent, most_exponent));
    return generator() % 2 != 0 ? size : -size;
}

/** bound: of the last place. */
static void assert_close(const char *what, double argument, double value, long double exact,
                         double bound)
{
    const double size = std::fabs(static_cast<double>(exact));
    const double place = std::nextafter(size, INFINITY) - size;
    const double error = static_cast<double>(std::fabs(value - exact)) / place;
    ck_assert_msg(error <= bound, "%s of %a is %a, off by %f of the last place", what, argument,
                  value, error);
}

static void assert_same_bits(double value, double expected)
{
    ck_assert_msg(value == expected && std::signbit(value) == std::signbit(expected),
                  "%a instead of %a", value, expected);
}

START_TEST(roots)
{
    constexpr double kBound = 0.51;
    for (int i = 0; i < 100000; ++i) {
        for (const double x : {std::exp2(between(-700, 700)), std::exp2(between(-8, 3)),
                               1 + std::exp2(between(-52, -1)), 1 - std::exp2(between(-52, -1))}) {
            assert_close("cube root", x, vx::cube_root(x), cbrtl(x), kBound);
            assert_close("third power", x, vx::third_power(x), powl(x, 1.0 / 3), kBound);
        }
    }
    for (int k = 1; k < 100000; ++k)
        ck_assert_double_eq(vx::cube_root(static_cast<double>(k) * k * k), k);
}
END_TEST

START_TEST(powers)
{
    for (int i = 0; i < 100000; ++i) {
        const double far = std::exp2(between(-100, 100));
        assert_close("power 2.4", far, vx::power_2_4(far), powl(far, 2.4), 0.6);
        for (const double x :
             {between(0.05, 2.5), 1 + std::exp2(between(-52, -1)), 1 - std::exp2(between(-52, -1))})
            assert_close("power 2.4", x, vx::power_2_4(x), powl(x, 2.4), 0.53);
        const auto c = static_cast<float>(std::exp2(between(-18, 18)));
        assert_close("power 7", static_cast<double>(c), vx::seventh_power(c), powl(c, 7), 0.51);
    }
    assert_same_bits(vx::power_2_4(1.0), 1.0);
    assert_same_bits(vx::power_2_4(1024.0), 0x1.ffffffffffffap+23); /* 2.4 is a little less */
    assert_same_bits(vx::seventh_power(0.0f), 0.0);
    assert_same_bits(vx::seventh_power(25.0f), 6103515625.0);
    assert_same_bits(vx::seventh_power(300.0f), 2187e14);
    /* Far below what a double holds: neither NaN nor anything larger. */
    ck_assert(std::fabs(vx::seventh_power(1e-45f)) < 1e-300);
}
END_TEST

START_TEST(exponentials)
{
    constexpr double kBound = 0.63;
    for (int i = 0; i < 100000; ++i) {
        for (const double x : {between(-700, 700), between(-2, 2), of_any_size(-60, 0)})
            assert_close("exponential", x, vx::exponential(x), expl(x), kBound);
    }
    assert_same_bits(vx::exponential(0.0), 1.0);
    assert_same_bits(vx::exponential(-0.0), 1.0);
    assert_same_bits(vx::exponential(-1e9), vx::exponential(-700.0));
    assert_same_bits(vx::exponential(1e9), vx::exponential(700.0));
}
END_TEST

static void check_angle(double x)
{
    constexpr double kBound = 0.8;
    assert_close("sine", x, vx::sine(x), sinl(x), kBound);
    assert_close("cosine", x, vx::cosine(x), cosl(x), kBound);
}

START_TEST(sines_and_cosines)
{
    for (int i = 0; i < 100000; ++i) {
        check_angle(between(-30, 30));
        check_angle(of_any_size(-20, 20));
        check_angle(of_any_size(-1000, -1));
    }
    /* Beside the zeros, and beside the borders of what the series take. */
    for (int k = -4000; k < 4000; ++k) {
        double x = k * (M_PI / 4);
        for (int step = -3; step <= 3; ++step) {
            if (x != 0)
                check_angle(x * (1 + step * 0x1p-52));
        }
    }
    assert_same_bits(vx::sine(0.0), 0.0);
    assert_same_bits(vx::cosine(0.0), 1.0);
    assert_same_bits(vx::cosine(-0.0), 1.0);
}
END_TEST

static void check_point(double y, double x)
{
    assert_close("arc tangent", y, vx::arc_tangent(y, x), atan2l(y, x), 0.54);
}

START_TEST(arc_tangents)
{
    for (int i = 0; i < 100000; ++i) {
        check_point(between(-1, 1), between(-1, 1));
        check_point(static_cast<float>(between(-120, 120)), static_cast<float>(between(-120, 120)));
        check_point(of_any_size(-50, 50), of_any_size(-50, 50));
        const double near = of_any_size(-1, 1);
        for (const double tangent : {0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0}) {
            const double other = near * tangent * (1 + of_any_size(-54, -10));
            check_point(near, other);
            check_point(other, near);
            check_point(-other, near);
        }
    }
    check_point(1e-45f, -3e38f);
    check_point(-3e38f, 1e-45f);
    for (const double y : {0.0, -0.0, 2.0, -2.0}) {
        for (const double x : {0.0, -0.0, 3.0, -3.0}) {
            if (y == 0 || x == 0)
                assert_same_bits(vx::arc_tangent(y, x), std::atan2(y, x));
        }
    }
}
END_TEST

int main()
{
    TCase *tcase = tcase_create("elementary");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, roots);
    tcase_add_test(tcase, powers);
    tcase_add_test(tcase, exponentials);
    tcase_add_test(tcase, sines_and_cosines);
    tcase_add_test(tcase, arc_tangents);
    return run_tests(tcase, "elementary");
}
