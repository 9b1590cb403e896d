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
#include <stdio.h>
#include <string.h>

#include "libavfilter/buffersink.h"
#include "libavfilter/buffersrc.h"
#include "libavutil/dict.h"
#include "libavutil/mem.h"

#include "drm_check.h"

static AVFilterContext *add_source(AVFilterGraph *graph, const char *name, enum AVPixelFormat format,
                                   int width, int height, AVBufferRef *hw_frames)
{
    AVFilterContext *source = avfilter_graph_alloc_filter(graph, avfilter_get_by_name("buffer"), name);
    AVBufferSrcParameters *parameters = av_buffersrc_parameters_alloc();

    parameters->format        = hw_frames ? AV_PIX_FMT_DRM_PRIME : format;
    parameters->width         = width;
    parameters->height        = height;
    parameters->time_base     = (AVRational){ 1, 25 };
    parameters->hw_frames_ctx = hw_frames;
    MUST(av_buffersrc_parameters_set(source, parameters));
    MUST(avfilter_init_dict(source, NULL));
    av_free(parameters);
    return source;
}

void session_open(Session *session, enum AVPixelFormat format, int width, int height,
                  AVBufferRef *const hw_frames[NB_INPUTS], const char *options)
{
    AVFilterGraph *graph = avfilter_graph_alloc();
    AVFilterContext *score;
    char arguments[256];

    memset(session, 0, sizeof(*session));
    session->graph = graph;
    av_bprint_init(&session->scores, 0, AV_BPRINT_SIZE_UNLIMITED);
    session->sources[INPUT_MAIN]      = add_source(graph, "main", format, width, height, hw_frames[INPUT_MAIN]);
    session->sources[INPUT_REFERENCE] = add_source(graph, "reference", format, width, height, hw_frames[INPUT_REFERENCE]);
    snprintf(arguments, sizeof(arguments), "runtime=cpu:workers=2:%s", options);
    MUST(avfilter_graph_create_filter(&score, avfilter_get_by_name("vmafx_hip"), "score", arguments, NULL, graph));
    MUST(avfilter_graph_create_filter(&session->sink, avfilter_get_by_name("buffersink"), "sink", NULL, NULL, graph));
    MUST(avfilter_link(session->sources[INPUT_MAIN], 0, score, 0));
    MUST(avfilter_link(session->sources[INPUT_REFERENCE], 0, score, 1));
    MUST(avfilter_link(score, 0, session->sink, 0));
    session->error = avfilter_graph_config(graph, NULL);
}

static void keep_error(Session *session, int ret)
{
    if (ret < 0 && ret != AVERROR(EAGAIN) && ret != AVERROR_EOF && session->error >= 0)
        session->error = ret;
}

static void drain(Session *session)
{
    AVFrame *frame = av_frame_alloc();
    int ret;

    while ((ret = av_buffersink_get_frame(session->sink, frame)) >= 0) {
        const AVDictionaryEntry *entry = NULL;

        av_bprintf(&session->scores, "frame %d\n", (int)frame->pts);
        while ((entry = av_dict_iterate(frame->metadata, entry)))
            av_bprintf(&session->scores, "%s=%s\n", entry->key, entry->value);
        av_frame_unref(frame);
        session->nb_frames++;
    }
    keep_error(session, ret);
    av_frame_free(&frame);
}

void session_push(Session *session, int input, AVFrame *frame)
{
    if (session->error >= 0)
        keep_error(session, av_buffersrc_add_frame(session->sources[input], frame));
    av_frame_free(&frame);
    if (session->error >= 0)
        drain(session);
}

void session_end(Session *session)
{
    for (int i = 0; i < NB_INPUTS && session->error >= 0; i++)
        keep_error(session, av_buffersrc_add_frame(session->sources[i], NULL));
    if (session->error >= 0)
        drain(session);
}

void session_close(Session *session)
{
    avfilter_graph_free(&session->graph);
    av_bprint_finalize(&session->scores, NULL);
}

void score_software(AVBPrint *scores, enum AVPixelFormat format, int width, int height, int nb_frames,
                    const char *options)
{
    AVBufferRef *software[NB_INPUTS] = { NULL };
    Session session;

    session_open(&session, format, width, height, software, options);
    for (int n = 0; n < nb_frames; n++)
        for (int i = 0; i < NB_INPUTS; i++)
            session_push(&session, i, draw(format, width, height, n, i == INPUT_MAIN));
    session_end(&session);
    MUST(session.error);
    MUST(session.nb_frames == nb_frames ? 0 : AVERROR_BUG);
    av_bprint_init(scores, 0, AV_BPRINT_SIZE_UNLIMITED);
    av_bprintf(scores, "%s", session.scores.str);
    session_close(&session);
}
