/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Reads every image that the library carries: all have the same kernels with the same arguments,
 * and those of GPUs run without memory behind the threads' registers.
 */
#include <set>
#include <vector>

#include "core/failure.h"
#include "images/gpu_kernels.h"
#include "kernels/direct_runner.h"
#include "kernels/images.h"

#include "check_text.h"

using namespace vmafx;
using namespace vmafx_test;

constexpr uint64_t kAmdTileLimit = 65536;
constexpr uint64_t kCudaTileLimit = 49152; /* of memory that is declared, not asked for at launch */

static std::map<std::string, uint64_t> x86_kernels(std::string_view target)
{
    std::map<std::string, uint64_t> sizes;
    const auto runner = DirectRunner::of_target(target);
    for (const vx::CpuKernel *kernel : runner->kernels())
        sizes[kernel->name] = kernel->args_size;
    return sizes;
}

START_TEST(x86_levels_have_the_same_kernels)
{
    const auto kernels = x86_kernels("x86-64-v2");
    ck_assert_uint_gt(kernels.size(), 0);
    ck_assert(x86_kernels("x86-64-v3") == kernels);
    ck_assert(x86_kernels("x86-64-v4") == kernels);
}
END_TEST

/** Those take the place of the kernel of the same name without the ending. */
static size_t count_matrix_kernels(const Image &image,
                                   const std::map<std::string, GpuKernel> &kernels,
                                   uint64_t tile_limit)
{
    constexpr std::string_view kEnding = "_matrix";
    size_t count = 0;
    for (const auto &[name, kernel] : kernels) {
        if (!name.ends_with(kEnding))
            continue;
        ++count;
        const auto plain = kernels.find(name.substr(0, name.size() - kEnding.size()));
        ck_assert_msg(plain != kernels.end(), "%s: nothing has the place of %s", image.target,
                      name.c_str());
        ck_assert_uint_eq(kernel.args, plain->second.args);
        ck_assert_uint_le(kernel.tile, tile_limit);
    }
    const bool has_units = std::string_view(image.target) == "sm_80";
    ck_assert_msg(has_units == (count > 0), "%s has %zu kernels for matrix units", image.target,
                  count);
    return count;
}

static void compare_with_x86(const Image &image, const std::map<std::string, GpuKernel> &kernels,
                             uint64_t tile_limit)
{
    const auto expected = x86_kernels("x86-64-v2");
    for (const auto &[name, args] : expected) {
        const auto found = kernels.find(name);
        ck_assert_msg(found != kernels.end(), "%s has no kernel %s", image.target, name.c_str());
        const GpuKernel &kernel = found->second;
        ck_assert_msg(kernel.args == args, "%s: %s takes %zu bytes of arguments, not %zu",
                      image.target, name.c_str(), size_t{kernel.args}, size_t{args});
        ck_assert_msg(kernel.tile <= tile_limit, "%s: %s has a tile of %zu bytes", image.target,
                      name.c_str(), size_t{kernel.tile});
        ck_assert_msg(kernel.scratch == 0, "%s: %s uses %zu bytes of scratch", image.target,
                      name.c_str(), size_t{kernel.scratch});
        ck_assert_msg(kernel.spills == 0, "%s: %s spills %zu registers", image.target, name.c_str(),
                      size_t{kernel.spills});
    }
    const size_t matrix = count_matrix_kernels(image, kernels, tile_limit);
    ck_assert_msg(kernels.size() == expected.size() + matrix, "%s has %zu kernels, x86-64 has %zu",
                  image.target, kernels.size(), expected.size() + matrix);
}

START_TEST(gpu_images_have_every_kernel_and_no_scratch)
{
    for (const Image &image : all_images()) {
        if (image.kind == ImageKind::kAmd)
            compare_with_x86(image, amd_kernels(image), kAmdTileLimit);
        if (image.kind == ImageKind::kPtx)
            compare_with_x86(image, ptx_kernels(image), kCudaTileLimit);
    }
}
END_TEST

START_TEST(targets_are_distinct)
{
    std::set<std::string> seen;
    for (const Image &image : all_images()) {
        ck_assert_msg(seen.insert(image.target).second, "%s twice", image.target);
        ck_assert_msg(image.size > 0, "%s is empty", image.target);
    }
}
END_TEST

