/* SPDX-License-Identifier: BSD-2-Clause */
#include "picture.h"

#include <stdlib.h>
#include <string.h>

#include "fatal.h"

void picture_make(struct picture *picture, const struct pixel_format *format, unsigned width,
                  unsigned height)
{
    size_t size[PLANES];
    picture->width = width;
    picture->height = height;
    for (unsigned i = 0; i < PLANES; i++) {
        picture->pitch[i] = (size_t)plane_width(width, i) * format->element_bytes[i];
        size[i] = picture->pitch[i] * plane_height(height, i);
    }
    picture->rows[0] = calloc(1, size[0] + size[1]);
    if (!picture->rows[0])
        fatal("out of memory");
    picture->rows[1] = picture->rows[0] + size[0];
}

void picture_copy(struct picture *copy, const struct picture *picture,
                  const struct pixel_format *format)
{
    picture_make(copy, format, picture->width, picture->height);
    for (unsigned i = 0; i < PLANES; i++)
        for (unsigned y = 0; y < plane_height(picture->height, i); y++)
            memcpy(copy->rows[i] + y * copy->pitch[i], picture->rows[i] + y * picture->pitch[i],
                   copy->pitch[i]);
}

void picture_free(struct picture *picture)
{
    free(picture->rows[0]);
    *picture = (struct picture){0};
}
