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
 * Writes that are not done when the frame is handed over: a kernel fence on the dma-buf tells. The
 * fences are those of the tests' own module, which nobody signals but the test.
 */

#define _GNU_SOURCE

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include <linux/dma-buf.h>

#include "libavutil/buffer.h"
#include "libavutil/mem.h"

#include "drm_check.h"

enum { WIDTH = 70, HEIGHT = 50, NB_FRAMES = 6 };

#define TEST_FENCE_EXPORT _IO('V', 0) /* tests/kernel/module/test_fence.c */

static const char options[] = "model=:feature=name=psnr|name=motion";
static const Placement placements[] = {
    { "one object",  0, ONE_OBJECT },
    { "two objects", 1, OBJECT_PER_PLANE },
};

/* The last object of a surface gets a fence: planes of the first one are no excuse. */
static int attach_fence(const Surface *surface)
{
    int fence = MUST(open("/dev/test_fence", O_RDWR | O_CLOEXEC));
    struct dma_buf_import_sync_file import = { DMA_BUF_SYNC_WRITE, MUST(ioctl(fence, TEST_FENCE_EXPORT)) };

    MUST(ioctl(surface->fds[surface->nb_fds - 1], DMA_BUF_IOCTL_IMPORT_SYNC_FILE, &import));
    close(import.fd);
    return fence;
}

static void signal_fence(int fence)
{
    int32_t no_error = 0;

    MUST(write(fence, &no_error, sizeof(no_error)) == sizeof(no_error) ? 0 : -1);
    close(fence);
}

/* A producer whose picture comes when the frame has long been handed over. */
typedef struct Write {
    pthread_t thread;
    Surface *surface;
    AVFrame *software;
    int fence;
} Write;

static void *write_late(void *opaque)
{
    Write *write = opaque;
    struct timespec pause = { 0, 40000000 };

    nanosleep(&pause, NULL);
    surface_write(write->surface, write->software);
    signal_fence(write->fence);
    return NULL;
}

static void start_write(Write *write, Surface *surface, AVFrame *software)
{
    surface_poison(surface);
    *write = (Write){ .surface = surface, .software = software, .fence = attach_fence(surface) };
    MUST(-pthread_create(&write->thread, NULL, write_late, write));
}

static void late(const Placement *placement, const char *expected)
{
    AVBufferRef *ref = make_hw_frames(AV_PIX_FMT_NV12, WIDTH, HEIGHT), *hw_frames[] = { ref, ref };
    const char *problem = NULL;
    Session session;

    log_forget();
    session_open(&session, AV_PIX_FMT_NV12, WIDTH, HEIGHT, hw_frames, options);
    for (int n = 0; n < NB_FRAMES; n++) {
        Write writes[NB_INPUTS];

        for (int i = 0; i < NB_INPUTS; i++) {
            AVFrame *software = draw(AV_PIX_FMT_NV12, WIDTH, HEIGHT, n, i == INPUT_MAIN);
            AVFrame *frame = make_drm(software, placement, ref);

            start_write(&writes[i], (Surface *)frame->data[0], software);
            session_push(&session, i, frame);
        }
        for (int i = 0; i < NB_INPUTS; i++) {
            pthread_join(writes[i].thread, NULL);
            av_frame_free(&writes[i].software);
        }
    }
    session_end(&session);
    if (session.error < 0)
        problem = log_last_error();
    else if (strcmp(session.scores.str, expected))
        problem = "scores differ";
    report(problem, "fences that come late, %s", placement->name);
    session_close(&session);
    av_buffer_unref(&ref);
}

/* The fence of the last pair never comes: the wait for it has a bound of 10 s. */
static void missing(const Placement *placement)
{
    AVBufferRef *ref = make_hw_frames(AV_PIX_FMT_NV12, WIDTH, HEIGHT), *hw_frames[] = { ref, ref };
    struct timespec begin, end;
    const char *problem = NULL;
    int fence = -1;
    Session session;

    log_forget();
    session_open(&session, AV_PIX_FMT_NV12, WIDTH, HEIGHT, hw_frames, options);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int n = 0; n < 3; n++)
        for (int i = 0; i < NB_INPUTS; i++) {
            AVFrame *software = draw(AV_PIX_FMT_NV12, WIDTH, HEIGHT, n, i == INPUT_MAIN);
            AVFrame *frame = make_drm(software, placement, ref);

            if (n == 2 && i == INPUT_REFERENCE)
                fence = attach_fence((Surface *)frame->data[0]);
            session_push(&session, i, frame);
            av_frame_free(&software);
        }
    clock_gettime(CLOCK_MONOTONIC, &end);
    if (session.error >= 0)
        problem = "accepted";
    else if (!log_has("desc.acquire") || !log_has("still pending"))
        problem = log_last_error();
    else if (end.tv_sec - begin.tv_sec < 9 || end.tv_sec - begin.tv_sec > 60)
        problem = "not within the bound";
    report(problem, "a fence that never comes, %s", placement->name);
    session_close(&session);
    close(fence);
    av_buffer_unref(&ref);
}

void check_fences(void)
{
    AVBPrint expected;

    score_software(&expected, AV_PIX_FMT_NV12, WIDTH, HEIGHT, NB_FRAMES, options);
    for (int p = 0; p < 2; p++)
        late(&placements[p], expected.str);
    missing(&placements[1]);
    av_bprint_finalize(&expected, NULL);
}
