/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The pixel formats of surfaces and images: a plane of luma and one of interleaved chroma, 4:2:0.
 */
#ifndef VMAFXTEST_FORMATS_H
#define VMAFXTEST_FORMATS_H

#include <stddef.h>
#include <stdint.h>

#include <va/va.h>

enum { PLANES = 2 };

struct pixel_format {
    uint32_t fourcc;
    unsigned rt_format;
    unsigned element_bytes[PLANES];
    uint32_t layer[PLANES]; /* DRM's codes of the planes */
    uint32_t swapped_chroma_layer;
    uint32_t composed;
};

enum { FORMATS = 2 };
extern const struct pixel_format pixel_formats[FORMATS];

/* NULL: there is no such format. */
const struct pixel_format *format_of_fourcc(uint32_t fourcc);
const struct pixel_format *format_of_rt_format(unsigned rt_format);

VAImageFormat image_format(const struct pixel_format *format);

/* Elements of a plane across and down, for a picture of that size. */
static inline unsigned plane_width(unsigned width, unsigned plane)
{
    return plane ? (width + 1) / 2 : width;
}
static inline unsigned plane_height(unsigned height, unsigned plane)
{
    return plane ? (height + 1) / 2 : height;
}

#endif
