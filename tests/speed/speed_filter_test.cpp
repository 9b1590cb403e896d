/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Filter taps of SpEED, and the tables of resampled pictures.
 */
#include <cmath>
#include <numeric>

#include "features/resampling.h"
#include "features/speed/speed_filter.h"

#include "check_text.h"

using namespace vmafx;

static void assert_taps(const std::vector<float> &taps, std::initializer_list<float> half)
{
    ck_assert_uint_eq(taps.size(), 2 * half.size() - 1);
    size_t i = 0;
    for (const float expected : half) {
        ck_assert_float_eq(taps[i], expected);
        ck_assert_float_eq(taps[taps.size() - 1 - i], expected);
        ++i;
    }
}

START_TEST(taps_of_scale_one)
{
    assert_taps(speed_low_pass(1),
                {0.0756488293f, 0.0991033912f, 0.120188937f, 0.13493669f, 0.14024429f});
    assert_taps(speed_local_mean(1), {0.166378513f, 0.667242944f});
}
END_TEST

START_TEST(counts_of_taps)
{
    const struct {
        double scale;
        size_t low_pass, mean;
    } counts[] = {{0.5, 5, 3},       {1.5, 15, 3},        {2, 19, 5},       {2.0 / 3, 7, 3},
                  {2.4, 23, 5},      {360.0 / 97, 35, 9}, {4.0 / 3, 13, 3}, {3.5 / 3, 11, 3},
                  {3.75 / 3, 13, 3}, {4.25 / 3, 13, 3},   {5.0 / 3, 15, 5}, {3, 27, 7},
                  {1 / 2.25, 5, 3},  {1.4746, 15, 3},     {1.54, 15, 5},    {1.6, 15, 5},
                  {1.06667, 11, 3},  {0.711111, 7, 3},    {0.74074, 7, 3},  {1.111111, 11, 3}};
    for (const auto &count : counts) {
        ck_assert_uint_eq(speed_low_pass(count.scale).size(), count.low_pass);
        ck_assert_uint_eq(speed_local_mean(count.scale).size(), count.mean);
    }
}
END_TEST

static void assert_tap(const ResampleTap &tap, int32_t at, float weight)
{
    ck_assert_int_eq(tap.at, at);
    ck_assert_float_eq(tap.weight, weight);
}

START_TEST(nearest_takes_samples)
{
    const auto table = resample_table(Resampling::kNearest, 9, 6);
    ck_assert_uint_eq(table.size(), 6);
    const int32_t expected[] = {0, 1, 3, 4, 6, 7};
    for (size_t i = 0; i < 6; ++i)
        assert_tap(table[i], expected[i], 1);
}
END_TEST

/* Twice the size: samples lie a quarter of the way between two. At the left edge libvmaf measures
 * from the reflected neighbour. */
START_TEST(bilinear_weights)
{
    const auto table = resample_table(Resampling::kBilinear, 4, 8);
    const ResampleTap expected[] = {{1, 2.25f}, {0, -1.25f}, {0, 0.75f}, {1, 0.25f},
                                    {0, 0.25f}, {1, 0.75f},  {1, 0.75f}, {2, 0.25f},
                                    {1, 0.25f}, {2, 0.75f},  {2, 0.75f}, {3, 0.25f},
                                    {2, 0.25f}, {3, 0.75f},  {3, 0.75f}, {2, 0.25f}};
    ck_assert_uint_eq(table.size(), std::size(expected));
    for (size_t i = 0; i < table.size(); ++i)
        assert_tap(table[i], expected[i].at, expected[i].weight);
}
END_TEST

/* At half the size every sample is midway: the kernel at 1/2 is 19/32, at 3/2 it is -3/32. */
START_TEST(bicubic_weights)
{
    const auto table = resample_table(Resampling::kBicubic, 8, 4);
    ck_assert_uint_eq(table.size(), 16);
    const float weights[] = {-0.09375f, 0.59375f, 0.59375f, -0.09375f};
    const int32_t second[] = {1, 2, 3, 4}, last[] = {5, 6, 7, 6};
    for (size_t t = 0; t < 4; ++t) {
        assert_tap(table[4 + t], second[t], weights[t]);
        assert_tap(table[12 + t], last[t], weights[t]);
    }
}
END_TEST

START_TEST(lanczos_weights_are_symmetric_and_reach_four_samples)
{
    const auto table = resample_table(Resampling::kLanczos4, 40, 20);
    ck_assert_uint_eq(table.size(), 9 * 20);
    const ResampleTap *const taps = &table[9 * 10];
    float sum = 0;
    for (size_t t = 0; t < 9; ++t) {
        ck_assert_int_eq(taps[t].at, 20 + static_cast<int>(t) - 4);
        if (t > 0)
            ck_assert_float_eq(taps[t].weight, taps[9 - t].weight);
        sum += taps[t].weight;
    }
    ck_assert_float_eq(taps[0].weight, 0); /* 4.5 samples away */
    ck_assert_float_eq_tol(sum, 1, 0.02f);
}
END_TEST

int main()
{
    TCase *tcase = tcase_create("speed_filter");
    tcase_add_test(tcase, taps_of_scale_one);
    tcase_add_test(tcase, counts_of_taps);
    tcase_add_test(tcase, nearest_takes_samples);
    tcase_add_test(tcase, bilinear_weights);
    tcase_add_test(tcase, bicubic_weights);
    tcase_add_test(tcase, lanczos_weights_are_symmetric_and_reach_four_samples);
    return run_tests(tcase, "speed_filter");
}
