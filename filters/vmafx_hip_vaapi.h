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

#ifndef AVFILTER_VMAFX_HIP_VAAPI_H
#define AVFILTER_VMAFX_HIP_VAAPI_H

/**
 * @file
 * VAAPI surfaces for the vmafx_hip filter: exported as dma-bufs, their fences,
 * and copies into linear surfaces. Without VAAPI every call is AVERROR(ENOSYS).
 */

#include "libavutil/frame.h"
#include "libavutil/hwcontext.h"
#include "libavutil/hwcontext_drm.h"

/** What the filter keeps of the surfaces that it has seen. */
typedef struct VMAFXVaapi VMAFXVaapi;

/** A surface that is going to be imported. Starts as VMAFX_SURFACE_INIT. */
typedef struct VMAFXSurface {
    AVFrame *frame;                  ///< keeps the surface from being written again
    const AVDRMFrameDescriptor *drm; ///< lives until the surface is closed
    int sync_file;                   ///< signalled when the surface is written, or -1

    struct VMAFXExport *exported;
    int own_export;                  ///< of this surface alone
} VMAFXSurface;

#define VMAFX_SURFACE_INIT { .sync_file = -1 }

/**
 * Exports the surface of a frame. A surface that belongs to a pool is exported
 * once, others each time. Waits for nothing: see ff_vmafx_vaapi_acquire().
 *
 * @param vaapi created at the first call
 * @return AVERROR(ENOSYS): the driver does not export surfaces
 */
int ff_vmafx_vaapi_export(void *log, VMAFXVaapi **vaapi, const AVFrame *in, VMAFXSurface *surface);

/**
 * Lets the driver's video processor copy a frame into a linear surface, and
 * exports that. The frame may be released at once: the driver orders what is
 * done to a surface.
 *
 */
int ff_vmafx_vaapi_copy(void *log, VMAFXVaapi **vaapi, const AVFrame *in, VMAFXSurface *surface);

/**
 * Makes sure that the surface is written when it is read: by its sync_file where
 * the kernel gives one, else, and the first time, by waiting for it.
 */
int ff_vmafx_vaapi_acquire(void *log, VMAFXVaapi *vaapi, VMAFXSurface *surface);

/** Closes what is open of a surface, and frees its frame. */
void ff_vmafx_vaapi_close(VMAFXSurface *surface);

/** @return the DRM node that a VAAPI device is on, borrowed, or -1 */
int ff_vmafx_vaapi_drm_fd(const AVHWDeviceContext *device);

/** Says what was done. Frames in flight may outlive it. */
void ff_vmafx_vaapi_free(void *log, VMAFXVaapi **vaapi);

#endif /* AVFILTER_VMAFX_HIP_VAAPI_H */
