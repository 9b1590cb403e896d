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

#include "libavutil/buffer.h"
#include "libavutil/macros.h"
#include "libavutil/pixdesc.h"

#include "drm_check.h"

enum { NB_FRAMES = 3 };

static const char features[] = "model=:feature=name=psnr|name=motion";

static const enum AVPixelFormat formats[] = {
    AV_PIX_FMT_GRAY8,       AV_PIX_FMT_GRAY12LE,
    AV_PIX_FMT_YUV420P,     AV_PIX_FMT_YUV422P,     AV_PIX_FMT_YUV444P,
    AV_PIX_FMT_YUV420P10LE, AV_PIX_FMT_YUV422P12LE, AV_PIX_FMT_YUV444P16LE,
    AV_PIX_FMT_NV12,        AV_PIX_FMT_NV16,        AV_PIX_FMT_NV24,
    AV_PIX_FMT_P010LE,      AV_PIX_FMT_P012LE,      AV_PIX_FMT_P016LE,
    AV_PIX_FMT_P210LE,      AV_PIX_FMT_P216LE,      AV_PIX_FMT_P410LE, AV_PIX_FMT_P416LE,
};

static const Placement placements[] = {
    { "composed, one object",                1, ONE_OBJECT },
    { "composed, an object for each plane",  1, OBJECT_PER_PLANE },
    { "composed, objects in reverse order",  1, REVERSED_OBJECTS, .no_size = 1 },
    { "separate, one object",                0, ONE_OBJECT },
    { "separate, an object for each plane",  0, OBJECT_PER_PLANE },
    { "separate, objects in reverse order",  0, REVERSED_OBJECTS },
    { "separate, sizes of 0",                0, OBJECT_PER_PLANE, .no_size = 1 },
    { "separate, chroma named RG",           0, ONE_OBJECT, .swapped = 1 },
};

/* Scores of DRM-PRIME frames. Which inputs are such is told by bits; without a frames context of their
 * own, frames tell their format by the layer's code. */
static const char *score(enum AVPixelFormat format, int width, int height, const Placement *placement,
                         unsigned inputs, int own_context, const char *import, const char *expected)
{
    AVBufferRef *ref = make_hw_frames(format, width, height);
    AVBufferRef *hw_frames[NB_INPUTS] = { inputs & 1 ? ref : NULL, inputs & 2 ? ref : NULL };
    const char *problem = NULL;
    char options[128];
    Session session;

    log_forget();
    snprintf(options, sizeof(options), "%s:import=%s", features, import);
    session_open(&session, format, width, height, hw_frames, options);
    for (int n = 0; n < NB_FRAMES; n++)
        for (int i = 0; i < NB_INPUTS; i++) {
            AVFrame *frame = draw(format, width, height, n, i == INPUT_MAIN);

            if (hw_frames[i]) {
                AVFrame *drm = make_drm(frame, placement, ref);

                if (!own_context)
                    av_buffer_unref(&drm->hw_frames_ctx);
                av_frame_free(&frame);
                frame = drm;
            }
            session_push(&session, i, frame);
        }
    session_end(&session);
    if (session.error < 0)
        problem = log_last_error();
    else if (strcmp(session.scores.str, expected))
        problem = "scores differ from those of software frames";
    else if (strcmp(import, "host") && !log_has(" 0 copied through the host"))
        problem = "planes were copied";
    session_close(&session);
    av_buffer_unref(&ref);
    return problem;
}

void check_layouts(void)
{
    int descriptors = count_descriptors();

    for (int f = 0; f < FF_ARRAY_ELEMS(formats); f++) {
        int width = f & 1 ? 67 : 70, height = f & 1 ? 45 : 50;
        const char *name = av_get_pix_fmt_name(formats[f]);
        AVBPrint expected;

        score_software(&expected, formats[f], width, height, NB_FRAMES, features);
        for (int p = 0; p < FF_ARRAY_ELEMS(placements); p++)
            if (placement_fits(&placements[p], formats[f])) {
                report(score(formats[f], width, height, &placements[p], 3, 1, "device", expected.str),
                       "%s, %dx%d, %s", name, width, height, placements[p].name);
                report(score(formats[f], width, height, &placements[p], 3, 1, "host", expected.str),
                       "%s, %dx%d, %s, downloaded", name, width, height, placements[p].name);
            }
        report(score(formats[f], width, height, &placements[3], 1, 1, "auto", expected.str), "%s, main alone", name);
        report(score(formats[f], width, height, &placements[4], 2, 1, "auto", expected.str), "%s, reference alone", name);
        if (composed_code(formats[f]))
            report(score(formats[f], width, height, &placements[0], 3, 0, "device", expected.str),
                   "%s, told by its code alone", name);
        av_bprint_finalize(&expected, NULL);
    }
    report(count_descriptors() == descriptors ? NULL : "descriptors are left", "descriptors of all layouts");
}
