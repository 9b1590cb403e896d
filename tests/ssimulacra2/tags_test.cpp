/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Colour tags on their way from an import or a pool to the score.
 */
#include <cstddef>

#include "api/refusal.h"
#include "support/picture.h"
#include "support/scores.h"

using namespace support;

namespace
{

constexpr uint32_t kWidth = 160, kHeight = 120;
constexpr const char *kName = "ssimulacra2";

struct Tags {
    uint32_t matrix = VMAFX_MATRIX_UNSPECIFIED;
    uint32_t transfer = VMAFX_TRANSFER_UNSPECIFIED;
    uint32_t range = VMAFX_RANGE_UNSPECIFIED;
};

template <class Desc> void tag(Desc &desc, const Tags &tags)
{
    desc.matrix = tags.matrix;
    desc.transfer = tags.transfer;
    desc.range = tags.range;
}

Picture picture_of(uint32_t seed, uint32_t chroma = VMAFX_LAYOUT_444)
{
    return natural_picture(chroma, 8, kWidth, kHeight, seed);
}

Context context_with(const Device &device, const char *options)
{
    Context context = create_context(device);
    must(vmafx_context_use_feature, context.get(), kName, options);
    return context;
}

Frame tagged_frame(const Device &device, const Picture &picture, const Tags &tags,
                   uint32_t struct_size = sizeof(VmafxFrameImport))
{
    const HostPicture host(picture, facts_of(picture.chroma));
    VmafxFrameImport desc = host.desc();
    tag(desc, tags);
    desc.struct_size = struct_size;
    return import_frame(device, desc);
}

double finish(const Context &context, const std::string &name)
{
    must(vmafx_context_flush, context.get());
    double score = 0;
    must(vmafx_score_at, context.get(), name.c_str(), uint64_t{0}, &score);
    return score;
}

double score_of(const Device &device, const Tags &reference, const Tags &other,
                const char *options = "", const std::string &name = kName)
{
    const Context context = context_with(device, options);
    const Frame r = tagged_frame(device, picture_of(1), reference);
    const Frame d = tagged_frame(device, distorted(picture_of(1), 7), other);
    submit(context, r, d, 0);
    return finish(context, name);
}

} // namespace

START_TEST(tags_of_imports_count)
{
    const Device device = open_test_device();
    const auto same = [&](const Tags &tags) { return score_of(device, tags, tags); };
    const auto chosen = [&](const char *options, const char *name) {
        return score_of(device, {}, {}, options, std::string(kName) + name);
    };
    const double plain = same({});
    ck_assert_double_eq(same({2, 2, 0}), plain);
    ck_assert_double_eq(same({1, 0, 0}), chosen("matrix=bt709", "_matrix_bt709"));
    ck_assert_double_eq(same({0, 4, 0}), chosen("transfer=gamma22", "_transfer_gamma22"));
    ck_assert_double_eq(same({0, 0, VMAFX_RANGE_FULL}), chosen("range=full", "_range_full"));
    ck_assert_double_eq(same({VMAFX_MATRIX_IDENTITY, 0, 0}), chosen("matrix=rgb", "_matrix_rgb"));
    ck_assert_double_ne(same({1, 0, 0}), plain);
    ck_assert_double_ne(same({0, 4, 0}), plain);
    ck_assert_double_ne(same({0, 0, VMAFX_RANGE_FULL}), plain);
    ck_assert_double_ne(score_of(device, {1, 0, 0}, {}), plain);
    ck_assert_double_ne(score_of(device, {}, {1, 0, 0}), plain);
}
END_TEST

/** One number on every device. */
START_TEST(scores_do_not_depend_on_the_device)
{
    const Device device = open_test_device();
    const auto is = [&](const Tags &reference, const Tags &other, double expected) {
        const double score = score_of(device, reference, other);
        ck_assert_msg(score == expected, "%.17g is not %.17g", score, expected);
    };
    is({}, {}, 80.042936766882391);
    is({1, 4, VMAFX_RANGE_FULL}, {9, 5, VMAFX_RANGE_LIMITED}, 21.188883341017984);
}
END_TEST

