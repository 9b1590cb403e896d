/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dma-bufs of the exporters that only some kernels have.
 */
#include "cases.h"

#include <cstdio>

#include <fcntl.h>
#include <linux/dma-heap.h>
#include <linux/udmabuf.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace support;

namespace
{

constexpr char kUdmabuf[] = "/dev/udmabuf";
constexpr char kHeap[] = "/dev/dma_heap/system";

uint64_t whole_pages(uint64_t bytes)
{
    const uint64_t page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    return (bytes + page - 1) / page * page;
}

Descriptor create_udmabuf(std::span<const uint8_t> contents)
{
    const Descriptor driver(open(kUdmabuf, O_RDWR | O_CLOEXEC));
    const Descriptor memory(memfd_create("udmabuf", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    udmabuf_create request = {};
    request.memfd = static_cast<uint32_t>(memory.get());
    request.flags = UDMABUF_FLAGS_CLOEXEC;
    request.size = whole_pages(contents.size());
    if (ftruncate(memory.get(), static_cast<off_t>(request.size)) < 0 ||
        fcntl(memory.get(), F_ADD_SEALS, F_SEAL_SHRINK) < 0)
        throw std::runtime_error("no memory for a udmabuf");
    Descriptor buffer(ioctl(driver.get(), UDMABUF_CREATE, &request));
    overwrite(buffer, contents);
    return buffer;
}

Descriptor create_heap_buffer(std::span<const uint8_t> contents)
{
    const Descriptor heap(open(kHeap, O_RDONLY | O_CLOEXEC));
    dma_heap_allocation_data request = {};
    request.len = contents.size();
    request.fd_flags = O_RDWR | O_CLOEXEC;
    if (ioctl(heap.get(), DMA_HEAP_IOCTL_ALLOC, &request) < 0)
        throw std::runtime_error("no memory of a dma heap");
    Descriptor buffer(static_cast<int>(request.fd));
    overwrite(buffer, contents);
    return buffer;
}

void check_exporter(const CreateBuffer &create)
{
    const Device device = open_cpu_device();
    for (const char *where : {"one fd", "duplicated fds, odd", "fd per plane"}) {
        const Picture picture = test_picture(1);
        const PlacedPicture placed(picture, nv12(), placement(where), create);
        check_shows(device, import_frame(device, placed.desc()), picture);
    }
}

bool has(const char *path)
{
    if (access(path, R_OK) == 0)
        return true;
    std::printf("not on this kernel: %s\n", path);
    return false;
}

} // namespace

START_TEST(udmabufs)
{
    check_exporter(create_udmabuf);
}
END_TEST

START_TEST(heap_buffers)
{
    check_exporter(create_heap_buffer);
}
END_TEST

TCase *exporters_case()
{
    TCase *tcase = tcase_create("exporters");
    if (has(kUdmabuf))
        tcase_add_test(tcase, udmabufs);
    if (has(kHeap))
        tcase_add_test(tcase, heap_buffers);
    return tcase;
}
