/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dma-bufs as memory of pictures: what is imported from them is what an upload of the same samples
 * gives, and a buffer is known by its identity, not by the number of a descriptor.
 */
#include "cases.h"

#include <cinttypes>
#include <deque>

#include <unistd.h>

using namespace support;

void check_shows(const Device &device, const Frame &frame, const Picture &picture)
{
    const Frame uploaded = import_frame(device, HostPicture(picture, nv12()).desc());
    const Context context = create_context(device);
    must(vmafx_context_use_feature, context.get(), "psnr", "enable_mse=true");
    submit(context, uploaded, frame, 0);
    must(vmafx_context_flush, context.get());
    for (const char *name : {"mse_y", "mse_cb", "mse_cr"}) {
        double mse = -1;
        must(vmafx_score_at, context.get(), name, uint64_t{0}, &mse);
        ck_assert_msg(mse == 0, "%s is %g: the frame shows another picture", name, mse);
    }
}

namespace
{

struct Format {
    uint32_t layout, bits;
};
constexpr Format kFormats[] = {
    {VMAFX_LAYOUT_NV12, 8}, {VMAFX_LAYOUT_P010, 10}, {VMAFX_LAYOUT_420, 8},
    {VMAFX_LAYOUT_420, 10}, {VMAFX_LAYOUT_444, 12},  {VMAFX_LAYOUT_400, 8},
};

std::vector<const Placement *> dmabuf_placements()
{
    std::vector<const Placement *> found;
    for (const Placement &p : all_placements())
        if (p.memory == VMAFX_MEMORY_DMABUF)
            found.push_back(&p);
    return found;
}

} // namespace

START_TEST(imported_scores_equal_uploaded_ones)
{
    const Format &format = kFormats[_i];
    const LayoutFacts &layout = facts_of(format.layout);
    announce(std::string(layout.name) + " of " + std::to_string(format.bits) + " bits");
    const Vgem vgem;
    const Device device = open_cpu_device();
    const std::vector<PicturePair> pairs = picture_pairs(layout.chroma, format.bits, 49, 37);
    const AllScores uploaded = score_uploaded(device, pairs, layout);
    for (const Placement *where : dmabuf_placements()) {
        std::deque<PlacedPicture> pictures;
        const AllScores imported = score_pairs(device, pairs, [&](const Picture &picture) {
            pictures.emplace_back(picture, layout, *where, buffers_of(vgem));
            return import_frame(device, pictures.back().desc());
        });
        const std::string found = difference(uploaded, imported);
        ck_assert_msg(found.empty(), "%s, %s: %s", layout.name, where->name, found.c_str());
    }
    ck_assert_uint_eq(counters_of(device).host_plane_copies, 0);
}
END_TEST

START_TEST(planes_on_duplicated_descriptors_share_one_import)
{
    const Vgem vgem;
    const Device device = open_cpu_device();
    const Picture picture = test_picture(1);
    const PlacedPicture placed = place(vgem, picture, "duplicated fds, odd");
    ck_assert_int_ne(placed.desc().plane[0].fd, placed.desc().plane[1].fd);
    const Frame frame = import_frame(device, placed.desc());
    ck_assert_uint_eq(counters_of(device).import_cache_misses, 1);
    check_shows(device, frame, picture);
}
END_TEST

/* As FFmpeg and libva do it: the surface is exported anew for each frame that it carries. */
START_TEST(descriptor_exported_again_is_the_same_import)
{
    const Vgem vgem;
    const Device device = open_cpu_device();
    PlacedPicture placed = place(vgem, test_picture(1));
    VmafxFrameImport desc = placed.desc();
    for (uint32_t i = 0; i < 5; ++i) {
        const Picture picture = test_picture(i);
        placed.refill(picture);
        const Descriptor again = vgem.export_again(placed.buffer(0));
        desc.plane[0].fd = desc.plane[1].fd = again.get();
        check_shows(device, import_frame(device, desc), picture);
    }
    ck_assert_uint_eq(counters_of(device).import_cache_misses, 1);
}
END_TEST

/* The descriptors are the library's business once the import has returned. */
START_TEST(frame_outlives_the_descriptors)
{
    const Vgem vgem;
    const Device device = open_cpu_device();
    const Picture picture = test_picture(1);
    Frame frame;
    {
        const PlacedPicture placed = place(vgem, picture, "fd per plane");
        frame = import_frame(device, placed.desc());
    }
    check_shows(device, frame, picture);
}
END_TEST

