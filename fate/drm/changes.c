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
 * Graphs that end early, graphs that follow each other, and streams that change.
 */

#include <string.h>

#include "libavfilter/buffersrc.h"
#include "libavutil/buffer.h"

#include "drm_check.h"

enum { WIDTH = 70, HEIGHT = 50, NB_FRAMES = 8 };

static const char options[] = "model=:feature=name=psnr|name=motion";
static const Placement placement = { "separate", 0, ONE_OBJECT };

static void push_pair(Session *session, AVBufferRef *ref, enum AVPixelFormat format, int width, int height, int number)
{
    for (int i = 0; i < NB_INPUTS; i++) {
        AVFrame *software = draw(format, width, height, number, i == INPUT_MAIN);

        session_push(session, i, make_drm(software, &placement, ref));
        av_frame_free(&software);
    }
}

/* The same frames context serves one graph after the other. */
static void graphs_in_a_row(AVBufferRef *ref, const char *expected)
{
    AVBufferRef *hw_frames[] = { ref, ref };

    for (int round = 0; round < 3; round++) {
        const char *problem;
        AVFrame *late;
        Session session;

        session_open(&session, AV_PIX_FMT_NV12, WIDTH, HEIGHT, hw_frames, options);
        for (int n = 0; n < NB_FRAMES; n++)
            push_pair(&session, ref, AV_PIX_FMT_NV12, WIDTH, HEIGHT, n);
        session_end(&session);
        problem = session.error < 0 ? log_last_error() : strcmp(session.scores.str, expected) ? "scores differ" : NULL;
        late = draw(AV_PIX_FMT_NV12, WIDTH, HEIGHT, NB_FRAMES, 0);
        if (!problem && av_buffersrc_add_frame(session.sources[INPUT_MAIN], late) != AVERROR_EOF)
            problem = "a frame after the end is taken";
        av_frame_free(&late);
        session_close(&session);
        report(problem, "graph %d of three in a row", round + 1);
    }
}

/* As a program that seeks does: what is in the graph is dropped. */
static void graph_that_is_dropped(AVBufferRef *ref)
{
    AVBufferRef *hw_frames[] = { ref, ref };
    int descriptors = count_descriptors();

    for (int nb_frames = 0; nb_frames < NB_FRAMES; nb_frames += 3) {
        Session session;

        log_forget();
        session_open(&session, AV_PIX_FMT_NV12, WIDTH, HEIGHT, hw_frames, options);
        for (int n = 0; n < nb_frames; n++)
            push_pair(&session, ref, AV_PIX_FMT_NV12, WIDTH, HEIGHT, n);
        session_close(&session);
        report(log_has("the scores are of the first") == !!nb_frames ? NULL : "not told what the scores are of",
               "a graph that is dropped after %d pairs", nb_frames);
    }
    report(count_descriptors() == descriptors ? NULL : "descriptors are left", "descriptors of graphs that are dropped");
}

static void change(const char *name, enum AVPixelFormat format, int width, int height, const char *words)
{
    AVBufferRef *ref = make_hw_frames(AV_PIX_FMT_NV12, WIDTH, HEIGHT), *hw_frames[] = { ref, ref };
    AVBufferRef *other = make_hw_frames(format, width, height);
    Session session;

    log_forget();
    session_open(&session, AV_PIX_FMT_NV12, WIDTH, HEIGHT, hw_frames, options);
    for (int n = 0; n < NB_FRAMES; n++)
        push_pair(&session, n < NB_FRAMES / 2 ? ref : other, n < NB_FRAMES / 2 ? AV_PIX_FMT_NV12 : format,
                  n < NB_FRAMES / 2 ? WIDTH : width, n < NB_FRAMES / 2 ? HEIGHT : height, n);
    session_end(&session);
    report(session.error >= 0 ? "accepted" : log_has(words) ? NULL : log_last_error(), "%s", name);
    session_close(&session);
    av_buffer_unref(&ref);
    av_buffer_unref(&other);
}

void check_changes(void)
{
    AVBufferRef *ref = make_hw_frames(AV_PIX_FMT_NV12, WIDTH, HEIGHT);
    AVBPrint expected;

    score_software(&expected, AV_PIX_FMT_NV12, WIDTH, HEIGHT, NB_FRAMES, options);
    graphs_in_a_row(ref, expected.str);
    graph_that_is_dropped(ref);
    change("8 bits that become 10", AV_PIX_FMT_P010LE, WIDTH, HEIGHT, "10 bits, but the first one was");
    change("a size that changes", AV_PIX_FMT_NV12, 96, 64, "96x64");
    change("chroma that changes", AV_PIX_FMT_NV16, WIDTH, HEIGHT, "but the first one was");
    av_bprint_finalize(&expected, NULL);
    av_buffer_unref(&ref);
}
