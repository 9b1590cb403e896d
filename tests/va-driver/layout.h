/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How a surface lies in its one or two buffers.
 */
#ifndef VMAFXTEST_LAYOUT_H
#define VMAFXTEST_LAYOUT_H

#include "formats.h"
#include "settings.h"

enum { MAX_OBJECTS = 2 };

struct plane_layout {
    unsigned object;
    size_t offset, pitch, rows;
};

struct layout {
    const struct tile *tile;
    unsigned objects;
    size_t size[MAX_OBJECTS];
    struct plane_layout plane[PLANES];
};

void layout_make(struct layout *layout, const struct settings *settings, const struct tile *tile,
                 const struct pixel_format *format, unsigned width, unsigned height);

#endif