static void assert_image(const char *target, const char *expected)
{
    const Image *image = image_for(target);
    assert_text(image ? image->target : "none", expected);
}

static void assert_refused(const Image &image)
{
    try {
        image.unpack();
    } catch (const Failure &failure) {
        ck_assert_int_eq(failure.status(), VMAFX_E_INTERNAL);
        return;
    }
    ck_abort_msg("a damaged image was unpacked");
}

START_TEST(x86_levels_match_exactly)
{
    assert_image("x86-64-v2", "x86-64-v2");
    assert_image("x86-64-v4", "x86-64-v4");
    assert_image("x86-64-v1", "none");
    assert_image("x86-64", "none");
    assert_image("", "none");
    assert_text(built_targets(ImageKind::kX86), "x86-64-v2 x86-64-v3 x86-64-v4");
}
END_TEST

START_TEST(gpus_match_themselves_or_their_family)
{
    const char *const cases[][2] = {
        {"gfx1036", "gfx1036"},
        {"gfx90a:sramecc+:xnack-", "gfx90a"},
        {"gfx902:xnack+", "gfx9-generic"},
        {"gfx90c", "gfx9-generic"},
        {"gfx1012", "gfx10-1-generic"},
        {"gfx1035", "gfx10-3-generic"},
        {"gfx1101", "gfx11-generic"},
        {"gfx1150", "gfx11-generic"},
        {"gfx1202", "gfx12-generic"},
        /* Matrix accelerators and later chips are no members of these families. */
        {"gfx908", "none"},
        {"gfx950", "none"},
        {"gfx1250", "none"},
        {"gfx803", "none"},
        {"gfx11", "none"},
        {"sm_75", "sm_75"},
        {"sm_80", "sm_80"},
        {"sm_79", "sm_75"},
        {"sm_90", "sm_80"},
        {"sm_120", "sm_80"},
        {"sm_61", "none"},
        {"sm_", "none"},
    };
    for (const auto &c : cases)
        assert_image(c[0], c[1]);
    ck_assert(built_targets(ImageKind::kAmd).starts_with("gfx900 "));
    assert_text(built_targets(ImageKind::kPtx), "sm_80 sm_75");
}
END_TEST

START_TEST(ptx_ends_with_a_zero_byte)
{
    const Image *image = image_for("sm_75");
    const UnpackedImage unpacked = image->unpack();
    const auto *text = reinterpret_cast<const char *>(unpacked.bytes().data());
    ck_assert_uint_eq(std::char_traits<char>::length(text), image->size);
}
END_TEST

START_TEST(damaged_images_are_refused)
{
    const Image *image = image_for("x86-64-v2");
    std::vector<std::byte> packed(image->packed, image->packed + image->packed_size);
    Image damaged = *image;
    damaged.packed = packed.data();
    packed[packed.size() / 2] ^= std::byte{1};
    assert_refused(damaged);
    packed[packed.size() / 2] ^= std::byte{1};
    damaged.packed_size /= 2;
    assert_refused(damaged);
    damaged.packed_size = packed.size();
    damaged.size += 1;
    assert_refused(damaged);
    damaged.size -= 2;
    assert_refused(damaged);
}
END_TEST

START_TEST(nothing_is_built_for_gpus)
{
    assert_image("gfx1036", "none");
    assert_image("sm_90", "none");
    assert_text(built_targets(ImageKind::kAmd), "none");
}
END_TEST

int main(int, char **argv)
{
    const bool gpus = std::string(argv[1]) == "gpus";
    TCase *tcase = tcase_create("images");
    tcase_add_test(tcase, x86_levels_have_the_same_kernels);
    tcase_add_test(tcase, targets_are_distinct);
    tcase_add_test(tcase, damaged_images_are_refused);
    tcase_add_test(tcase, x86_levels_match_exactly);
    if (gpus) {
        tcase_add_test(tcase, gpu_images_have_every_kernel_and_no_scratch);
        tcase_add_test(tcase, gpus_match_themselves_or_their_family);
        tcase_add_test(tcase, ptx_ends_with_a_zero_byte);
    } else {
        tcase_add_test(tcase, nothing_is_built_for_gpus);
    }
    return run_tests(tcase, "images");
}
