/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Planes that touch memory nobody may read: a kernel that reads outside of a plane's rows, by
 * however little, faults.
 */
#include <deque>
#include <stdexcept>

#include <sys/mman.h>
#include <unistd.h>

#include "check_text.h"

#include "picture_pairs.h"

using namespace support;

namespace
{

/** Readable pages between two that are not. */
class GuardedPages
{
  public:
    explicit GuardedPages(size_t bytes)
        : page_(static_cast<size_t>(sysconf(_SC_PAGESIZE))),
          inner_((bytes + page_ - 1) / page_ * page_), bytes_(bytes)
    {
        void *base =
            mmap(nullptr, inner_ + 2 * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (base == MAP_FAILED)
            throw std::runtime_error("mmap");
        base_ = static_cast<uint8_t *>(base);
        if (mprotect(base_ + page_, inner_, PROT_READ | PROT_WRITE))
            throw std::runtime_error("mprotect");
    }
    GuardedPages(const GuardedPages &) = delete;
    GuardedPages &operator=(const GuardedPages &) = delete;
    ~GuardedPages() { munmap(base_, inner_ + 2 * page_); }

    uint8_t *first() const { return base_ + page_; }                  /* a guard before it */
    uint8_t *last() const { return base_ + page_ + inner_ - bytes_; } /* a guard behind it */

  private:
    size_t page_, inner_, bytes_;
    uint8_t *base_ = nullptr;
};

enum class Edge { kStart, kEnd };

/** A picture whose planes all touch a guard, as device pointers with no padding. */
class GuardedPicture
{
  public:
    GuardedPicture(const Picture &picture, const LayoutFacts &layout, Edge edge)
        : desc_(describe(picture, layout, VMAFX_MEMORY_DEVICE_POINTER))
    {
        uint32_t i = 0;
        for (const PackedPlane &plane : pack(picture, layout)) {
            const GuardedPages &pages = pages_.emplace_back(plane.bytes.size());
            uint8_t *at = edge == Edge::kStart ? pages.first() : pages.last();
            std::copy(plane.bytes.begin(), plane.bytes.end(), at);
            desc_.plane[i].address = at;
            desc_.plane[i].pitch = plane.row_bytes;
            desc_.plane[i].size = plane.bytes.size();
            ++i;
        }
    }
    const VmafxFrameImport &desc() const { return desc_; }

  private:
    std::deque<GuardedPages> pages_;
    VmafxFrameImport desc_;
};

struct Case {
    uint32_t layout, bits, width, height;
};
constexpr Case kCases[] = {
    {VMAFX_LAYOUT_420, 8, 33, 33},    {VMAFX_LAYOUT_420, 8, 64, 48},
    {VMAFX_LAYOUT_420, 8, 127, 35},   {VMAFX_LAYOUT_444, 8, 1000, 34},
    {VMAFX_LAYOUT_420, 10, 35, 47},   {VMAFX_LAYOUT_422, 16, 129, 66},
    {VMAFX_LAYOUT_400, 12, 485, 33},  {VMAFX_LAYOUT_NV12, 8, 67, 49},
    {VMAFX_LAYOUT_P010, 10, 66, 50},  {VMAFX_LAYOUT_P016, 16, 513, 39},
    {VMAFX_LAYOUT_NV24, 8, 255, 130},
};

} // namespace

START_TEST(no_read_leaves_the_planes)
{
    const Case &c = kCases[_i];
    const LayoutFacts &layout = facts_of(c.layout);
    const Device device = open_cpu_device();
    const auto pairs = picture_pairs(layout.chroma, c.bits, c.width, c.height);
    const AllScores uploaded = score_uploaded(device, pairs, layout);
    for (const Edge edge : {Edge::kStart, Edge::kEnd}) {
        std::deque<GuardedPicture> producer; /* its memory lives as long as the session */
        const AllScores guarded = score_pairs(device, pairs, [&](const Picture &picture) {
            producer.emplace_back(picture, layout, edge);
            return import_frame(device, producer.back().desc());
        });
        const std::string found = difference(uploaded, guarded);
        ck_assert_msg(found.empty(), "%s %ux%u: %s", layout.name, c.width, c.height, found.c_str());
    }
}
END_TEST

int main()
{
    TCase *tcase = tcase_create("guard");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, no_read_leaves_the_planes, 0, std::size(kCases));
    return run_tests(tcase, "guard");
}
