/*
 * Copyright (c) 2026 the libvmafx authors
 *
 * This file is part of FFmpeg.
 *
 * FFmpeg is free software; you can redistribute it and/or
 * modify it under the terms of the GNU Lesser General Public
 * License as published by the Free Software Foundation; either
 * version 2.1 of the License, or (at your option) any later version.
 *
 * FFmpeg is distributed in the hope that it will be useful,
 * but WITHOUT ANY WARRANTY; without even the implied warranty of
 * MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE.  See the GNU
 * Lesser General Public License for more details.
 *
 * You should have received a copy of the GNU Lesser General Public
 * License along with FFmpeg; if not, write to the Free Software
 * Foundation, Inc., 51 Franklin Street, Fifth Floor, Boston, MA 02110-1301 USA
 */
#define _GNU_SOURCE

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <xf86drm.h>

#include "drm_check.h"

static int card = -1;

void buffers_open(const char *path)
{
    if (path)
        card = MUST(open(path, O_RDWR | O_CLOEXEC));
}

int buffers_are_real(void)
{
    return card >= 0;
}

static int create_dumb(size_t size)
{
    struct drm_mode_create_dumb create = { .width = 4096, .height = (size + 4095) / 4096, .bpp = 8 };
    struct drm_mode_destroy_dumb destroy = { 0 };
    int fd;

    MUST(drmIoctl(card, DRM_IOCTL_MODE_CREATE_DUMB, &create));
    MUST(drmPrimeHandleToFD(card, create.handle, DRM_CLOEXEC | DRM_RDWR, &fd));
    /* The dma-buf keeps the memory. */
    destroy.handle = create.handle;
    MUST(drmIoctl(card, DRM_IOCTL_MODE_DESTROY_DUMB, &destroy));
    return fd;
}

int buffer_create(size_t size)
{
    int fd;

    if (card >= 0)
        return create_dumb(size);
    fd = MUST(memfd_create("frame", MFD_CLOEXEC));
    MUST(ftruncate(fd, size));
    return fd;
}

uint8_t *buffer_map(int fd, size_t *size)
{
    uint8_t *map;

    *size = lseek(fd, 0, SEEK_END);
    map = mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    MUST(map == MAP_FAILED ? -1 : 0);
    return map;
}

int count_descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    int n = 0;

    while (readdir(folder))
        n++;
    closedir(folder);
    return n;
}
