/* SPDX-License-Identifier: BSD-2-Clause */
#include "formats.h"

#include <drm_fourcc.h>

const struct pixel_format pixel_formats[FORMATS] = {
    {VA_FOURCC_NV12,
     VA_RT_FORMAT_YUV420,
     {1, 2},
     {DRM_FORMAT_R8, DRM_FORMAT_GR88},
     DRM_FORMAT_RG88,
     DRM_FORMAT_NV12},
    {VA_FOURCC_P010,
     VA_RT_FORMAT_YUV420_10,
     {2, 4},
     {DRM_FORMAT_R16, DRM_FORMAT_GR1616},
     DRM_FORMAT_RG1616,
     DRM_FORMAT_P010},
};

const struct pixel_format *format_of_fourcc(uint32_t fourcc)
{
    for (int i = 0; i < FORMATS; i++)
        if (pixel_formats[i].fourcc == fourcc)
            return &pixel_formats[i];
    return NULL;
}

const struct pixel_format *format_of_rt_format(unsigned rt_format)
{
    for (int i = 0; i < FORMATS; i++)
        if (pixel_formats[i].rt_format == rt_format)
            return &pixel_formats[i];
    return NULL;
}

VAImageFormat image_format(const struct pixel_format *format)
{
    return (VAImageFormat){
        .fourcc = format->fourcc,
        .byte_order = VA_LSB_FIRST,
        .bits_per_pixel = 12 * format->element_bytes[0],
    };
}
