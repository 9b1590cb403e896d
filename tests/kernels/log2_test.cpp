/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The kernels' binary logarithm against the C library's of more bits.
 */
#include <cmath>
#include <limits>
#include <random>

#include "kernels/log2.h"

#include "check_text.h"

static_assert(std::numeric_limits<long double>::digits >= 64);

constexpr double kBound = 0.56; /* of the last place */

static void assert_close(double x)
{
    const double value = vx::log2(x);
    const long double exact = log2l(x);
    const double size = std::fabs(static_cast<double>(exact));
    const double place = std::nextafter(size, INFINITY) - size;
    const double error = static_cast<double>(std::fabs(value - exact)) / place;
    ck_assert_msg(error <= kBound, "log2(%a) is %a, off by %f of the last place", x, value, error);
}

START_TEST(errors_are_small)
{
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> exponent(-1021, 1023), near(-3, 3), closer(-60, -1);
    for (int i = 0; i < 200000; ++i) {
        assert_close(std::exp2(exponent(random)));
        assert_close(std::exp2(near(random)));
        const double distance = std::exp2(closer(random));
        assert_close(1 + distance);
        assert_close(1 - distance / 2);
        assert_close(static_cast<float>(std::exp2(near(random))));
    }
}
END_TEST

START_TEST(powers_of_two_are_exact)
{
    for (int e = -1022; e < 1024; ++e)
        ck_assert(vx::log2(std::ldexp(1.0, e)) == e);
    ck_assert(!std::signbit(vx::log2(1.0)));
}
END_TEST

START_TEST(special_values)
{
    ck_assert(vx::log2(0.0) == -INFINITY);
    ck_assert(vx::log2(-0.0) == -INFINITY);
    ck_assert(vx::log2(INFINITY) == INFINITY);
    ck_assert(std::isnan(vx::log2(-1.0)));
    ck_assert(std::isnan(vx::log2(-INFINITY)));
    ck_assert(std::isnan(vx::log2(NAN)));
}
END_TEST

int main()
{
    TCase *tcase = tcase_create("log2");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, errors_are_small);
    tcase_add_test(tcase, powers_of_two_are_exact);
    tcase_add_test(tcase, special_values);
    return run_tests(tcase, "log2");
}
