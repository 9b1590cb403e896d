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
/**
 * @file
 * Checks of the vmafx_hip filter on DRM-PRIME frames that a program makes by hand:
 * what the files of the program share.
 */

#ifndef FATE_DRM_DRM_CHECK_H
#define FATE_DRM_DRM_CHECK_H

#include <stddef.h>
#include <stdint.h>

#include "libavfilter/avfilter.h"
#include "libavutil/bprint.h"
#include "libavutil/error.h"
#include "libavutil/frame.h"
#include "libavutil/hwcontext_drm.h"

/* Of the test itself: what it asks for has to work. */
#define MUST(call) must((call), #call, __FILE__, __LINE__)
int must(int ret, const char *call, const char *file, int line);

/** A line for the check, PROBLEM is NULL where it passed. */
void report(const char *problem, const char *format, ...) av_printf_format(2, 3);
int sum_up(void);

/* ---- What the filter says ---- */

void log_keep(void);
/** Whether a message since log_forget() has the text in it. */
int log_has(const char *text);
void log_forget(void);
/** The last message that is an error. */
const char *log_last_error(void);

/* ---- Buffers ---- */

/** NULL: memfds, which the CPU runtime takes in place of dma-bufs. Else the card whose dumb buffers
 * are exported. */
void buffers_open(const char *card);
int buffers_are_real(void);
int buffer_create(size_t size);
/** A mapping of the whole, and its size. */
uint8_t *buffer_map(int fd, size_t *size);
int count_descriptors(void);

/* ---- Pictures ---- */

/** A picture with texture and motion; the distorted one has lost some bits. */
AVFrame *draw(enum AVPixelFormat format, int width, int height, int number, int distorted);
AVBufferRef *make_hw_frames(enum AVPixelFormat format, int width, int height);

/** How the planes lie in the buffers. */
typedef struct Placement {
    const char *name;
    int composed;               ///< one layer holds all planes
    enum { ONE_OBJECT, OBJECT_PER_PLANE, REVERSED_OBJECTS } objects;
    int swapped;                ///< components of chroma are named the other way round
    int no_size;                ///< sizes of objects are 0
} Placement;

/** A descriptor, and what is behind it; the address is the one of the descriptor. */
typedef struct Surface {
    AVDRMFrameDescriptor drm;
    int fds[AV_DRM_MAX_PLANES]; ///< own, whatever the descriptor says
    int nb_fds;
} Surface;

/** The code of a layer that holds all planes, 0 where there is none. */
uint32_t composed_code(enum AVPixelFormat format);
/** @return 0 where the format has no such placement */
int placement_fits(const Placement *placement, enum AVPixelFormat format);
Surface *surface_create(enum AVPixelFormat format, int width, int height, const Placement *placement);
void surface_write(const Surface *surface, const AVFrame *software);
void surface_poison(const Surface *surface);
void surface_free(Surface *surface);
/** A frame of the surface; its release is the caller's. */
AVFrame *surface_frame(Surface *surface, const AVBufferRef *hw_frames, int64_t pts,
                       void (*release)(void *opaque, uint8_t *data), void *opaque);
/** A surface of its own with the software frame's pixels. */
AVFrame *make_drm(const AVFrame *software, const Placement *placement, const AVBufferRef *hw_frames);

/* ---- Sessions ---- */

enum { INPUT_MAIN, INPUT_REFERENCE, NB_INPUTS };

typedef struct Session {
    AVFilterGraph *graph;
    AVFilterContext *sources[NB_INPUTS], *sink;
    AVBPrint scores;            ///< metadata of the frames that came out
    int nb_frames;
    int error;                  ///< of the first call that failed
} Session;

/** hw_frames: NULL for an input of software frames. */
void session_open(Session *session, enum AVPixelFormat format, int width, int height,
                  AVBufferRef *const hw_frames[NB_INPUTS], const char *options);
/** Takes the frame, and what comes out. */
void session_push(Session *session, int input, AVFrame *frame);
void session_end(Session *session);
void session_close(Session *session);

/** The scores of software frames. */
void score_software(AVBPrint *scores, enum AVPixelFormat format, int width, int height, int nb_frames,
                    const char *options);

/* ---- The checks ---- */

void check_layouts(void);
void check_refusals(void);
void check_pools(void);
void check_changes(void);
void check_fences(void);

#endif
