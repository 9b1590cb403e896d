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


#include <inttypes.h>
#include <limits.h>
#include <sys/types.h>
#include <unistd.h>

#include <drm_fourcc.h>

#include "libavutil/buffer.h"
#include "libavutil/common.h"
#include "libavutil/error.h"
#include "libavutil/hwcontext.h"
#include "libavutil/hwcontext_drm.h"
#include "libavutil/imgutils.h"
#include "libavutil/log.h"
#include "libavutil/pixdesc.h"
#include "vmafx_hip_drm.h"

static int check_objects(void *log, AVDRMFrameDescriptor *drm)
{
    if (drm->nb_objects < 1 || drm->nb_objects > AV_DRM_MAX_PLANES) {
        av_log(log, AV_LOG_ERROR, "A DRM-PRIME frame says that it has %d objects\n", drm->nb_objects);
        return AVERROR(EINVAL);
    }
    for (int i = 0; i < drm->nb_objects; i++) {
        AVDRMObjectDescriptor *object = &drm->objects[i];
        off_t size = lseek(object->fd, 0, SEEK_END);

        if (object->format_modifier != DRM_FORMAT_MOD_LINEAR) {
            av_log(log, AV_LOG_ERROR, "A DRM-PRIME frame of modifier 0x%016"PRIx64" is not linear and cannot be downloaded: "
                   "leave import=host out, or give the filter the VAAPI frames that it was mapped from\n",
                   object->format_modifier);
            return AVERROR(ENOSYS);
        }
        if (size <= 0) {
            av_log(log, AV_LOG_ERROR, "Object %d of a DRM-PRIME frame, descriptor %d, is no buffer\n", i, object->fd);
            return AVERROR(EINVAL);
        }
        /* The descriptor's own size may be 0 or a guess. */
        object->size = size;
    }
    return 0;
}

static int is_inside(const AVDRMFrameDescriptor *drm, const AVDRMPlaneDescriptor *plane, size_t bytes, size_t rows)
{
    size_t room;

    if (plane->object_index < 0 || plane->object_index >= drm->nb_objects)
        return 0;
    room = drm->objects[plane->object_index].size;
    if (plane->offset < 0 || plane->offset > room || plane->pitch < 0 || plane->pitch > INT_MAX)
        return 0;
    room -= plane->offset;
    return bytes <= plane->pitch && bytes <= room && (rows - 1) * (size_t)plane->pitch <= room - bytes;
}

static int check_planes(void *log, const AVDRMFrameDescriptor *drm, enum AVPixelFormat format, int width, int height)
{
    const AVPixFmtDescriptor *pix = av_pix_fmt_desc_get(format);
    int nb_planes = 0, wanted = av_pix_fmt_count_planes(format);

    if (drm->nb_layers < 1 || drm->nb_layers > AV_DRM_MAX_PLANES) {
        av_log(log, AV_LOG_ERROR, "A DRM-PRIME frame says that it has %d layers\n", drm->nb_layers);
        return AVERROR(EINVAL);
    }
    for (int i = 0; i < drm->nb_layers; i++) {
        if (drm->layers[i].nb_planes < 1 || drm->layers[i].nb_planes > AV_DRM_MAX_PLANES) {
            av_log(log, AV_LOG_ERROR, "Layer %d of a DRM-PRIME frame says that it has %d planes\n", i,
                   drm->layers[i].nb_planes);
            return AVERROR(EINVAL);
        }
        for (int j = 0; j < drm->layers[i].nb_planes; j++, nb_planes++) {
            const AVDRMPlaneDescriptor *plane = &drm->layers[i].planes[j];
            int bytes = av_image_get_linesize(format, width, nb_planes);
            int rows  = nb_planes == 1 || nb_planes == 2 ? AV_CEIL_RSHIFT(height, pix->log2_chroma_h) : height;

            if (nb_planes < wanted && !is_inside(drm, plane, bytes, rows)) {
                av_log(log, AV_LOG_ERROR, "Plane %d of a DRM-PRIME frame, %d rows of %d bytes, does not lie in object %d of %d, "
                       "at offset %td with pitch %td\n", nb_planes, rows, bytes, plane->object_index, drm->nb_objects,
                       plane->offset, plane->pitch);
                return AVERROR(EINVAL);
            }
        }
    }
    if (nb_planes != wanted) {
        av_log(log, AV_LOG_ERROR, "A DRM-PRIME frame has %d planes, and %s has %d\n", nb_planes, pix->name, wanted);
        return AVERROR(ENOSYS);
    }
    return 0;
}

/* A frames context whose frames are memory and nothing else. */
static int make_frames(enum AVPixelFormat format, int width, int height, AVBufferRef **out)
{
    AVBufferRef *device = av_hwdevice_ctx_alloc(AV_HWDEVICE_TYPE_DRM);
    AVHWFramesContext *frames;
    int ret;

    if (!device)
        return AVERROR(ENOMEM);
    ((AVDRMDeviceContext *)((AVHWDeviceContext *)device->data)->hwctx)->fd = -1;
    ret = av_hwdevice_ctx_init(device);
    if (ret >= 0 && !(*out = av_hwframe_ctx_alloc(device)))
        ret = AVERROR(ENOMEM);
    av_buffer_unref(&device);
    if (ret < 0)
        return ret;
    frames            = (AVHWFramesContext *)(*out)->data;
    frames->format    = AV_PIX_FMT_DRM_PRIME;
    frames->sw_format = format;
    frames->width     = width;
    frames->height    = height;
    return av_hwframe_ctx_init(*out);
}

int ff_vmafx_drm_download(void *log, const AVFrame *in, enum AVPixelFormat format, AVFrame *copy)
{
    AVDRMFrameDescriptor drm;
    AVBufferRef *frames = NULL;
    AVFrame *memory;
    int ret;

    /* A copy: what it says of sizes is going to be mended. */
    drm = *(const AVDRMFrameDescriptor *)in->data[0];
    ret = check_objects(log, &drm);
    if (ret >= 0)
        ret = check_planes(log, &drm, format, in->width, in->height);
    if (ret < 0)
        return ret;
    memory = av_frame_clone(in);
    if (!memory)
        return AVERROR(ENOMEM);
    ret = make_frames(format, in->width, in->height, &frames);
    if (ret >= 0)
        ret = av_buffer_replace(&memory->hw_frames_ctx, frames);
    if (ret >= 0) {
        memory->data[0] = (uint8_t *)&drm;
        ret = av_hwframe_transfer_data(copy, memory, 0);
    }
    av_frame_free(&memory);
    av_buffer_unref(&frames);
    return ret;
}
