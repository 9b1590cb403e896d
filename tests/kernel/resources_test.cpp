/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What many imports leave behind: nothing.
 */
#include "cases.h"

#include <deque>
#include <fstream>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace support;

namespace
{

constexpr uint64_t kImports = 1000;
constexpr uint32_t kBuffers = 8;

/** Mappings of dma-bufs in this process. */
size_t buffer_mappings()
{
    size_t count = 0;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);)
        count += line.ends_with("/dmabuf:");
    return count;
}

/** While it lives, the process gets no new descriptor. */
class NoDescriptors
{
  public:
    explicit NoDescriptors(const Descriptor &any)
    {
        getrlimit(RLIMIT_NOFILE, &before_);
        const int next = fcntl(any.get(), F_DUPFD_CLOEXEC, 0);
        close(next);
        const rlimit none = {static_cast<rlim_t>(next), before_.rlim_max};
        setrlimit(RLIMIT_NOFILE, &none);
    }
    ~NoDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }

  private:
    rlimit before_ = {};
};

} // namespace

START_TEST(imports_over_a_pool_leak_nothing)
{
    const Vgem vgem;
    std::deque<PlacedPicture> pool;
    for (uint32_t i = 0; i < kBuffers; ++i)
        pool.push_back(place(vgem, test_picture(i)));
    Releases releases;
    const Device other = open_cpu_device(); /* keeps the runtime's library loaded */
    const size_t descriptors_before = open_descriptors();
    {
        const Device device = open_cpu_device();
        const Context context = create_context(device);
        must(vmafx_context_use_feature, context.get(), "psnr", nullptr);
        size_t descriptors = 0, mappings = 0;
        for (uint64_t i = 0; i < kImports; ++i) {
            const Frame frame = import_frame(device, releases.counted(pool[i % kBuffers].desc()));
            submit(context, frame, frame, i);
            if (i == kBuffers) {
                descriptors = open_descriptors();
                mappings = buffer_mappings();
            }
        }
        must(vmafx_context_flush, context.get());
        ck_assert_uint_eq(open_descriptors(), descriptors);
        ck_assert_uint_eq(mappings, kBuffers);
        ck_assert_uint_eq(buffer_mappings(), kBuffers);
        ck_assert_uint_eq(counters_of(device).import_cache_misses, kBuffers);
        ck_assert_uint_eq(counters_of(device).frames_imported, kImports);
        ck_assert(releases.wait_for(kImports));
    }
    ck_assert_uint_eq(releases.count(), kImports);
    ck_assert_uint_eq(open_descriptors(), descriptors_before);
    ck_assert_uint_eq(buffer_mappings(), 0);
}
END_TEST

START_TEST(refused_imports_leak_nothing)
{
    const Vgem vgem;
    const Device device = open_cpu_device();
    const PlacedPicture placed = place(vgem, test_picture(1), "fd per plane");
    const uint32_t fence = vgem.attach_fence(placed.buffer(1), Access::kWrite);
    const size_t descriptors = open_descriptors(), mappings = buffer_mappings();
    for (uint64_t i = 0; i < kImports / 4; ++i)
        assert_busy(device, placed.desc());
    ck_assert_uint_eq(open_descriptors(), descriptors);
    ck_assert_uint_eq(buffer_mappings(), mappings);
    vgem.signal(fence);
}
END_TEST

/* The fences of a dma-buf are asked for with a descriptor, a mapping keeps another. */
START_TEST(process_out_of_descriptors)
{
    const Vgem vgem;
    const Device device = open_cpu_device();
    const Picture picture = test_picture(1);
    for (const CreateBuffer &create : {buffers_of(vgem), CreateBuffer(create_memfd)}) {
        const PlacedPicture placed(picture, nv12(), placement("one fd"), create);
        const VmafxFrameImport desc = placed.desc();
        VmafxFrame *frame = nullptr;
        {
            const NoDescriptors none(placed.buffer(0));
            assert_refused(VMAFX_E_NOMEM, "desc.plane[0].fd", "Too many open files",
                           vmafx_frame_import, device.get(), &desc, &frame);
        }
        check_shows(device, import_frame(device, desc), picture);
    }
}
END_TEST

TCase *resources_case()
{
    TCase *tcase = tcase_create("resources");
    tcase_add_test(tcase, imports_over_a_pool_leak_nothing);
    tcase_add_test(tcase, refused_imports_leak_nothing);
    tcase_add_test(tcase, process_out_of_descriptors);
    return tcase;
}
