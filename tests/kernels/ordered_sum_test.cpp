/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Ordered sums of maps against a plain loop, bit for bit, on data that rounds in every way: ties,
 * sums that grow past powers of two, cancellation, denormals, infinities.
 */
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>

#include "kernels/direct_runner.h"
#include "kernels/ordered_sum_kernels.h"

#include "check_text.h"

using namespace vmafx_test;

template <class Acc, class T> static Acc plain_sum(const std::vector<T> &values)
{
    volatile Acc sum = 0;
    for (const T value : values)
        sum = sum + static_cast<Acc>(value);
    return sum;
}

template <class T>
static std::vector<double> device_sums(DirectRunner &runner, const char *kernel,
                                       const std::vector<std::vector<T>> &maps)
{
    std::vector<double> sums(maps.size(), 0);
    OrderedSumArgs args = {};
    for (size_t k = 0; k < maps.size(); ++k)
        args.map[k] = {maps[k].data(), static_cast<int64_t>(maps[k].size()),
                       reinterpret_cast<uint64_t *>(&sums[k])};
    runner.run(kernel, {static_cast<uint32_t>(maps.size()), 1, 1, kOrderedThreads}, args);
    return sums;
}

template <class Acc, class T> static const char *kernel_name()
{
    if (sizeof(Acc) == sizeof(float))
        return "ordered_sum_f32";
    return sizeof(T) == sizeof(float) ? "ordered_sum_f32_f64" : "ordered_sum_f64";
}

template <class Acc, class T>
static void compare(const std::string &what, const std::vector<std::vector<T>> &maps)
{
    for (const std::string &name : DirectRunner::names()) {
        const auto runner = DirectRunner::of_name(name);
        const auto sums = device_sums(*runner, kernel_name<Acc, T>(), maps);
        for (size_t k = 0; k < maps.size(); ++k) {
            const double expected = static_cast<double>(plain_sum<Acc>(maps[k]));
            const bool same =
                std::bit_cast<uint64_t>(expected) == std::bit_cast<uint64_t>(sums[k]) ||
                (std::isnan(expected) && std::isnan(sums[k]));
            ck_assert_msg(same, "%s, %s, %s, map %zu: %a, a plain loop gives %a", name.c_str(),
                          kernel_name<Acc, T>(), what.c_str(), k, sums[k], expected);
        }
    }
}

using Random = std::mt19937_64;

static double unit(Random &random)
{
    return static_cast<double>(random() >> 11) * 0x1p-53;
}

/** How the values of a map are made. */
struct Recipe {
    const char *name;
    std::function<double(Random &, size_t)> value;
};

static const std::vector<Recipe> &recipes()
{
    static const double infinity = std::numeric_limits<double>::infinity();
    static const std::vector<Recipe> all = {
        {"zeros", [](Random &, size_t) { return 0.0; }},
        {"negative zeros", [](Random &, size_t) { return -0.0; }},
        {"ones", [](Random &, size_t) { return 1.0; }},
        {"0..1", [](Random &r, size_t) { return unit(r); }},
        {"near 1", [](Random &r, size_t) { return 1 - unit(r) * 0x1p-20; }},
        {"-1..1", [](Random &r, size_t) { return unit(r) * 2 - 1; }},
        {"mostly positive", [](Random &r, size_t i) { return i % 97 ? unit(r) : -unit(r); }},
        {"many orders of magnitude",
         [](Random &r, size_t) { return std::ldexp(unit(r), -static_cast<int>(r() % 90)); }},
        {"both signs, many orders",
         [](Random &r, size_t) {
             return std::ldexp(unit(r) - 0.5, static_cast<int>(r() % 80) - 40);
         }},
        /* Halves of the last place of a binary32 and a binary64 sum. */
        {"ties of binary32",
         [](Random &r, size_t) { return std::ldexp(static_cast<double>(r() % 9), -9) + 1; }},
        {"ties of binary64",
         [](Random &r, size_t i) {
             return i == 0 ? 0x1p30 : std::ldexp(static_cast<double>(r() % 16), -24);
         }},
        {"ties among values that are none",
         [](Random &r, size_t i) {
             if (i == 0)
                 return 0x1.8p40;
             return r() % 50 ? unit(r) : std::ldexp(static_cast<double>(r() % 64), -13);
         }},
        {"negative ties",
         [](Random &r, size_t i) {
             return i == 0 ? -0x1.4p40 : std::ldexp(static_cast<double>(r() % 64) - 30, -13);
         }},
        {"binary32 ties, both signs",
         [](Random &r, size_t i) {
             return i == 0 ? 0x1.4p20 : static_cast<double>(r() % 17) / 16 - 0.5;
         }},
        {"down to a power of two",
         [](Random &r, size_t i) { return i == 0 ? 0x1.001p20 : -unit(r) * 0x1p-8; }},
        {"sparse", [](Random &r, size_t) { return r() % 900 ? 0.0 : unit(r); }},
        {"zeros, then values", [](Random &r, size_t i) { return i < 5000 ? 0.0 : unit(r); }},
        {"steps up",
         [](Random &r, size_t i) { return std::ldexp(unit(r), static_cast<int>(i / 600)); }},
        {"steps down",
         [](Random &r, size_t i) { return std::ldexp(unit(r), -static_cast<int>(i / 600)); }},
        {"halves of the last place of 2^53 and 2^24",
         [](Random &r, size_t i) {
             return i == 0 ? 0x1p53 : i == 1 ? 0.0 : i % 2 ? 1.0 : static_cast<double>(r() % 4);
         }},
        {"just under a power of two",
         [](Random &r, size_t i) {
             return i == 0 ? 0x1.fffffep23 : std::ldexp(unit(r), static_cast<int>(r() % 3) - 2);
         }},
        {"back and forth over a power of two",
         [](Random &r, size_t i) { return i == 0 ? 0x1p20 : (i % 2 ? -1 : 1) * (unit(r) + 0.25); }},
        {"cancellation", [](Random &, size_t i) { return i % 2 ? -0x1.234567p3 : 0x1.234567p3; }},
        {"decreasing", [](Random &r, size_t i) { return i == 0 ? 1000.0 : -unit(r) * 0.1; }},
        {"denormals of binary32", [](Random &r, size_t) { return std::ldexp(unit(r), -130); }},
        {"denormals of binary64", [](Random &r, size_t) { return std::ldexp(unit(r), -1030); }},
        {"overflow of binary32", [](Random &r, size_t) { return std::ldexp(unit(r), 120); }},
        {"overflow of binary64", [](Random &r, size_t) { return std::ldexp(unit(r), 1020); }},
        {"an infinity", [](Random &r, size_t i) { return i == 3000 ? infinity : unit(r); }},
        {"two infinities",
         [](Random &r, size_t i) { return i == 100    ? -infinity
                                          : i == 4100 ? infinity
                                                      : unit(r); }},
        {"not a number",
         [](Random &r, size_t i) {
             return i == 2047 ? std::numeric_limits<double>::quiet_NaN() : unit(r);
         }},
    };
    return all;
}

