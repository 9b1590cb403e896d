/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A picture on its way into a surface or out of one: rows of pixels in the process's own memory.
 */
#ifndef VMAFXTEST_PICTURE_H
#define VMAFXTEST_PICTURE_H

#include "formats.h"

struct picture {
    unsigned width, height;
    uint8_t *rows[PLANES]; /* one allocation, which begins at rows[0] */
    size_t pitch[PLANES];
};

void picture_make(struct picture *picture, const struct pixel_format *format, unsigned width,
                  unsigned height);
void picture_copy(struct picture *copy, const struct picture *picture,
                  const struct pixel_format *format);
void picture_free(struct picture *picture);

#endif
