/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Pictures in hipArrays: copied on the device, scored as uploaded ones, and given back once copied.
 */
#include <deque>

#include "api/refusal.h"

#include "picture_pairs.h"
#include "support/producer_stream.h"

using namespace support;

namespace
{

constexpr uint64_t kBoundNs = UINT64_C(20'000'000'000);
constexpr uint32_t kWidth = 101, kHeight = 67;

uint32_t planes_of(const LayoutFacts &layout)
{
    return layout.semi_planar ? 2 : layout.chroma == VMAFX_LAYOUT_400 ? 1 : 3;
}

void check_info(const Frame &frame, const LayoutFacts &layout)
{
    VmafxFrameInfo info = VMAFX_FRAME_INFO_INIT;
    must(vmafx_frame_get_info, frame.get(), &info);
    ck_assert_uint_eq(info.memory, VMAFX_MEMORY_DEVICE_ARRAY);
    ck_assert_uint_eq(info.planes_in_place, 0);
    ck_assert_uint_eq(info.planes_converted, layout.shift ? 3u : layout.semi_planar ? 2u : 0u);
}

/** The arrays of an NV12 picture, one of which is another than it should be. */
void refuse_array(uint32_t plane, const ProducerArray::Shape &shape, int32_t status,
                  const char *word)
{
    const Device device = open_test_device();
    const LayoutFacts &nv12 = facts_of(VMAFX_LAYOUT_NV12);
    const ArrayPicture picture(natural_picture(VMAFX_LAYOUT_420, 8, kWidth, kHeight, 1), nv12);
    const ProducerArray other(shape);
    Releases releases;
    VmafxFrameImport desc = releases.counted(picture.desc());
    desc.plane[plane].address = other.handle();
    const std::string subject = "desc.plane[" + std::to_string(plane) + "].address";
    VmafxFrame *frame = nullptr;
    assert_refused(status, subject.c_str(), word, vmafx_frame_import, device.get(), &desc, &frame);
    ck_assert_uint_eq(releases.count(), 0);
}

} // namespace

START_TEST(arrays_score_as_uploads)
{
    const LayoutFacts &layout = all_layouts().at(static_cast<size_t>(_i));
    for (const uint32_t bits : {8u, 10u, 12u, 16u}) {
        if (layout.bits && bits != layout.bits)
            continue;
        const auto pairs = picture_pairs(layout.chroma, bits, kWidth, kHeight, bits);
        const AllScores uploaded = score_uploaded(open_test_device(), pairs, layout);
        const Device device = open_test_device();
        std::deque<ArrayPicture> producer;
        const AllScores imported = score_pairs(device, pairs, [&](const Picture &picture) {
            producer.emplace_back(picture, layout);
            Frame frame = import_frame(device, producer.back().desc());
            check_info(frame, layout);
            return frame;
        });
        const std::string found = difference(uploaded, imported);
        ck_assert_msg(found.empty(), "%s, %u bits: %s", layout.name, bits, found.c_str());
        const VmafxDeviceCounters counters = counters_of(device);
        ck_assert_uint_eq(counters.planes_copied, 2 * pairs.size() * planes_of(layout));
        ck_assert_uint_eq(counters.host_plane_copies, 0);
        ck_assert_uint_eq(counters.frames_imported, 2 * pairs.size());
    }
}
END_TEST

/* A context that reads luma alone has luma alone copied. */
START_TEST(wanted_planes_are_copied)
{
    const Device device = open_test_device();
    const Context context = create_context(device);
    use_builtin_model(context, VMAFX_MODEL_DEFAULT);
    const LayoutFacts &layout = facts_of(VMAFX_LAYOUT_420);
    const ArrayPicture picture(natural_picture(VMAFX_LAYOUT_420, 8, kWidth, kHeight, 1), layout);
    Frame frame;
    must(vmafx_context_import_frame, context.get(), &picture.desc(), uint64_t{0}, frame.out());
    ck_assert_uint_eq(counters_of(device).planes_copied, 1);
}
END_TEST

/* Nobody reads an array that is copied: its producer has it back while the frame lives. */
START_TEST(arrays_are_released_behind_the_copy)
{
    const Device device = open_test_device();
    const LayoutFacts &nv12 = facts_of(VMAFX_LAYOUT_NV12);
    const ArrayPicture picture(natural_picture(VMAFX_LAYOUT_420, 8, kWidth, kHeight, 1), nv12);
    ProducerStream stream;
    const ProducerEvent written, read;
    stream.hold();
    stream.record(written);
    Releases releases;
    VmafxFrameImport desc = releases.counted(picture.desc());
    desc.acquire = written.fence();
    desc.release_fence = read.fence();
    const Frame frame = import_frame(device, desc);
    ck_assert_uint_eq(releases.count(), 1);
    ck_assert(!read.complete());
    ck_assert_int_eq(vmafx_device_query_release_event(device.get(), read.handle(), nullptr),
                     VMAFX_PENDING);
    stream.let_go();
    must(vmafx_device_wait_release_event, device.get(), read.handle(), kBoundNs);
    ck_assert_uint_eq(releases.count(), 1);
}
END_TEST

START_TEST(host_fence_and_callback_of_arrays)
{
    const Device device = open_test_device();
    const LayoutFacts &nv12 = facts_of(VMAFX_LAYOUT_NV12);
    const ArrayPicture picture(natural_picture(VMAFX_LAYOUT_420, 8, kWidth, kHeight, 1), nv12);
    Fence fence;
    must(vmafx_fence_create, fence.out());
    Releases releases;
    VmafxFrameImport desc = releases.counted(picture.desc());
    const Frame without_fence = import_frame(device, desc);
    ck_assert(releases.wait_for(1));
    desc.release_fence = {VMAFX_FENCE_HOST, 0, fence.get()};
    const Frame with_fence = import_frame(device, desc);
    must(vmafx_fence_wait, fence.get(), kBoundNs);
    ck_assert(releases.wait_for(2));
    ck_assert_uint_eq(releases.count(), 2);
}
END_TEST

START_TEST(unfit_arrays_are_refused)
{
    constexpr int kSigned = 0;
    refuse_array(0, {1, 8, kWidth - 1, kHeight}, VMAFX_E_RANGE, "100 x 67");
    refuse_array(0, {1, 8, kWidth, kHeight - 1}, VMAFX_E_RANGE, "101 x 66");
    refuse_array(0, {1, 16, kWidth, kHeight}, VMAFX_E_INVALID, "8 bits");
    refuse_array(0, {2, 8, kWidth, kHeight}, VMAFX_E_INVALID, "1 unsigned component");
    refuse_array(1, {1, 8, kWidth + 1, kHeight}, VMAFX_E_INVALID, "2 unsigned components");
    refuse_array(1, {2, 8, kWidth / 2, kHeight}, VMAFX_E_RANGE, "50 x 67");
    refuse_array(1, {2, 8, kWidth, kHeight, kSigned}, VMAFX_E_INVALID, "unsigned");
}
END_TEST

/* An array may be larger than the plane. */
START_TEST(larger_array_is_taken)
{
    const Device device = open_test_device();
    const LayoutFacts &nv12 = facts_of(VMAFX_LAYOUT_NV12);
    const ArrayPicture picture(natural_picture(VMAFX_LAYOUT_420, 8, kWidth, kHeight, 1), nv12);
    VmafxFrameImport desc = picture.desc();
    desc.width = kWidth - 10;
    desc.height = kHeight - 10;
    const Frame frame = import_frame(device, desc);
    ck_assert_ptr_nonnull(frame.get());
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("arrays");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, arrays_score_as_uploads, 0, static_cast<int>(all_layouts().size()));
    tcase_add_test(tcase, wanted_planes_are_copied);
    tcase_add_test(tcase, arrays_are_released_behind_the_copy);
    tcase_add_test(tcase, host_fence_and_callback_of_arrays);
    tcase_add_test(tcase, unfit_arrays_are_refused);
    tcase_add_test(tcase, larger_array_is_taken);
    return run_tests(tcase, "arrays");
}
