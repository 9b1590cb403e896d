/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Imports of tiled pictures score as uploads of the same samples, to the last bit. Which way was
 * taken is told, and what cannot be read is refused by name.
 */
#include <deque>
#include <functional>

#include "api/refusal.h"
#include "import/picture_pairs.h"
#include "tiling/golden_tiling.h"
#include "tiling/tiled_picture.h"

using namespace support;
using namespace tiling_test;

namespace
{

constexpr uint64_t k64KS = UINT64_C(0x0200000000000901);
constexpr uint64_t k64KD = UINT64_C(0x0200000000000a01);
constexpr uint64_t k64KRX = UINT64_C(0x0200000010401b04);
constexpr uint64_t k64K2D = UINT64_C(0x0200000000000305);

/* Beyond those that devices list: other sizes of blocks, and pipes and banks. */
constexpr uint64_t kRareModifiers[] = {
    UINT64_C(0x0200000000000105), /* 256B_2D */
    UINT64_C(0x0200000000000205), /* 4K_2D */
    UINT64_C(0x0200000000000405), /* 256K_2D */
    UINT64_C(0x0200000004801a01), /* 64K_D_X */
    UINT64_C(0x0200000002401901), /* 64K_S_X */
    UINT64_C(0x0200000000601603), /* 4K_D_X */
};

std::vector<uint64_t> tiled_modifiers()
{
    const VmafxDeviceInfo info = info_of(open_test_device());
    std::vector<uint64_t> modifiers(info.modifiers + 1, info.modifiers + info.modifier_count);
    modifiers.insert(modifiers.end(), std::begin(kRareModifiers), std::end(kRareModifiers));
    return modifiers;
}

struct Format {
    uint32_t layout, bits;
};

uint32_t planes_of(const LayoutFacts &layout)
{
    return layout.semi_planar ? 2 : layout.chroma == VMAFX_LAYOUT_400 ? 1 : 3;
}

void check_info(const Frame &frame, uint32_t planes)
{
    VmafxFrameInfo info = VMAFX_FRAME_INFO_INIT;
    must(vmafx_frame_get_info, frame.get(), &info);
    const uint32_t all = (1u << planes) - 1;
    ck_assert_uint_eq(info.memory, VMAFX_MEMORY_DMABUF);
    ck_assert_uint_eq(info.planes_in_place, 0);
    ck_assert_uint_eq(info.planes_converted, all);
    ck_assert_uint_eq(info.planes_detiled, all);
}

/** Scores one pair that is more than a block wide, tiled, against the same as uploads. */
void compare(const Format &format, const std::vector<uint64_t> &modifiers)
{
    const LayoutFacts &layout = facts_of(format.layout);
    auto pairs = picture_pairs(layout.chroma, format.bits, 323, 71);
    pairs.erase(pairs.begin() + 1); /* a natural and a random one are left */
    const AllScores uploaded = score_uploaded(open_test_device(), pairs, layout);
    for (const uint64_t modifier : modifiers) {
        const Device device = open_test_device();
        must(vmafx_device_supports_modifier, device.get(), modifier, format.layout, format.bits);
        std::deque<TiledPicture> producer; /* its memory lives as long as the session */
        const AllScores tiled = score_pairs(device, pairs, [&](const Picture &picture) {
            const auto more = static_cast<uint32_t>(producer.size() % 2);
            producer.emplace_back(picture, layout, modifier, more);
            Frame frame = import_frame(device, producer.back().desc());
            check_info(frame, planes_of(layout));
            return frame;
        });
        const std::string found = difference(uploaded, tiled);
        ck_assert_msg(found.empty(), "%s, %u bits, 0x%016llx: %s", layout.name, format.bits,
                      static_cast<unsigned long long>(modifier), found.c_str());
        const VmafxDeviceCounters counters = counters_of(device);
        ck_assert_uint_eq(counters.planes_detiled, 2 * pairs.size() * planes_of(layout));
        ck_assert_uint_eq(counters.planes_converted, counters.planes_detiled);
        ck_assert_uint_eq(counters.host_plane_copies, 0);
        ck_assert_uint_eq(counters.frames_uploaded, 0);
    }
}

/** The two pictures' scores, the second a file of the golden set. */
AllScores score_golden(const Device &device, const Frame &reference, const PictureFile &file,
                       const std::vector<uint8_t> &bytes)
{
    const Descriptor memfd = create_memfd(bytes);
    VmafxFrameImport desc = VMAFX_FRAME_IMPORT_INIT;
    desc.memory = VMAFX_MEMORY_DMABUF;
    desc.layout = file.format == "NV12" ? VMAFX_LAYOUT_NV12 : VMAFX_LAYOUT_P010;
    desc.width = file.width;
    desc.height = file.height;
    desc.plane_count = 2;
    for (size_t i = 0; i < 2; ++i) {
        desc.plane[i].fd = memfd.get();
        desc.plane[i].modifier = file.modifier;
        desc.plane[i].offset = file.planes[i].offset;
        desc.plane[i].pitch = file.planes[i].pitch;
    }
    const Context context = create_context(device);
    use_everything(context);
    submit(context, reference, import_frame(device, desc), 0);
    must(vmafx_context_flush, context.get());
    return all_scores(context, 1);
}

struct Case {
    uint32_t layout;
    uint64_t modifier; /* of the good import */
    const char *subject;
    int32_t status;
    const char *word;
    std::function<void(VmafxFrameImport &)> spoil;
};

using Import = VmafxFrameImport;
constexpr uint32_t kNv12 = VMAFX_LAYOUT_NV12, kP010 = VMAFX_LAYOUT_P010;
constexpr uint32_t kWidth = 300, kHeight = 200;

const std::vector<Case> &modifier_cases()
{
    static const std::vector<Case> cases = {
        {kNv12, k64K2D, "desc.plane[0].modifier", VMAFX_E_NOTSUP, "AMD GFX12 64K_2D, compressed",
         [](Import &d) { d.plane[0].modifier = UINT64_C(0x0200000000082305); }},
        {kNv12, k64K2D, "desc.plane[1].modifier", VMAFX_E_NOTSUP, "novideotiling",
         [](Import &d) { d.plane[1].modifier = UINT64_C(0x0200000000042305); }},
        {kNv12, k64KS, "desc.plane[0].modifier", VMAFX_E_NOTSUP, "INVALID",
         [](Import &d) { d.plane[0].modifier = UINT64_C(0x00ffffffffffffff); }},
        {kNv12, k64KS, "desc.plane[0].modifier", VMAFX_E_NOTSUP, "Intel layout 0x2",
         [](Import &d) { d.plane[0].modifier = UINT64_C(0x0100000000000002); }},
        {kNv12, k64KS, "desc.plane[0].modifier", VMAFX_E_NOTSUP, "0x0300000000e08014 (NVIDIA",
         [](Import &d) { d.plane[0].modifier = UINT64_C(0x0300000000e08014); }},
        {kNv12, k64KRX, "desc.plane[0].modifier", VMAFX_E_NOTSUP, "pipes and packers",
         [](Import &d) { d.plane[0].modifier = UINT64_C(0x0200000018401b04); }},
        /* Luma of P010 can be read, chroma not. */
        {kP010, k64KS, "desc.plane[1].modifier", VMAFX_E_NOTSUP, "generation",
         [](Import &d) { d.plane[0].modifier = d.plane[1].modifier = k64KD; }},
    };
    return cases;
}

const std::vector<Case> &plane_cases()
{
    static const std::vector<Case> cases = {
        {kNv12, k64KS, "desc.plane[0].pitch", VMAFX_E_INVALID, "256",
         [](Import &d) { d.plane[0].pitch = 320; }},
        {kP010, k64KRX, "desc.plane[1].pitch", VMAFX_E_INVALID, "512",
         [](Import &d) { d.plane[1].pitch += 256; }},
        {kNv12, k64KS, "desc.plane[0].pitch", VMAFX_E_RANGE, "300",
         [](Import &d) { d.plane[0].pitch = 256; }},
        {kNv12, k64KS, "desc.plane[1].pitch", VMAFX_E_RANGE, "300",
         [](Import &d) { d.plane[1].pitch = 0; }},
        {kNv12, k64KS, "desc.plane[0].pitch", VMAFX_E_RANGE, "pitch",
         [](Import &d) { d.plane[0].pitch = UINT64_C(1) << 63; }},
        {kNv12, k64KS, "desc.plane[1].offset", VMAFX_E_INVALID, "256",
         [](Import &d) { d.plane[1].offset += 4; }},
        {kNv12, k64KS, "desc.plane[1].offset", VMAFX_E_RANGE, "offset",
         [](Import &d) { d.plane[1].offset = UINT64_MAX; }},
        /* The rows of the picture would fit, those of its tiles do not. */
        {kNv12, k64KS, "desc.plane[1].size", VMAFX_E_RANGE, "plane 1 ends at",
         [](Import &d) { d.plane[1].offset += 256; }},
        {kNv12, k64KS, "desc.plane[0].size", VMAFX_E_RANGE, "plane 0 ends at",
         [](Import &d) { d.plane[0].size = 512 * 256 - 1; }},
        {kNv12, k64KS, "desc.plane[0].size", VMAFX_E_RANGE, "plane 0 ends at",
         [](Import &d) { d.height = VMAFX_MAX_SIZE; }},
        {kNv12, k64KS, "desc.plane[1].size", VMAFX_E_RANGE, "plane 1 ends at",
         [](Import &d) { d.plane[1].pitch *= 4; }},
    };
    return cases;
}

void refuse_all(const std::vector<Case> &cases)
{
    const Device device = open_test_device();
    for (const Case &c : cases) {
        const LayoutFacts &layout = facts_of(c.layout);
        const Picture picture = natural_picture(layout.chroma, layout.bits, kWidth, kHeight, 1);
        const TiledPicture good(picture, layout, c.modifier);
        ck_assert_ptr_nonnull(import_frame(device, good.desc()).get());
        Import desc = good.desc();
        c.spoil(desc);
        VmafxFrame *frame = nullptr;
        assert_refused(c.status, c.subject, c.word, vmafx_frame_import, device.get(), &desc,
                       &frame);
    }
    ck_assert_uint_eq(counters_of(device).planes_detiled, 0);
}

} // namespace

