/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Pictures that Vulkan writes into memory of the device and exports as opaque descriptors score as
 * uploads of the same samples, to the last bit. Exits with 77 where there is no such Vulkan.
 */
#include <algorithm>
#include <cstdio>
#include <deque>
#include <memory>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/refusal.h"
#include "gpu/vulkan_memory.h"
#include "import/picture_pairs.h"

using namespace gpu_test;
using namespace support;

namespace
{

constexpr uint64_t kPadding = 256;
constexpr int kSkipped = 77;

/** Bytes ahead of the memory in what was exported: 0, but for Mesa's driver of the CPU, whose
 * opaque descriptor is a memfd. */
uint64_t head_of(const Descriptor &descriptor, const std::vector<uint8_t> &contents)
{
    if (test_runtime() != VMAFX_RUNTIME_CPU)
        return 0;
    struct stat status = {};
    if (fstat(descriptor.get(), &status) != 0 || !S_ISREG(status.st_mode))
        throw std::runtime_error("the CPU's exported memory is no memfd");
    std::vector<uint8_t> file(static_cast<size_t>(status.st_size));
    if (pread(descriptor.get(), file.data(), file.size(), 0) != status.st_size)
        throw std::runtime_error("the CPU's exported memory cannot be read");
    const auto found = std::search(file.begin(), file.end(), contents.begin(), contents.end());
    if (found == file.end())
        throw std::runtime_error("the picture is not in the exported memory");
    return static_cast<uint64_t>(found - file.begin());
}

/** A picture in exported memory: planes behind each other, with padded rows. */
class VulkanPicture
{
  public:
    VulkanPicture(VulkanDevice &vulkan, const Picture &picture, const LayoutFacts &layout)
        : layout_(layout), planes_(placed(picture)), buffer_(vulkan, contents_.size())
    {
        buffer_.write(contents_);
        descriptor_ = std::make_unique<Descriptor>(buffer_.export_descriptor());
        desc_ = describe(picture, layout, VMAFX_MEMORY_DMABUF);
        const uint64_t head = head_of(*descriptor_, contents_);
        for (size_t i = 0; i < planes_.size(); ++i) {
            desc_.plane[i].fd = descriptor_->get();
            desc_.plane[i].offset = head + planes_[i].offset;
            desc_.plane[i].pitch = planes_[i].pitch;
            desc_.plane[i].size = head + buffer_.bytes();
        }
    }

    const VmafxFrameImport &desc() const { return desc_; }
    const Descriptor &descriptor() const { return *descriptor_; }
    void refill(const Picture &picture)
    {
        placed(picture);
        buffer_.write(contents_);
    }

  private:
    struct Place {
        uint64_t offset, pitch;
    };

    std::vector<Place> placed(const Picture &picture)
    {
        std::vector<Place> places;
        contents_.clear();
        for (const PackedPlane &plane : pack(picture, layout_)) {
            const Place place = {contents_.size(),
                                 (plane.row_bytes + kPadding) / kPadding * kPadding};
            contents_.resize(place.offset + place.pitch * plane.rows, 0x5a);
            for (uint32_t y = 0; y < plane.rows; ++y)
                std::copy_n(plane.bytes.begin() + static_cast<ptrdiff_t>(y * plane.row_bytes),
                            plane.row_bytes,
                            contents_.begin() +
                                static_cast<ptrdiff_t>(place.offset + y * place.pitch));
            places.push_back(place);
        }
        return places;
    }

    LayoutFacts layout_;
    std::vector<uint8_t> contents_;
    std::vector<Place> planes_;
    VulkanBuffer buffer_;
    std::unique_ptr<Descriptor> descriptor_;
    VmafxFrameImport desc_;
};

std::unique_ptr<VulkanDevice> open_vulkan()
{
    return std::make_unique<VulkanDevice>(info_of(open_test_device()));
}

void check_same(const AllScores &expected, const AllScores &actual, const char *what)
{
    const std::string found = difference(expected, actual);
    ck_assert_msg(found.empty(), "%s: %s", what, found.c_str());
}

struct Format {
    uint32_t layout, bits;
};
constexpr Format kFormats[] = {{VMAFX_LAYOUT_NV12, 8},
                               {VMAFX_LAYOUT_P010, 10},
                               {VMAFX_LAYOUT_420, 8},
                               {VMAFX_LAYOUT_444, 12},
                               {VMAFX_LAYOUT_P216, 16}};

} // namespace

START_TEST(exported_is_uploaded)
{
    const Format &format = kFormats[_i];
    const LayoutFacts &layout = facts_of(format.layout);
    const auto vulkan = open_vulkan();
    const Device device = open_test_device();
    const auto pairs = picture_pairs(layout.chroma, format.bits, 323, 179, format.bits);
    std::deque<VulkanPicture> pictures;
    const AllScores imported = score_pairs(device, pairs, [&](const Picture &picture) {
        pictures.emplace_back(*vulkan, picture, layout);
        return import_frame(device, pictures.back().desc());
    });
    const VmafxDeviceCounters counters = counters_of(device);
    ck_assert_uint_eq(counters.frames_imported, 2 * pairs.size());
    ck_assert_uint_eq(counters.frames_uploaded, 0);
    ck_assert_uint_eq(counters.host_plane_copies, 0);
    check_same(score_uploaded(device, pairs, layout), imported, layout.name);
}
END_TEST

