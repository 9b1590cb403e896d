/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/dma-buf.h>
#include <xf86drm.h>

#include "fatal.h"

/* The kernel's header of vgem's calls is not among those that are installed. */
struct vgem_fence_attach {
    uint32_t handle, flags, fence, pad;
};
struct vgem_fence_signal {
    uint32_t fence, flags;
};
#define VGEM_FENCE_WRITE 1
#define VGEM_FENCE_ATTACH DRM_IOWR(DRM_COMMAND_BASE + 1, struct vgem_fence_attach)
#define VGEM_FENCE_SIGNAL DRM_IOW(DRM_COMMAND_BASE + 2, struct vgem_fence_signal)

/* Render nodes refuse to make dumb buffers: the primary node of the same device makes them. */
int memory_open_card(int device)
{
    drmDevicePtr found = NULL;
    int card = -1;
    drmVersionPtr version = drmGetVersion(device);
    bool vgem = version && strcmp(version->name, "vgem") == 0;

    drmFreeVersion(version);
    if (!vgem || drmGetDevice2(device, 0, &found) != 0)
        return -1;
    if (found->available_nodes & (1 << DRM_NODE_PRIMARY))
        card = open(found->nodes[DRM_NODE_PRIMARY], O_RDWR | O_CLOEXEC);
    drmFreeDevice(&found);
    return card;
}

static bool make_dumb(struct memory *memory, size_t size)
{
    struct drm_mode_create_dumb create = {
        .width = 4096, .height = (uint32_t)((size + 4095) / 4096), .bpp = 8};
    if (drmIoctl(memory->card, DRM_IOCTL_MODE_CREATE_DUMB, &create) != 0)
        return false;
    memory->handle = create.handle;
    memory->size = create.size;
    return drmPrimeHandleToFD(memory->card, create.handle, DRM_CLOEXEC | DRM_RDWR, &memory->fd) ==
           0;
}

static bool make_memfd(struct memory *memory, size_t size)
{
    memory->size = (size + 4095) & ~(size_t)4095;
    memory->fd = memfd_create("vmafxtest", MFD_CLOEXEC);
    return memory->fd >= 0 && ftruncate(memory->fd, (off_t)memory->size) == 0;
}

bool memory_make(struct memory *memory, int card, size_t size)
{
    *memory = (struct memory){.fd = -1, .card = card};
    if (card >= 0 ? make_dumb(memory, size) : make_memfd(memory, size)) {
        void *map = mmap(NULL, memory->size, PROT_READ | PROT_WRITE, MAP_SHARED, memory->fd, 0);
        if (map != MAP_FAILED) {
            memory->map = map;
            memset(map, 0x5a, memory->size);
            return true;
        }
    }
    memory_free(memory);
    return false;
}

void memory_free(struct memory *memory)
{
    if (memory->map)
        munmap(memory->map, memory->size);
    if (memory->fd >= 0)
        close(memory->fd);
    if (memory->handle) {
        struct drm_mode_destroy_dumb destroy = {.handle = memory->handle};
        drmIoctl(memory->card, DRM_IOCTL_MODE_DESTROY_DUMB, &destroy);
    }
    *memory = (struct memory){.fd = -1, .card = -1};
}

/* A fence of the tests' own module: nobody signals it. */
static void attach_endless_fence(struct memory *memory)
{
    int file = open("/dev/test_fence", O_RDWR | O_CLOEXEC);
    struct dma_buf_import_sync_file import = {.flags = DMA_BUF_SYNC_WRITE};

    import.fd = ioctl(file, _IO('V', 0));
    if (import.fd < 0 || ioctl(memory->fd, DMA_BUF_IOCTL_IMPORT_SYNC_FILE, &import) != 0)
        fatal("a fence that never comes cannot be attached: %s", strerror(errno));
    close(import.fd);
    close(file);
    memory->stuck = true;
}

void memory_begin_write(struct memory *memory, bool stuck)
{
    struct vgem_fence_attach attach = {.handle = memory->handle, .flags = VGEM_FENCE_WRITE};
    if (memory->card < 0 || memory->stuck)
        return;
    if (stuck) {
        attach_endless_fence(memory);
        return;
    }
    /* The buffer is busy where somebody still reads it, whom the write would disturb. */
    if (drmIoctl(memory->card, VGEM_FENCE_ATTACH, &attach) != 0)
        fatal("a surface is written to while others use it: %s", strerror(errno));
    memory->fence = attach.fence;
}

void memory_end_write(struct memory *memory)
{
    struct vgem_fence_signal signal = {.fence = memory->fence};
    if (!memory->fence)
        return;
    /* After vgem's own time limit the fence has signalled already. */
    if (drmIoctl(memory->card, VGEM_FENCE_SIGNAL, &signal) != 0 && errno != ETIMEDOUT)
        fatal("a fence cannot be signalled: %s", strerror(errno));
    memory->fence = 0;
}

static void cpu_access(const struct memory *memory, uint64_t flags)
{
    struct dma_buf_sync sync = {.flags = flags | DMA_BUF_SYNC_RW};
    if (memory->card >= 0)
        drmIoctl(memory->fd, DMA_BUF_IOCTL_SYNC, &sync);
}

void memory_begin_cpu_access(const struct memory *memory)
{
    cpu_access(memory, DMA_BUF_SYNC_START);
}

void memory_end_cpu_access(const struct memory *memory)
{
    cpu_access(memory, DMA_BUF_SYNC_END);
}
