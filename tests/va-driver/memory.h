/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The buffers of surfaces: dma-bufs of vgem, which carry fences, or memfds, which do not.
 */
#ifndef VMAFXTEST_MEMORY_H
#define VMAFXTEST_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct memory {
    int fd;
    uint8_t *map;
    size_t size;
    int card;        /* the vgem node that owns it, or -1 */
    uint32_t handle; /* at that node */
    uint32_t fence;  /* pending, or 0 */
    bool stuck;      /* has a fence that never comes */
};

/* The node of a device at which buffers can be made, or -1. */
int memory_open_card(int device);

/* In vgem at that node, or as a memfd for -1. All bytes are of a value that no picture needs. */
bool memory_make(struct memory *memory, int card, size_t size);
void memory_free(struct memory *memory);

/* Between both calls, the kernel lets nobody who waits for writes have the buffer; for ever if it
 * gets stuck. */
void memory_begin_write(struct memory *memory, bool stuck);
void memory_end_write(struct memory *memory);

/* Brackets the CPU's accesses; memfds do not mind. */
void memory_begin_cpu_access(const struct memory *memory);
void memory_end_cpu_access(const struct memory *memory);

#endif
