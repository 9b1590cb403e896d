/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptors of every other kind where a dma-buf or a sync_file is wanted.
 */
#include "cases.h"

#include <cstdlib>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace support;

namespace
{

Descriptor regular_file()
{
    char name[] = "/tmp/picture.XXXXXX";
    Descriptor file(mkostemp(name, O_CLOEXEC));
    unlink(name);
    overwrite(file, std::vector<uint8_t>(1 << 16));
    return file;
}

Descriptor pipe_end()
{
    int ends[2] = {-1, -1};
    if (pipe2(ends, O_CLOEXEC) == 0)
        close(ends[1]);
    return Descriptor(ends[0]);
}

Descriptor socket_end()
{
    int ends[2] = {-1, -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0)
        close(ends[1]);
    return Descriptor(ends[0]);
}

Descriptor open_path(const char *path, int flags)
{
    return Descriptor(open(path, flags | O_CLOEXEC));
}

const struct {
    const char *name;
    Descriptor (*make)();
} kOthers[] = {
    {"an eventfd", [] { return Descriptor(eventfd(1, EFD_CLOEXEC)); }},
    {"a pipe", pipe_end},
    {"a socket", socket_end},
    {"an epoll descriptor", [] { return Descriptor(epoll_create1(EPOLL_CLOEXEC)); }},
    {"a regular file", regular_file},
    {"a folder", [] { return open_path("/tmp", O_RDONLY); }},
    {"a device", [] { return open_path("/dev/zero", O_RDWR); }},
    {"a DRM card", [] { return open_path("/dev/dri/card0", O_RDWR); }},
    {"a path", [] { return open_path("/tmp", O_PATH); }},
};

} // namespace

START_TEST(no_dma_buf)
{
    const Vgem vgem;
    const Device device = open_cpu_device();
    const PlacedPicture placed = place(vgem, test_picture(1), "fd per plane");
    announce(kOthers[_i].name);
    const Descriptor other = kOthers[_i].make();
    const std::string number = std::to_string(other.get());
    const size_t before = open_descriptors();
    for (int plane = 0; plane < 2; ++plane) {
        VmafxFrameImport desc = placed.desc();
        desc.plane[plane].fd = other.get();
        const std::string subject = "desc.plane[" + std::to_string(plane) + "].fd";
        VmafxFrame *frame = nullptr;
        for (const char *word : {number.c_str(), "no dma-buf"})
            assert_refused(VMAFX_E_INVALID, subject.c_str(), word, vmafx_frame_import, device.get(),
                           &desc, &frame);
    }
    ck_assert_uint_eq(open_descriptors(), before);
}
END_TEST

START_TEST(no_sync_file)
{
    const Vgem vgem;
    const Device device = open_cpu_device();
    const Context context = create_context(device);
    const PlacedPicture placed = place(vgem, test_picture(1));
    announce(kOthers[_i].name);
    const Descriptor other = kOthers[_i].make();
    const std::string number = std::to_string(other.get());
    const VmafxFrameImport desc = with_sync_file(placed.desc(), other.get());
    VmafxFrame *frame = nullptr;
    for (const char *word : {number.c_str(), "no sync_file"}) {
        assert_refused(VMAFX_E_INVALID, "desc.acquire.fd", word, vmafx_frame_import, device.get(),
                       &desc, &frame);
        assert_refused(VMAFX_E_INVALID, "desc.acquire.fd", word, vmafx_context_import_frame,
                       context.get(), &desc, kLongWaitNs, &frame);
    }
}
END_TEST

START_TEST(sync_file_and_dma_buf_swapped)
{
    const Vgem vgem;
    const Device device = open_cpu_device();
    const PlacedPicture placed = place(vgem, test_picture(1));
    const PendingFence fence(vgem);
    VmafxFrame *frame = nullptr;
    VmafxFrameImport desc = placed.desc();
    desc.plane[1].fd = fence.fd();
    assert_refused(VMAFX_E_INVALID, "desc.plane[1].fd", "no dma-buf", vmafx_frame_import,
                   device.get(), &desc, &frame);
    desc = with_sync_file(placed.desc(), placed.buffer(0).get());
    assert_refused(VMAFX_E_INVALID, "desc.acquire.fd", "no sync_file", vmafx_frame_import,
                   device.get(), &desc, &frame);
    fence.signal();
}
END_TEST

START_TEST(closed_descriptors)
{
    const Vgem vgem;
    const Device device = open_cpu_device();
    const PlacedPicture placed = place(vgem, test_picture(1));
    const int closed = Descriptor(eventfd(0, EFD_CLOEXEC)).get();
    VmafxFrame *frame = nullptr;
    for (const int fd : {closed, -1}) {
        VmafxFrameImport desc = placed.desc();
        desc.plane[1].fd = fd;
        assert_refused(VMAFX_E_INVALID, "desc.plane[1].fd", std::to_string(fd).c_str(),
                       vmafx_frame_import, device.get(), &desc, &frame);
        desc = with_sync_file(placed.desc(), fd);
        assert_refused(VMAFX_E_INVALID, "desc.acquire.fd", std::to_string(fd).c_str(),
                       vmafx_frame_import, device.get(), &desc, &frame);
    }
}
END_TEST

/* The CPU maps what it can; a memfd has no fences. */
START_TEST(memfd_beside_a_dma_buf)
{
    const Vgem vgem;
    const Device device = open_cpu_device();
    const Picture picture = test_picture(1);
    size_t buffers = 0;
    const PlacedPicture placed(picture, nv12(), placement("fd per plane"), [&](auto contents) {
        return buffers++ ? create_memfd(contents) : vgem.create_buffer(contents);
    });
    check_shows(device, import_frame(device, placed.desc()), picture);
    const uint32_t fence = vgem.attach_fence(placed.buffer(0), Access::kWrite);
    assert_busy(device, placed.desc());
    vgem.signal(fence);
    import_frame(device, placed.desc());
}
END_TEST

TCase *descriptors_case()
{
    TCase *tcase = tcase_create("descriptors");
    const int others = static_cast<int>(std::size(kOthers));
    tcase_add_loop_test(tcase, no_dma_buf, 0, others);
    tcase_add_loop_test(tcase, no_sync_file, 0, others);
    tcase_add_test(tcase, sync_file_and_dma_buf_swapped);
    tcase_add_test(tcase, closed_descriptors);
    tcase_add_test(tcase, memfd_beside_a_dma_buf);
    return tcase;
}