/* The producer closes each buffer after its import, so that the kernel may hand its number and its
 * pages to the next one while the cache still holds a mapping. */
START_TEST(new_buffer_never_shows_an_old_picture)
{
    const Vgem vgem;
    const Device device = open_cpu_device();
    constexpr uint32_t kBuffers = 150;
    for (uint32_t i = 0; i < kBuffers; ++i) {
        const Picture picture = test_picture(i);
        Frame frame;
        {
            const PlacedPicture placed = place(vgem, picture);
            frame = import_frame(device, placed.desc());
        }
        check_shows(device, frame, picture);
    }
    const VmafxDeviceCounters counters = counters_of(device);
    ck_assert_uint_eq(counters.import_cache_misses, kBuffers);
    ck_assert_uint_gt(counters.import_cache_evictions, 0);
}
END_TEST

START_TEST(read_only_buffer_is_read)
{
    const Vgem vgem;
    const Device device = open_cpu_device();
    const Picture picture = test_picture(1);
    const PlacedPicture placed(picture, nv12(), placement("one fd"), [&](auto contents) {
        return vgem.create_read_only_buffer(contents);
    });
    check_shows(device, import_frame(device, placed.desc()), picture);
}
END_TEST

START_TEST(size_is_the_buffers_own)
{
    const Vgem vgem;
    const Device device = open_cpu_device();
    const PlacedPicture placed = place(vgem, test_picture(1));
    const uint64_t bytes = static_cast<uint64_t>(lseek(placed.buffer(0).get(), 0, SEEK_END));
    ck_assert_uint_eq(bytes % static_cast<uint64_t>(sysconf(_SC_PAGESIZE)), 0);
    VmafxFrame *none = nullptr;
    for (int i = 0; i < 2; ++i) {
        const std::string subject = "desc.plane[" + std::to_string(i) + "].size";
        /* The rows of the last picture that fits, and one byte less. */
        VmafxFrameImport desc = placed.desc();
        VmafxPlane &plane = desc.plane[i];
        const uint64_t rows = i ? 16 : 32;
        plane.offset = bytes - (plane.pitch * (rows - 1) + 48);
        import_frame(device, desc);
        ++plane.offset;
        assert_refused(VMAFX_E_RANGE, subject.c_str(), std::to_string(bytes).c_str(),
                       vmafx_frame_import, device.get(), &desc, &none);
        plane = placed.desc().plane[i];
        plane.size = bytes;
        import_frame(device, desc);
        plane.size = bytes + 1;
        assert_refused(VMAFX_E_RANGE, subject.c_str(), std::to_string(bytes).c_str(),
                       vmafx_frame_import, device.get(), &desc, &none);
    }
}
END_TEST

START_TEST(emptied_cache_maps_the_buffer_anew)
{
    const Vgem vgem;
    const Device device = open_cpu_device();
    PlacedPicture placed = place(vgem, test_picture(1));
    for (uint32_t i = 0; i < 3; ++i) {
        placed.refill(test_picture(i));
        check_shows(device, import_frame(device, placed.desc()), test_picture(i));
        must(vmafx_device_empty_import_cache, device.get());
        ck_assert_uint_eq(counters_of(device).import_cache_buffers, 0);
        ck_assert_uint_eq(counters_of(device).import_cache_misses, i + 1);
    }
}
END_TEST

TCase *buffers_case()
{
    TCase *tcase = tcase_create("buffers");
    tcase_add_loop_test(tcase, imported_scores_equal_uploaded_ones, 0,
                        static_cast<int>(std::size(kFormats)));
    tcase_add_test(tcase, planes_on_duplicated_descriptors_share_one_import);
    tcase_add_test(tcase, descriptor_exported_again_is_the_same_import);
    tcase_add_test(tcase, frame_outlives_the_descriptors);
    tcase_add_test(tcase, new_buffer_never_shows_an_old_picture);
    tcase_add_test(tcase, emptied_cache_maps_the_buffer_anew);
    tcase_add_test(tcase, read_only_buffer_is_read);
    tcase_add_test(tcase, size_is_the_buffers_own);
    return tcase;
}
