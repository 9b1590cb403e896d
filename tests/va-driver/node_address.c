/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Preloaded where there is no GPU: every DRM node is that of a PCI device at NODE_PCI_ADDRESS.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xf86drm.h>

#define VISIBLE __attribute__((visibility("default")))

struct node {
    drmDevice device; /* first: it is what drmFreeDevice() gets */
    drmPciBusInfo bus;
};

VISIBLE int drmGetDevice2(int fd, uint32_t flags, drmDevicePtr *device)
{
    const char *address = getenv("NODE_PCI_ADDRESS");
    unsigned domain, bus, number, function;
    if (!address || sscanf(address, "%x:%x:%x.%x", &domain, &bus, &number, &function) != 4)
        abort();
    struct node *node = calloc(1, sizeof(*node));
    if (!node)
        abort();
    node->bus.domain = (uint16_t)domain;
    node->bus.bus = (uint8_t)bus;
    node->bus.dev = (uint8_t)number;
    node->bus.func = (uint8_t)function;
    node->device.bustype = DRM_BUS_PCI;
    node->device.businfo.pci = &node->bus;
    *device = &node->device;
    return 0;
}

VISIBLE void drmFreeDevice(drmDevicePtr *device)
{
    free(*device);
    *device = NULL;
}

VISIBLE char *drmGetDeviceNameFromFd2(int fd)
{
    return strdup("/dev/dri/renderD128");
}
