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


#ifndef AVFILTER_VMAFX_HIP_DRM_H
#define AVFILTER_VMAFX_HIP_DRM_H

/**
 * @file
 * DRM-PRIME frames for the vmafx_hip filter.
 */

#include "libavutil/frame.h"
#include "libavutil/pixfmt.h"

/**
 * Copies the planes of a linear DRM-PRIME frame into a new software frame.
 * Its frames context is not asked: that of a frame that was mapped from another
 * kind, as hwmap does it, belongs to the device of that kind.
 *
 * @param format of the planes
 * @return AVERROR(ENOSYS): the frame is tiled, or has other planes than the format
 */
int ff_vmafx_drm_download(void *log, const AVFrame *in, enum AVPixelFormat format, AVFrame *copy);

#endif /* AVFILTER_VMAFX_HIP_DRM_H */