START_TEST(every_modifier_scores_as_linear)
{
    const std::vector<uint64_t> modifiers = tiled_modifiers();
    compare({VMAFX_LAYOUT_NV12, 8}, modifiers);
    compare({VMAFX_LAYOUT_P010, 10}, modifiers);
}
END_TEST

START_TEST(every_layout_scores_as_linear)
{
    const std::vector<uint64_t> modifiers = {k64KS, k64KRX};
    for (const LayoutFacts &layout : all_layouts()) {
        if (layout.layout == VMAFX_LAYOUT_NV12 || layout.layout == VMAFX_LAYOUT_P010)
            continue;
        if (layout.bits) {
            compare({layout.layout, layout.bits}, modifiers);
            continue;
        }
        compare({layout.layout, 8}, modifiers);
        compare({layout.layout, 10}, modifiers);
    }
}
END_TEST

START_TEST(golden_pictures_score_as_linear)
{
    const Device device = open_test_device();
    const GoldenTiling golden = GoldenTiling::find();
    for (const PictureFile &file : golden.tiled()) {
        if (file.width != 322)
            continue;
        const LayoutFacts &layout =
            facts_of(file.format == "NV12" ? VMAFX_LAYOUT_NV12 : VMAFX_LAYOUT_P010);
        const Picture picture =
            natural_picture(layout.chroma, layout.bits, file.width, file.height, 3);
        const Frame reference = import_frame(device, HostPicture(picture, layout).desc());
        const PictureFile linear = golden.linear_of(file);
        const std::string found =
            difference(score_golden(device, reference, linear, golden.read(linear)),
                       score_golden(device, reference, file, golden.read(file)));
        ck_assert_msg(found.empty(), "%s: %s", file.name.c_str(), found.c_str());
    }
}
END_TEST