START_TEST(callers_without_tags_are_served)
{
    const Device device = open_test_device();
    const Context context = context_with(device, "");
    constexpr uint32_t kEarlier = offsetof(VmafxFrameImport, matrix);
    const Tags unread = {77, 77, 77};
    const Frame r = tagged_frame(device, picture_of(1), unread, kEarlier);
    const Frame d = tagged_frame(device, distorted(picture_of(1), 7), unread, kEarlier);
    submit(context, r, d, 0);
    ck_assert_double_eq(finish(context, kName), score_of(device, {}, {}));
}
END_TEST

START_TEST(tags_of_pools_count)
{
    const Device device = open_test_device();
    for (const bool known : {true, false}) {
        VmafxFramePoolDesc desc = VMAFX_FRAME_POOL_DESC_INIT;
        desc.layout = VMAFX_LAYOUT_444;
        desc.bits = 8;
        desc.width = kWidth;
        desc.height = kHeight;
        desc.frames = 1;
        tag(desc, {9, 16, VMAFX_RANGE_LIMITED});
        if (!known)
            desc.struct_size = offsetof(VmafxFramePoolDesc, matrix);
        Handle<VmafxFramePool, vmafx_frame_pool_close> pool;
        must(vmafx_frame_pool_create, device.get(), &desc, pool.out());
        VmafxPoolFrame *picture = nullptr;
        must(vmafx_frame_pool_acquire, pool.get(), &picture);
        Frame frame;
        must(vmafx_pool_frame_submit, &picture, nullptr, frame.out());
        const Context context = context_with(device, "");
        if (known) {
            assert_refused(VMAFX_E_NOTSUP, "reference", "PQ", vmafx_context_submit, context.get(),
                           frame.get(), frame.get(), uint64_t{0});
        } else {
            submit(context, frame, frame, 0); /* whatever is in it, it is equal */
            ck_assert_double_eq(finish(context, kName), 100);
        }
    }
}
END_TEST

START_TEST(refused_tags_leave_the_context_usable)
{
    const Device device = open_test_device();
    const Context context = context_with(device, "");
    const Frame r = tagged_frame(device, picture_of(1), {});
    const Frame d = tagged_frame(device, distorted(picture_of(1), 7), {});
    const Frame pq = tagged_frame(device, picture_of(1), {9, 16, 0});
    const Frame small =
        tagged_frame(device, picture_of(2, VMAFX_LAYOUT_420), {VMAFX_MATRIX_IDENTITY, 0, 0});
    const auto refused = [&](const Frame &a, const Frame &b, int32_t status, const char *subject,
                             const char *word) {
        assert_refused(status, subject, word, vmafx_context_submit, context.get(), a.get(), b.get(),
                       uint64_t{0});
    };
    refused(pq, d, VMAFX_E_NOTSUP, "reference", "PQ");
    refused(r, pq, VMAFX_E_NOTSUP, "distorted", "option transfer");
    refused(small, small, VMAFX_E_INVALID, "reference", "4:4:4");
    submit(context, r, d, 0);
    const Frame again = tagged_frame(device, picture_of(3), {9, 18, 0});
    assert_refused(VMAFX_E_NOTSUP, "reference", "HLG", vmafx_context_submit, context.get(),
                   again.get(), d.get(), uint64_t{1});
    ck_assert_double_eq(finish(context, kName), score_of(device, {}, {}));

    const Context luma_only = create_context(device);
    must(vmafx_context_use_feature, luma_only.get(), "psnr", "");
    submit(luma_only, pq, pq, 0);
    must(vmafx_context_flush, luma_only.get());
}
END_TEST

int main()
{
    TCase *tcase = tcase_create("colour tags");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, tags_of_imports_count);
    tcase_add_test(tcase, scores_do_not_depend_on_the_device);
    tcase_add_test(tcase, callers_without_tags_are_served);
    tcase_add_test(tcase, tags_of_pools_count);
    tcase_add_test(tcase, refused_tags_leave_the_context_usable);
    return run_tests(tcase, "colour tags");
}
