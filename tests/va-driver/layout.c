/* SPDX-License-Identifier: BSD-2-Clause */
#include "layout.h"

/* All steps are powers of two. */
static size_t round_up(size_t value, size_t step)
{
    return (value + step - 1) & ~(step - 1);
}

static size_t greater(size_t a, size_t b)
{
    return a > b ? a : b;
}

void layout_make(struct layout *layout, const struct settings *settings, const struct tile *tile,
                 const struct pixel_format *format, unsigned width, unsigned height)
{
    size_t end[MAX_OBJECTS] = {settings->offset, 0};
    *layout = (struct layout){.tile = tile, .objects = settings->objects};

    for (unsigned i = 0; i < PLANES; i++) {
        struct plane_layout *plane = &layout->plane[i];
        unsigned bytes = format->element_bytes[i];
        size_t align = i ? settings->chroma_pitch_align : settings->pitch_align;

        plane->object = i % layout->objects;
        plane->pitch = round_up((size_t)plane_width(width, i) * bytes,
                                greater(align, tile_pitch_step(tile, bytes)));
        /* Half of the padded luma rows, as decoders pad whole macroblocks. */
        plane->rows = round_up(plane_height((unsigned)round_up(height, settings->row_align), i),
                               tile_row_step(tile, bytes));
        plane->offset = round_up(end[plane->object], 256);
        end[plane->object] = plane->offset + plane->pitch * plane->rows;
        layout->size[plane->object] = end[plane->object];
    }
}
