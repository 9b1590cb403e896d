/*
 * Copyright (c) 2026 the libvmafx authors
 *
 * This file is part of FFmpeg.
 *
 * FFmpeg is free software; you can redistribute it and/or
 * modify it under the terms of the GNU Lesser General Public
 * License as published by the Free Software Foundation; either
 * version 2.1 of the License, or (at your option) any later version.
 *
 * FFmpeg is distributed in the hope that it will be useful,
 * but WITHOUT ANY WARRANTY; without even the implied warranty of
 * MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE.  See the GNU
 * Lesser General Public License for more details.
 *
 * You should have received a copy of the GNU Lesser General Public
 * License along with FFmpeg; if not, write to the Free Software
 * Foundation, Inc., 51 Franklin Street, Fifth Floor, Boston, MA 02110-1301 USA
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <drm_fourcc.h>

#include "libavutil/hwcontext.h"
#include "libavutil/imgutils.h"
#include "libavutil/mem.h"
#include "libavutil/pixdesc.h"

#include "drm_check.h"

/* Where planes begin, and how much longer than their samples rows are, each plane's more than that of
 * the one before: nothing that a filter could guess. */
#define FIRST_OFFSET  192
#define PITCH_PADDING  74
#define ROW_PADDING     3

static int plane_rows(enum AVPixelFormat format, int height, int plane)
{
    return plane ? AV_CEIL_RSHIFT(height, av_pix_fmt_desc_get(format)->log2_chroma_h) : height;
}

AVFrame *draw(enum AVPixelFormat format, int width, int height, int number, int distorted)
{
    const AVComponentDescriptor *sample = &av_pix_fmt_desc_get(format)->comp[0];
    AVFrame *frame = av_frame_alloc();

    frame->format = format;
    frame->width  = width;
    frame->height = height;
    frame->pts    = number;
    MUST(av_frame_get_buffer(frame, 0));
    for (int p = 0; p < av_pix_fmt_count_planes(format); p++) {
        int bytes = MUST(av_image_get_linesize(format, width, p)), rows = plane_rows(format, height, p);

        for (int y = 0; y < rows; y++) {
            uint8_t *row = frame->data[p] + y * frame->linesize[p];

            for (int x = 0; x < bytes / (sample->depth > 8 ? 2 : 1); x++) {
                unsigned noise = (x * 2654435761u) ^ ((y + 5 * number) * 40503u) ^ (p * 97u);
                unsigned value = (x * 3 + number * 4 + ((y * y) >> 6) + (noise >> 13) % 24) & 255;

                if (distorted)
                    value &= ~15u;
                if (sample->depth > 8)
                    ((uint16_t *)row)[x] = (value << (sample->depth - 8) | (distorted ? 0 : noise & 3)) << sample->shift;
                else
                    row[x] = value;
            }
        }
    }
    return frame;
}

AVBufferRef *make_hw_frames(enum AVPixelFormat format, int width, int height)
{
    AVBufferRef *device = av_hwdevice_ctx_alloc(AV_HWDEVICE_TYPE_DRM), *ref;
    AVHWFramesContext *frames;

    ((AVDRMDeviceContext *)((AVHWDeviceContext *)device->data)->hwctx)->fd = -1;
    MUST(av_hwdevice_ctx_init(device));
    ref = av_hwframe_ctx_alloc(device);
    frames = (AVHWFramesContext *)ref->data;
    frames->format    = AV_PIX_FMT_DRM_PRIME;
    frames->sw_format = format;
    frames->width     = width;
    frames->height    = height;
    MUST(av_hwframe_ctx_init(ref));
    av_buffer_unref(&device);
    return ref;
}

uint32_t composed_code(enum AVPixelFormat format)
{
    switch (format) {
    case AV_PIX_FMT_GRAY8:   return DRM_FORMAT_R8;
    case AV_PIX_FMT_YUV420P: return DRM_FORMAT_YUV420;
    case AV_PIX_FMT_YUV422P: return DRM_FORMAT_YUV422;
    case AV_PIX_FMT_YUV444P: return DRM_FORMAT_YUV444;
    case AV_PIX_FMT_NV12:    return DRM_FORMAT_NV12;
    case AV_PIX_FMT_NV16:    return DRM_FORMAT_NV16;
    case AV_PIX_FMT_NV24:    return DRM_FORMAT_NV24;
    case AV_PIX_FMT_P010LE:  return DRM_FORMAT_P010;
    case AV_PIX_FMT_P012LE:  return DRM_FORMAT_P012;
    case AV_PIX_FMT_P016LE:  return DRM_FORMAT_P016;
    case AV_PIX_FMT_P210LE:  return DRM_FORMAT_P210;
    default:                 return 0;
    }
}

int placement_fits(const Placement *placement, enum AVPixelFormat format)
{
    int planes = av_pix_fmt_count_planes(format);

    return (!placement->composed || composed_code(format)) && (!placement->swapped || planes == 2);
}