START_TEST(luma_alone)
{
    const Device device = open_test_device();
    const LayoutFacts &layout = facts_of(VMAFX_LAYOUT_P010);
    const Picture picture = natural_picture(layout.chroma, 10, kWidth, kHeight, 1);
    const TiledPicture tiled(picture, layout, k64KS);
    VmafxFrameImport desc = tiled.desc();
    desc.plane_count = 1;
    /* Without chroma the tile is not ambiguous. */
    desc.plane[0].modifier = k64KD;
    check_info(import_frame(device, desc), 1);
}
END_TEST

START_TEST(modifiers_are_refused)
{
    refuse_all(modifier_cases());
}
END_TEST

START_TEST(planes_are_refused)
{
    refuse_all(plane_cases());
}
END_TEST

START_TEST(other_memory_is_linear)
{
    const Device device = open_cpu_device();
    const LayoutFacts &layout = facts_of(VMAFX_LAYOUT_NV12);
    const Picture picture = natural_picture(layout.chroma, 8, 512, 256, 1);
    const HostPicture host(picture, layout);
    for (const uint32_t memory : {VMAFX_MEMORY_HOST, VMAFX_MEMORY_DEVICE_POINTER}) {
        VmafxFrameImport desc = host.desc();
        desc.memory = memory;
        desc.plane[0].modifier = k64KS;
        VmafxFrame *frame = nullptr;
        assert_refused(VMAFX_E_NOTSUP, "desc.plane[0].modifier", "dma-buf", vmafx_frame_import,
                       device.get(), &desc, &frame);
    }
}
END_TEST

