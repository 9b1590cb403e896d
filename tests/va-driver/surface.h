/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef VMAFXTEST_SURFACE_H
#define VMAFXTEST_SURFACE_H

#include <stdbool.h>

#include "layout.h"
#include "memory.h"
#include "objects.h"
#include "picture.h"

struct surface {
    struct object object;
    const struct pixel_format *format;
    unsigned width, height;
    struct layout layout;
    struct memory memory[MAX_OBJECTS];
    unsigned jobs;    /* of the worker that read or write it */
    unsigned derived; /* images that show its memory */
    bool target;      /* of a picture that was begun and has not ended */
};

/* The part of the surface that the picture covers, and the other way round. */
void surface_store(struct surface *surface, const struct picture *picture);
void surface_load(const struct surface *surface, struct picture *picture);

/* What was in the surface is gone, as from the moment a decoder begins to write to it. */
void surface_poison(struct surface *surface);

void surface_begin_write(struct surface *surface, bool stuck);
void surface_end_write(struct surface *surface);

#endif
