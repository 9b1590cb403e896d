/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef VMAFXTEST_BUFFER_H
#define VMAFXTEST_BUFFER_H

#include <stdbool.h>

#include <va/va.h>

#include "objects.h"

struct driver;
struct surface;

struct buffer {
    struct object object;
    VABufferType type;
    unsigned size, count; /* bytes of an element, elements */
    uint8_t *data;
    struct surface *derived_from; /* shows its memory and has no data of its own */
    bool mapped;
    bool image; /* belongs to an image, which alone may destroy it */
};

/* With the driver's lock held. NULL: out of memory. */
struct buffer *buffer_make(struct driver *driver, VABufferType type, unsigned size, unsigned count,
                           const void *data);
void buffer_destroy(struct driver *driver, struct buffer *buffer);

#endif
