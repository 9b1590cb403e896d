/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What an ordered sum costs a GPU: how many values are added one by one, and how many rounds a
 * work-group takes. That the sums are right is another test's matter.
 */
#define VX_GPU_TILES 1
#include "kernels/ordered_runs.h"

#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "check_text.h"

/** A value that counts how often it is added where it lies in the map, and how often in a copy. */
struct Counted {
    double value;
    explicit operator double() const;
};

static std::vector<Counted> map;
static int64_t added_alone, added_in_runs;

Counted::operator double() const
{
    const bool in_map = this >= map.data() && this < map.data() + map.size();
    ++(in_map ? added_alone : added_in_runs);
    return value;
}

/** Rounds beyond one for each block, and values that one thread adds alone. */
static void assert_cheap(const char *what, size_t count, int64_t rounds, int64_t alone,
                         const std::function<double(std::mt19937_64 &)> &value)
{
    std::mt19937_64 random(3);
    map.clear();
    double plain = 0, sum = -1;
    for (size_t i = 0; i < count; ++i) {
        map.push_back({value(random)});
        plain += map.back().value;
    }
    added_alone = added_in_runs = 0;
    const auto tile = std::make_unique<vx::OrderedRuns<double>>();
    vx::ordered_runs(vx::Group{}, *tile, 0.0, map.data(), static_cast<int64_t>(count),
                     [&](double done) { sum = done; });
    ck_assert_double_eq(sum, plain);

    const auto blocks = static_cast<int64_t>((count + vx::kBlockValues - 1) / vx::kBlockValues);
    const int64_t more = added_in_runs / vx::kBlockValues - blocks;
    printf("%s: %zu values, %lld blocks and %lld rounds more, %lld values one by one\n", what,
           count, static_cast<long long>(blocks), static_cast<long long>(more),
           static_cast<long long>(added_alone));
    ck_assert_int_le(more, rounds);
    ck_assert_int_le(added_alone, alone);
}

static double unit(std::mt19937_64 &random)
{
    return static_cast<double>(random() >> 11) * 0x1p-53;
}

constexpr size_t kFullHd = 1910 * 1070; /* windows of a picture of 1920x1080 */

/* A sum that grows to 2^21 leaves some twenty binades, each time with a run and those that follow.
 */
START_TEST(full_hd_maps)
{
    assert_cheap("0..1", kFullHd, 30, 4000, unit);
    assert_cheap("near 1", kFullHd, 30, 4000,
                 [](auto &random) { return 1 - unit(random) * 0x1p-12; });
    assert_cheap("ones", kFullHd, 30, 4000, [](auto &) { return 1.0; });
    assert_cheap("floats", kFullHd, 30, 4000, [](auto &random) {
        return static_cast<double>(static_cast<float>(unit(random)));
    });
    assert_cheap("some negative", kFullHd, 30, 4000,
                 [](auto &random) { return random() % 16 ? unit(random) : -unit(random); });
    assert_cheap("zeros", kFullHd, 0, 0, [](auto &) { return 0.0; });
}
END_TEST

/* A sum that stays near zero goes from binade to binade: not much worse than one by one. */
START_TEST(cancelling_maps)
{
    assert_cheap("both signs", 100000, 1000, 100000,
                 [](auto &random) { return unit(random) - 0.5; });
}
END_TEST

int main()
{
    TCase *tcase = tcase_create("ordered runs");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, full_hd_maps);
    tcase_add_test(tcase, cancelling_maps);
    return run_tests(tcase, "ordered runs");
}
