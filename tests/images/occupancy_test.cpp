/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Occupancy, against what clang 19 reported of kernels (-Rpass-analysis=kernel-resource-usage).
 */
#include "images/occupancy.h"

#include <stdexcept>

#include "check_text.h"

using namespace vmafx_test;

static GpuKernel kernel(uint32_t threads, uint32_t wave, uint32_t vgprs, uint32_t sgprs,
                        uint64_t tile)
{
    GpuKernel made;
    made.threads = threads;
    made.wave = wave;
    made.vgprs = vgprs;
    made.sgprs = sgprs;
    made.tile = tile;
    return made;
}

START_TEST(as_clang_reports)
{
    struct Case {
        const char *target;
        uint32_t threads, wave, vgprs, sgprs;
        uint64_t tile;
        double waves;
    };
    const Case cases[] = {
        /* By vector registers. */
        {"gfx900", 512, 64, 61, 45, 10648, 4},
        {"gfx9-generic", 512, 64, 61, 45, 10648, 4},
        {"gfx90a", 512, 64, 108, 48, 10648, 4},
        {"gfx942", 512, 64, 110, 52, 10648, 4},
        {"gfx1010", 256, 32, 120, 37, 16128, 8},
        {"gfx1030", 512, 32, 68, 38, 10648, 12},
        {"gfx1030", 256, 32, 150, 41, 16128, 6},
        {"gfx1100", 512, 32, 68, 38, 10648, 16},
        {"gfx1103", 512, 32, 68, 38, 10648, 12},
        {"gfx11-generic", 512, 32, 68, 38, 10648, 12},
        {"gfx1201", 512, 32, 68, 40, 10648, 16},
        /* By tile memory. */
        {"gfx900", 256, 64, 25, 58, 45440, 1},
        {"gfx942", 128, 64, 22, 36, 14720, 2},
        {"gfx1010", 256, 32, 22, 46, 45440, 4},
        {"gfx1100", 128, 32, 81, 63, 29824, 4},
        {"gfx1201", 128, 32, 20, 22, 14720, 8},
        /* By barriers of work-groups. */
        {"gfx900", 128, 64, 15, 32, 48, 8},
        /* By waves. */
        {"gfx1010", 128, 32, 15, 28, 48, 20},
        {"gfx10-3-generic", 128, 32, 15, 26, 48, 16},
        {"gfx12-generic", 128, 32, 15, 28, 48, 16},
    };
    for (const Case &c : cases) {
        const double waves = waves_per_simd(kernel(c.threads, c.wave, c.vgprs, c.sgprs, c.tile),
                                            register_files(c.target));
        ck_assert_msg(waves == c.waves, "%s with %u registers: %g waves, not %g", c.target, c.vgprs,
                      waves, c.waves);
    }
}
END_TEST

START_TEST(scalar_registers_limit_gfx9)
{
    /* 800 of a SIMD, in granules of 16: 112 are left for seven waves. */
    const GpuKernel k = kernel(64, 64, 24, 100, 0);
    ck_assert_double_eq(waves_per_simd(k, register_files("gfx906")), 7);
    ck_assert_double_eq(waves_per_simd(k, register_files("gfx1030")), 16);
}
END_TEST

START_TEST(only_whole_work_groups_count)
{
    /* One work-group of one wave on a unit of four SIMDs. */
    const GpuKernel k = kernel(64, 64, 24, 32, 33280);
    ck_assert_double_eq(waves_per_simd(k, register_files("gfx900")), 0.25);
}
END_TEST

START_TEST(unknown_targets_are_refused)
{
    try {
        register_files("sm_75");
    } catch (const std::runtime_error &) {
        return;
    }
    ck_abort_msg("sm_75 has register files");
}
END_TEST

int main()
{
    TCase *tcase = tcase_create("occupancy");
    tcase_add_test(tcase, as_clang_reports);
    tcase_add_test(tcase, scalar_registers_limit_gfx9);
    tcase_add_test(tcase, only_whole_work_groups_count);
    tcase_add_test(tcase, unknown_targets_are_refused);
    return run_tests(tcase, "occupancy");
}