static uint32_t plane_code(enum AVPixelFormat format, int plane, int swapped)
{
    int high = av_pix_fmt_desc_get(format)->comp[0].depth > 8;

    if (!plane || av_pix_fmt_count_planes(format) != 2)
        return high ? DRM_FORMAT_R16 : DRM_FORMAT_R8;
    if (swapped)
        return high ? DRM_FORMAT_RG1616 : DRM_FORMAT_RG88;
    return high ? DRM_FORMAT_GR1616 : DRM_FORMAT_GR88;
}

Surface *surface_create(enum AVPixelFormat format, int width, int height, const Placement *placement)
{
    Surface *surface = av_mallocz(sizeof(*surface));
    AVDRMFrameDescriptor *drm = &surface->drm;
    int nb_planes = av_pix_fmt_count_planes(format);
    size_t sizes[AV_DRM_MAX_PLANES] = { 0 };

    drm->nb_layers  = placement->composed ? 1 : nb_planes;
    drm->nb_objects = placement->objects == ONE_OBJECT ? 1 : nb_planes;
    for (int p = 0; p < nb_planes; p++) {
        AVDRMLayerDescriptor *layer = &drm->layers[placement->composed ? 0 : p];
        AVDRMPlaneDescriptor *plane = &layer->planes[layer->nb_planes++];
        int bytes = MUST(av_image_get_linesize(format, width, p));

        layer->format = placement->composed ? composed_code(format) : plane_code(format, p, placement->swapped);
        plane->object_index = placement->objects == ONE_OBJECT ? 0 :
                              placement->objects == OBJECT_PER_PLANE ? p : nb_planes - 1 - p;
        plane->pitch  = bytes + PITCH_PADDING * (p + 1);
        plane->offset = sizes[plane->object_index] + FIRST_OFFSET * (p + 1);
        sizes[plane->object_index] = plane->offset + (plane_rows(format, height, p) + ROW_PADDING) * plane->pitch;
    }
    for (int i = 0; i < drm->nb_objects; i++) {
        surface->fds[surface->nb_fds++] = drm->objects[i].fd = buffer_create(sizes[i]);
        drm->objects[i].size            = placement->no_size ? 0 : sizes[i];
        drm->objects[i].format_modifier = DRM_FORMAT_MOD_LINEAR;
    }
    return surface;
}

void surface_write(const Surface *surface, const AVFrame *software)
{
    const AVDRMFrameDescriptor *drm = &surface->drm;

    for (int p = 0; p < av_pix_fmt_count_planes(software->format); p++) {
        const AVDRMPlaneDescriptor *plane = drm->nb_layers == 1 ? &drm->layers[0].planes[p] : &drm->layers[p].planes[0];
        size_t size;
        uint8_t *map = buffer_map(surface->fds[plane->object_index], &size);

        av_image_copy_plane(map + plane->offset, plane->pitch, software->data[p], software->linesize[p],
                            MUST(av_image_get_linesize(software->format, software->width, p)),
                            plane_rows(software->format, software->height, p));
        munmap(map, size);
    }
}

void surface_poison(const Surface *surface)
{
    for (int i = 0; i < surface->nb_fds; i++) {
        size_t size;
        uint8_t *map = buffer_map(surface->fds[i], &size);

        memset(map, 0xa5, size);
        munmap(map, size);
    }
}

void surface_free(Surface *surface)
{
    for (int i = 0; i < surface->nb_fds; i++)
        close(surface->fds[i]);
    av_free(surface);
}

AVFrame *surface_frame(Surface *surface, const AVBufferRef *hw_frames, int64_t pts,
                       void (*release)(void *opaque, uint8_t *data), void *opaque)
{
    AVHWFramesContext *frames = (AVHWFramesContext *)hw_frames->data;
    AVFrame *frame = av_frame_alloc();

    frame->format        = AV_PIX_FMT_DRM_PRIME;
    frame->width         = frames->width;
    frame->height        = frames->height;
    frame->pts           = pts;
    frame->data[0]       = (uint8_t *)&surface->drm;
    frame->buf[0]        = av_buffer_create((uint8_t *)surface, sizeof(*surface), release, opaque, 0);
    frame->hw_frames_ctx = av_buffer_ref(hw_frames);
    MUST(frame->buf[0] && frame->hw_frames_ctx ? 0 : AVERROR(ENOMEM));
    return frame;
}

static void free_surface(void *opaque, uint8_t *data)
{
    surface_free((Surface *)data);
}

AVFrame *make_drm(const AVFrame *software, const Placement *placement, const AVBufferRef *hw_frames)
{
    Surface *surface = surface_create(software->format, software->width, software->height, placement);

    surface_write(surface, software);
    return surface_frame(surface, hw_frames, software->pts, free_surface, NULL);
}
