/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The score store and pooling.
 */
#include <cmath>
#include <functional>

#include <libvmafx/score.h>

#include "core/failure.h"
#include "core/pooling.h"
#include "core/score_store.h"

#include "check_text.h"

using namespace vmafx;

namespace
{

int32_t status_of(const std::function<void()> &body)
{
    try {
        body();
    } catch (const Failure &failure) {
        return failure.status();
    }
    return VMAFX_OK;
}

ScoreColumn column_of(std::initializer_list<double> values, uint64_t step = 1)
{
    ScoreColumn column("x");
    uint64_t index = 0;
    for (const double value : values) {
        column.write(index, value);
        index += step;
    }
    return column;
}

} // namespace

START_TEST(names_stay_in_order_of_first_write)
{
    ScoreStore store;
    store.write("VMAF_integer_feature_motion2_score", 7, 1);
    store.write("psnr_y", 7, 2);
    store.write("VMAF_integer_feature_motion2_score", 3, 3);
    ck_assert_uint_eq(store.columns().size(), 2);
    assert_text(store.columns()[0].name(), "VMAF_integer_feature_motion2_score");
    assert_text(store.columns()[0].alias(), "integer_motion2");
    assert_text(store.columns()[1].alias(), "psnr_y");
    ck_assert_uint_eq(store.columns()[0].entries()[0].index, 3);
}
END_TEST

START_TEST(look_up_by_name_and_alias)
{
    ScoreStore store;
    store.write("VMAF_integer_feature_motion2_score", 7, 1.5);
    ck_assert(store.find("VMAF_integer_feature_motion2_score", 7) == 1.5);
    ck_assert(store.find("integer_motion2", 7) == 1.5);
    ck_assert(!store.find("integer_motion2", 6));
    ck_assert(!store.find("motion2", 7));
    store.write("integer_motion2", 0, 9); /* a stored name comes before an alias */
    ck_assert(store.find("integer_motion2", 0) == 9);
    ck_assert(!store.find("integer_motion2", 7));
}
END_TEST

START_TEST(second_write_is_refused)
{
    ScoreStore store;
    for (const uint64_t index : {0u, 5u, 3u})
        store.write("a", index, 1);
    for (const uint64_t index : {0u, 5u, 3u})
        ck_assert_int_eq(status_of([&] { store.write("a", index, 2); }), VMAFX_E_INVALID);
    ck_assert(store.find("a", 3) == 1);
    store.write_aggregate("a", 4);
    ck_assert_int_eq(status_of([&] { store.write_aggregate("a", 4); }), VMAFX_E_INVALID);
    ck_assert(store.find_aggregate("a") == 4);
    ck_assert(!store.find_aggregate("b"));
}
END_TEST

START_TEST(far_indices_cost_no_memory)
{
    ScoreStore store;
    store.write("a", UINT64_MAX, 1);
    store.write("a", 0, 2);
    ck_assert(store.find("a", UINT64_MAX) == 1);
    ck_assert_int_eq(status_of([&] { pool(store.columns()[0], {0, UINT64_MAX, 1}); }),
                     VMAFX_E_NOTFOUND);
    ck_assert_double_eq(pool(store.columns()[0], {UINT64_MAX, UINT64_MAX, 1}).mean, 1);
}
END_TEST

START_TEST(pooled_values)
{
    const ScoreColumn column = column_of({1, 3, 0, 4});
    const PooledScore all = pool(column, {0, 3, 0});
    ck_assert_double_eq(all.min, 0);
    ck_assert_double_eq(all.max, 4);
    ck_assert_double_eq(all.mean, 2);
    ck_assert_double_eq(all.harmonic_mean, 4 / (0.5 + 0.25 + 1 + 0.2) - 1);
    const PooledScore part = pool(column, {1, 2, 1});
    ck_assert_double_eq(part.mean, 1.5);
    ck_assert_double_eq(part.get(VMAFX_POOL_MIN), 0);
    ck_assert_double_eq(part.get(VMAFX_POOL_MAX), 3);
    ck_assert_double_eq(part.get(VMAFX_POOL_MEAN), 1.5);
    ck_assert_double_eq(part.get(VMAFX_POOL_HARMONIC_MEAN), 2 / (0.25 + 1) - 1);
    ck_assert_int_eq(status_of([&] { part.get(0); }), VMAFX_E_INVALID);
    ck_assert_int_eq(status_of([&] { part.get(5); }), VMAFX_E_INVALID);
}
END_TEST

START_TEST(subsampled_pooling)
{
    const ScoreColumn column = column_of({5, 6, 7}, 3); /* frames 0, 3, 6 */
    ck_assert_double_eq(pool(column, {0, 8, 3}).mean, 6);
    ck_assert_double_eq(pool(column, {0, 8, 3}).min, 5);
    ck_assert_double_eq(pool(column, {0, 5, 3}).mean, 5.5);
    /* The first frame is skipped: the minimum starts from 0. */
    ck_assert_double_eq(pool(column, {1, 8, 3}).mean, 6.5);
    ck_assert_double_eq(pool(column, {1, 8, 3}).min, 0);
    ck_assert_double_eq(pool(column, {1, 8, 3}).max, 7);
    ck_assert_double_eq(pool(column_of({-5, -6}, 2), {1, 2, 2}).max, 0);
    ck_assert_int_eq(status_of([&] { pool(column, {1, 2, 3}); }), VMAFX_E_RANGE);
    ck_assert_int_eq(status_of([&] { pool(column, {3, 2, 1}); }), VMAFX_E_RANGE);
    ck_assert_int_eq(status_of([&] { pool(column, {0, 9, 3}); }), VMAFX_E_NOTFOUND);
    ck_assert_int_eq(status_of([&] { pool(column, {0, 3, 1}); }), VMAFX_E_NOTFOUND);
}
END_TEST

START_TEST(nan_sticks_only_if_first)
{
    ck_assert_double_eq(pool(column_of({1, NAN, 2}), {0, 2, 0}).max, 2);
    ck_assert(std::isnan(pool(column_of({NAN, 1}), {0, 1, 0}).min));
    ck_assert(std::isnan(pool(column_of({1, NAN}), {0, 1, 0}).mean));
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("store");
    tcase_add_test(tcase, names_stay_in_order_of_first_write);
    tcase_add_test(tcase, look_up_by_name_and_alias);
    tcase_add_test(tcase, second_write_is_refused);
    tcase_add_test(tcase, far_indices_cost_no_memory);
    tcase_add_test(tcase, pooled_values);
    tcase_add_test(tcase, subsampled_pooling);
    tcase_add_test(tcase, nan_sticks_only_if_first);
    return run_tests(tcase, "scores");
}