/* A decoder's pool: a surface is written again once its frame was let go. */
START_TEST(surfaces_come_round_again)
{
    const LayoutFacts &layout = facts_of(VMAFX_LAYOUT_NV12);
    const auto vulkan = open_vulkan();
    const Device device = open_test_device();
    std::vector<PicturePair> pairs;
    for (uint32_t seed = 1; seed <= 6; ++seed) {
        const auto more = picture_pairs(layout.chroma, 8, 128, 96, seed);
        pairs.insert(pairs.end(), more.begin(), more.end());
    }
    struct Surface {
        Surface(VulkanDevice &producer, const Picture &picture, const LayoutFacts &facts)
            : memory(producer, picture, facts)
        {
        }
        VulkanPicture memory;
        Releases releases;
        uint64_t imports = 0;
    };
    constexpr size_t kSurfaces = 12; /* a temporal feature keeps the last ones */
    std::deque<Surface> surfaces;
    size_t next = 0;
    VmafxContextDesc desc = VMAFX_CONTEXT_DESC_INIT;
    desc.flags = VMAFX_CONTEXT_RELEASE_EARLY;
    const Context context = create_context(device, &desc);
    use_everything(context);
    const auto import_next = [&](const Picture &picture) {
        if (surfaces.size() < kSurfaces) {
            surfaces.emplace_back(*vulkan, picture, layout);
        } else {
            Surface &used = surfaces[next % kSurfaces];
            ck_assert(used.releases.wait_for(used.imports));
            used.memory.refill(picture);
        }
        Surface &surface = surfaces[next++ % kSurfaces];
        ++surface.imports;
        return import_frame(device, surface.releases.counted(surface.memory.desc()));
    };
    for (size_t i = 0; i < pairs.size(); ++i) {
        const Frame reference = import_next(pairs[i].reference);
        const Frame distorted = import_next(pairs[i].distorted);
        submit(context, reference, distorted, i);
    }
    must(vmafx_context_flush, context.get());
    check_same(score_uploaded(device, pairs, layout), all_scores(context, pairs.size()), "pool");
    const VmafxDeviceCounters counters = counters_of(device);
    std::printf("%llu imports found again, %llu mapped\n",
                static_cast<unsigned long long>(counters.import_cache_hits),
                static_cast<unsigned long long>(counters.import_cache_misses));
}
END_TEST

/* What was imported lives on when the producer lets go of it. */
START_TEST(memory_outlives_its_producer)
{
    const LayoutFacts &layout = facts_of(VMAFX_LAYOUT_P010);
    auto vulkan = open_vulkan();
    const Device device = open_test_device();
    const auto pairs = picture_pairs(layout.chroma, 10, 160, 90, 3);
    std::vector<Frame> frames;
    for (const PicturePair &pair : pairs) {
        for (const Picture *picture : {&pair.reference, &pair.distorted})
            frames.push_back(import_frame(device, VulkanPicture(*vulkan, *picture, layout).desc()));
    }
    vulkan.reset();
    size_t next = 0;
    const AllScores imported =
        score_pairs(device, pairs, [&](const Picture &) { return std::move(frames.at(next++)); });
    check_same(score_uploaded(device, pairs, layout), imported, "freed");
}
END_TEST

START_TEST(sizes_are_checked)
{
    const auto vulkan = open_vulkan();
    const Device device = open_test_device();
    const Picture picture = natural_picture(VMAFX_LAYOUT_420, 8, 128, 96, 1);
    const VulkanPicture produced(*vulkan, picture, facts_of(VMAFX_LAYOUT_NV12));
    VmafxFrame *frame = nullptr;
    VmafxFrameImport desc = produced.desc();
    desc.plane[1].offset = desc.plane[1].size - 1;
    assert_refused(VMAFX_E_RANGE, "desc.plane[1].size", "", vmafx_frame_import, device.get(), &desc,
                   &frame);
    if (test_runtime() == VMAFX_RUNTIME_CUDA) {
        desc = produced.desc();
        desc.plane[0].size = 0;
        assert_refused(VMAFX_E_INVALID, "desc.plane[0].size", "opaque", vmafx_frame_import,
                       device.get(), &desc, &frame);
    }
    ck_assert_ptr_null(frame);
}
END_TEST

/** In a process of its own: a GPU's runtime that was begun does not survive the forks of the tests.
 */
static int probe()
{
    const pid_t child = fork();
    if (child == 0) {
        int answer = 1;
        try {
            std::printf("Vulkan: %s\n", open_vulkan()->name().c_str());
            answer = 0;
        } catch (const NoVulkan &reason) {
            std::printf("skipped: %s\n", reason.what());
            answer = kSkipped;
        } catch (const std::exception &error) {
            std::printf("%s\n", error.what());
        }
        std::fflush(stdout);
        _exit(answer);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return 1;
    return WEXITSTATUS(status);
}

int main()
{
    if (const int answer = probe(); answer != 0)
        return answer;
    TCase *tcase = tcase_create("vulkan producer");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, exported_is_uploaded, 0, std::size(kFormats));
    tcase_add_test(tcase, surfaces_come_round_again);
    tcase_add_test(tcase, memory_outlives_its_producer);
    tcase_add_test(tcase, sizes_are_checked);
    return run_tests(tcase, "vulkan producer");
}