template <class T> static std::vector<T> make(const Recipe &recipe, size_t count, uint64_t seed)
{
    Random random(seed);
    std::vector<T> map(count);
    for (size_t i = 0; i < count; ++i)
        map[i] = static_cast<T>(recipe.value(random, i));
    return map;
}

template <class Acc, class T> static void compare_recipes()
{
    for (const Recipe &recipe : recipes()) {
        std::vector<std::vector<T>> maps;
        uint64_t seed = 1;
        for (const size_t count : {1u, 2u, 255u, 4095u, 4096u, 4097u, 9000u, 70001u})
            maps.push_back(make<T>(recipe, count, seed++));
        compare<Acc>(recipe.name, maps);
    }
}

START_TEST(sums_are_those_of_a_plain_loop)
{
    compare_recipes<double, double>();
    compare_recipes<double, float>();
    compare_recipes<float, float>();
}
END_TEST

START_TEST(empty_map_is_zero)
{
    compare<double>("empty", std::vector<std::vector<double>>(1));
}
END_TEST

/* 2^24 + 1 + 1 + ... stays where it is, in binary32; the other way round it does not. */
START_TEST(order_matters)
{
    std::vector<float> map(4097, 1.0f);
    map[0] = 0x1p24f;
    const auto runner = DirectRunner::of_name(DirectRunner::names().back());
    ck_assert_double_eq(device_sums<float>(*runner, "ordered_sum_f32", {map})[0], 0x1p24);
    std::swap(map.front(), map.back());
    ck_assert_double_eq(device_sums<float>(*runner, "ordered_sum_f32", {map})[0], 0x1p24 + 4096);
    ck_assert_double_eq(device_sums<float>(*runner, "ordered_sum_f32_f64", {map})[0],
                        0x1p24 + 4096);
}
END_TEST

/* Parts of all kinds one after the other, many times. */
START_TEST(mixed_maps)
{
    Random random(7);
    for (int round = 0; round < 12; ++round) {
        std::vector<std::vector<double>> maps(kOrderedMaps);
        std::vector<std::vector<float>> narrow(kOrderedMaps);
        for (size_t k = 0; k < maps.size(); ++k) {
            const double scale = std::ldexp(1.0, static_cast<int>(random() % 60) - 30);
            while (maps[k].size() < 12000) {
                const Recipe &recipe = recipes()[random() % (recipes().size() - 5)]; /* finite */
                const size_t length = 1 + random() % 3000;
                for (size_t i = 0; i < length; ++i)
                    maps[k].push_back(recipe.value(random, i + random() % 2) * scale);
            }
            narrow[k].assign(maps[k].begin(), maps[k].end());
        }
        compare<double>("mixed", maps);
        compare<double>("mixed", narrow);
        compare<float>("mixed", narrow);
    }
}
END_TEST

START_TEST(sum_goes_on_where_it_was)
{
    const std::vector<float> first(5000, 0.1f), second(3000, 1e-9f);
    std::vector<float> whole = first;
    whole.insert(whole.end(), second.begin(), second.end());
    for (const std::string &name : DirectRunner::names()) {
        const auto runner = DirectRunner::of_name(name);
        double sum = 0;
        for (const auto *part : {&first, &second}) {
            OrderedSumArgs args = {};
            args.map[0] = {part->data(), static_cast<int64_t>(part->size()),
                           reinterpret_cast<uint64_t *>(&sum)};
            runner->run("ordered_sum_f32", {1, 1, 1, kOrderedThreads}, args);
        }
        ck_assert_double_eq(sum, plain_sum<float>(whole));
    }
}
END_TEST

int main()
{
    TCase *tcase = tcase_create("ordered sums");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, sums_are_those_of_a_plain_loop);
    tcase_add_test(tcase, empty_map_is_zero);
    tcase_add_test(tcase, order_matters);
    tcase_add_test(tcase, mixed_maps);
    tcase_add_test(tcase, sum_goes_on_where_it_was);
    return run_tests(tcase, "ordered sums");
}
