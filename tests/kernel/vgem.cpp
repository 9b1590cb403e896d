/* SPDX-License-Identifier: BSD-2-Clause */
#include "vgem.h"

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <string>
#include <system_error>

#include <drm.h>
#include <drm_mode.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/sync_file.h>
#include <sys/ioctl.h>
#include <unistd.h>

using support::Descriptor;

namespace
{

/* The interface of vgem, which no user-space header of Debian's has. */
struct VgemFenceAttach {
    uint32_t handle; /* in */
    uint32_t flags;  /* in */
    uint32_t fence;  /* out */
    uint32_t padding;
};
struct VgemFenceSignal {
    uint32_t fence;
    uint32_t flags;
};
constexpr uint32_t kVgemFenceWrite = 1;
constexpr unsigned long kAttach = DRM_IOWR(DRM_COMMAND_BASE + 1, VgemFenceAttach);
constexpr unsigned long kSignal = DRM_IOW(DRM_COMMAND_BASE + 2, VgemFenceSignal);

/* The interface of dma-bufs since Linux 6.0. */
struct SyncFileOfBuffer {
    uint32_t flags;
    int32_t fd;
};
constexpr unsigned long kExportSyncFile = _IOWR(DMA_BUF_BASE, 2, SyncFileOfBuffer);
constexpr unsigned long kImportSyncFile = _IOW(DMA_BUF_BASE, 3, SyncFileOfBuffer);

constexpr char kCard[] = "/dev/dri/card0";

uint32_t sync_flags(Access access)
{
    return access == Access::kWrite ? DMA_BUF_SYNC_WRITE : DMA_BUF_SYNC_READ;
}

template <class Argument>
void call(int fd, unsigned long request, Argument &argument, const char *name)
{
    if (ioctl(fd, request, &argument) < 0)
        throw std::system_error(errno, std::generic_category(), name);
}

} // namespace

Vgem::Vgem() : card_(open(kCard, O_RDWR | O_CLOEXEC))
{
    char name[32] = {};
    drm_version version = {};
    version.name = name;
    version.name_len = sizeof(name) - 1;
    call(fd(), DRM_IOCTL_VERSION, version, "DRM_IOCTL_VERSION");
    if (std::string(name) != "vgem")
        throw std::runtime_error(std::string(kCard) + " is no vgem device");
}

uint32_t Vgem::create_handle(uint64_t bytes) const
{
    /* One row of 8-bit pixels per page. */
    const uint64_t page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    drm_mode_create_dumb request = {};
    request.width = static_cast<uint32_t>(page);
    request.height = static_cast<uint32_t>((bytes + page - 1) / page);
    request.bpp = 8;
    call(fd(), DRM_IOCTL_MODE_CREATE_DUMB, request, "DRM_IOCTL_MODE_CREATE_DUMB");
    return request.handle;
}

Descriptor Vgem::export_handle(uint32_t handle, uint32_t flags) const
{
    drm_prime_handle request = {};
    request.handle = handle;
    request.flags = flags;
    call(fd(), DRM_IOCTL_PRIME_HANDLE_TO_FD, request, "DRM_IOCTL_PRIME_HANDLE_TO_FD");
    return Descriptor(request.fd);
}

uint32_t Vgem::handle_of(const Descriptor &buffer) const
{
    drm_prime_handle request = {};
    request.fd = buffer.get();
    call(fd(), DRM_IOCTL_PRIME_FD_TO_HANDLE, request, "DRM_IOCTL_PRIME_FD_TO_HANDLE");
    return request.handle;
}

void Vgem::close_handle(uint32_t handle) const
{
    drm_gem_close request = {};
    request.handle = handle;
    call(fd(), DRM_IOCTL_GEM_CLOSE, request, "DRM_IOCTL_GEM_CLOSE");
}

Descriptor Vgem::create_buffer(uint64_t bytes) const
{
    const uint32_t handle = create_handle(bytes);
    Descriptor buffer = export_handle(handle, DRM_RDWR | DRM_CLOEXEC);
    close_handle(handle);
    return buffer;
}

Descriptor Vgem::create_buffer(std::span<const uint8_t> contents) const
{
    Descriptor buffer = create_buffer(contents.size());
    support::overwrite(buffer, contents);
    return buffer;
}

/* A dma-buf keeps the access of its first export; the contents get in through the card. */
Descriptor Vgem::create_read_only_buffer(std::span<const uint8_t> contents) const
{
    const uint32_t handle = create_handle(contents.size());
    drm_mode_map_dumb request = {};
    request.handle = handle;
    call(fd(), DRM_IOCTL_MODE_MAP_DUMB, request, "DRM_IOCTL_MODE_MAP_DUMB");
    support::overwrite_mapping(card_, request.offset, contents);
    Descriptor buffer = export_handle(handle, DRM_CLOEXEC);
    close_handle(handle);
    return buffer;
}

Descriptor Vgem::export_again(const Descriptor &buffer) const
{
    const uint32_t handle = handle_of(buffer);
    Descriptor again = export_handle(handle, DRM_RDWR | DRM_CLOEXEC);
    close_handle(handle);
    return again;
}

uint32_t Vgem::attach_fence(const Descriptor &buffer, Access access) const
{
    VgemFenceAttach request = {};
    request.handle = handle_of(buffer);
    request.flags = access == Access::kWrite ? kVgemFenceWrite : 0;
    call(fd(), kAttach, request, "DRM_IOCTL_VGEM_FENCE_ATTACH");
    close_handle(request.handle);
    return request.fence;
}

void Vgem::signal(uint32_t fence) const
{
    VgemFenceSignal request = {};
    request.fence = fence;
    call(fd(), kSignal, request, "DRM_IOCTL_VGEM_FENCE_SIGNAL");
}

Descriptor export_sync_file(const Descriptor &buffer, Access access)
{
    SyncFileOfBuffer request = {};
    request.flags = sync_flags(access);
    call(buffer.get(), kExportSyncFile, request, "DMA_BUF_IOCTL_EXPORT_SYNC_FILE");
    return Descriptor(request.fd);
}

void import_sync_file(const Descriptor &buffer, const Descriptor &sync_file, Access access)
{
    SyncFileOfBuffer request = {};
    request.flags = sync_flags(access);
    request.fd = sync_file.get();
    call(buffer.get(), kImportSyncFile, request, "DMA_BUF_IOCTL_IMPORT_SYNC_FILE");
}

Descriptor merge_sync_files(const Descriptor &a, const Descriptor &b)
{
    sync_merge_data request = {};
    request.fd2 = b.get();
    call(a.get(), SYNC_IOC_MERGE, request, "SYNC_IOC_MERGE");
    return Descriptor(request.fence);
}

PendingFence::PendingFence(const Vgem &vgem)
    : vgem_(vgem), buffer_(vgem.create_buffer(uint64_t{1})),
      fence_(vgem.attach_fence(buffer_, Access::kWrite)),
      sync_file_(export_sync_file(buffer_, Access::kRead))
{
}