START_TEST(support_is_told)
{
    const Device device = open_test_device();
    const VmafxDeviceInfo info = info_of(device);
    ck_assert_uint_eq(info.modifiers[0], VMAFX_MODIFIER_LINEAR);
    ck_assert_uint_gt(info.modifier_count, 1);
    for (uint32_t i = 0; i < info.modifier_count; ++i)
        for (const LayoutFacts &layout : all_layouts())
            must(vmafx_device_supports_modifier, device.get(), info.modifiers[i], layout.layout,
                 layout.bits ? 0u : 16u);
    const auto refuse = [&](int32_t status, const char *subject, const char *word,
                            uint64_t modifier, uint32_t layout, uint32_t bits) {
        assert_refused(status, subject, word, vmafx_device_supports_modifier, device.get(),
                       modifier, layout, bits);
    };
    must(vmafx_device_supports_modifier, device.get(), k64KD, kNv12, 0u);
    refuse(VMAFX_E_NOTSUP, "modifier", "generation", k64KD, kP010, 0);
    refuse(VMAFX_E_NOTSUP, "modifier", "compressed", UINT64_C(0x0200000000082305), kNv12, 8);
    refuse(VMAFX_E_INVALID, "layout", "99", k64KS, 99, 0);
    refuse(VMAFX_E_INVALID, "bits", "10", k64KS, kNv12, 10);
    refuse(VMAFX_E_RANGE, "bits", "8..16", k64KS, VMAFX_LAYOUT_420, 0);
}
END_TEST

int main()
{
    TCase *tcase = tcase_create("import");
    tcase_set_timeout(tcase, 300);
    tcase_add_test(tcase, every_modifier_scores_as_linear);
    tcase_add_test(tcase, every_layout_scores_as_linear);
    tcase_add_test(tcase, golden_pictures_score_as_linear);
    tcase_add_test(tcase, luma_alone);
    tcase_add_test(tcase, modifiers_are_refused);
    tcase_add_test(tcase, planes_are_refused);
    tcase_add_test(tcase, other_memory_is_linear);
    tcase_add_test(tcase, support_is_told);
    return run_tests(tcase, "import");
}
