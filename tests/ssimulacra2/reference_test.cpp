/* SPDX-License-Identifier: BSD-2-Clause
 *
 * SSIMULACRA 2 against scores that the reference program printed: ssimulacra2 of libjxl 0.11.2, on
 * an x86-64 CPU with fused multiplications and AVX-512.
 *
 * That program blurs by a recursion in single precision that keeps its rounding errors, some 1e-6
 * of blurred samples. In the SSIM-type error they are divided by no less than 0.0009, so they count
 * where pictures hardly differ: the formulas in doubles are up to 0.016 away from its scores below
 * 85, and its own scores move by up to 0.018 with the CPU's instructions. Kernels add 0.0005. So
 * 0.02 is allowed, and for the pair that differs by one step everywhere, where rounding makes
 * 0.275, 0.3.
 *
 * With a folder as argument it writes the pictures there, for another run of that program:
 *     ssimulacra2 NAME_reference.ppm NAME_distorted.ppm
 */
#include <cstdio>
#include <exception>

#include "image_scores.h"
#include "reference_pictures.h"

#include "check_text.h"

using namespace vmafx;
using namespace vmafx_test;

static OptionDict options_for(const ReferencePair &pair)
{
    return pair.grey ? OptionDict{{"range", "full"}} : OptionDict{{"matrix", "rgb"}};
}

START_TEST(reference_program_gives_nearly_the_same)
{
    for (const ReferencePair &pair : reference_pairs()) {
        const double score = scores_of(clips_of(pair), options_for(pair))[0];
        assert_near(pair.name, score, pair.score, pair.allowance);
    }
}
END_TEST

static int write_all(const char *folder)
{
    try {
        for (const ReferencePair &pair : reference_pairs())
            write_pictures(pair, folder);
        return 0;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return write_all(argv[1]);
    TCase *tcase = tcase_create("ssimulacra2 reference");
    tcase_set_timeout(tcase, 250);
    tcase_add_test(tcase, reference_program_gives_nearly_the_same);
    return run_tests(tcase, "ssimulacra2 reference");
}
