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
#define _GNU_SOURCE

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fcntl.h>

#include <drm_fourcc.h>

#include "libavutil/buffer.h"
#include "libavutil/macros.h"

#include "drm_check.h"

enum { NB_FRAMES = 4, DAMAGED = 2, WIDTH = 70, HEIGHT = 50 };

#define LAYER(surface) ((surface)->drm.layers[0])
#define PLANE(surface) ((surface)->drm.layers[0].planes[0])
/* Of chroma, wherever that is. */
#define CHROMA(surface) (*((surface)->drm.nb_layers == 1 ? &(surface)->drm.layers[0].planes[1] \
                                                         : &(surface)->drm.layers[1].planes[0]))
#define OBJECT(surface) ((surface)->drm.objects[0])

static void layers_0(Surface *s)          { s->drm.nb_layers = 0; }
static void layers_1(Surface *s)          { s->drm.nb_layers = 1; LAYER(s).nb_planes = 1; }
static void layers_3(Surface *s)          { s->drm.nb_layers = 3; s->drm.layers[2] = s->drm.layers[1]; LAYER(s).nb_planes = 1; }
static void layers_4(Surface *s)          { layers_3(s); s->drm.nb_layers = 4; s->drm.layers[3] = s->drm.layers[2]; }
static void layers_5(Surface *s)          { s->drm.nb_layers = 5; }
static void layers_many(Surface *s)       { s->drm.nb_layers = INT_MAX; }
static void layers_negative(Surface *s)   { s->drm.nb_layers = -1; }
static void objects_0(Surface *s)         { s->drm.nb_objects = 0; }
static void objects_5(Surface *s)         { s->drm.nb_objects = 5; PLANE(s).object_index = 4; }
static void objects_many(Surface *s)      { s->drm.nb_objects = INT_MAX; PLANE(s).object_index = INT_MAX - 1; }
static void objects_negative(Surface *s)  { s->drm.nb_objects = -1; }
static void object_missing(Surface *s)    { CHROMA(s).object_index = s->drm.nb_objects; }
static void object_negative(Surface *s)   { CHROMA(s).object_index = -1; }
static void object_far(Surface *s)        { CHROMA(s).object_index = INT_MAX; }
static void planes_0(Surface *s)          { LAYER(s).nb_planes = 0; }
static void planes_4(Surface *s)          { LAYER(s).nb_planes = AV_DRM_MAX_PLANES; }
static void planes_many(Surface *s)       { LAYER(s).nb_planes = INT_MAX; }
static void planes_negative(Surface *s)   { LAYER(s).nb_planes = -1; }
static void format_rgb(Surface *s)        { LAYER(s).format = DRM_FORMAT_XRGB8888; }
static void format_unknown(Surface *s)    { LAYER(s).format = 0x01020304; }
static void format_0(Surface *s)          { LAYER(s).format = 0; }
static void format_other(Surface *s)      { LAYER(s).format = DRM_FORMAT_P010; }
static void modifier_vivante(Surface *s)  { OBJECT(s).format_modifier = fourcc_mod_code(VIVANTE, 1); }
static void modifier_invalid(Surface *s)  { OBJECT(s).format_modifier = DRM_FORMAT_MOD_INVALID; }
static void modifier_dcc(Surface *s)      { OBJECT(s).format_modifier = UINT64_C(0x0200000000082305); }
static void modifier_tiles(Surface *s)    { OBJECT(s).format_modifier = UINT64_C(0x0200000010401b04); }
static void pitch_short(Surface *s)       { PLANE(s).pitch = 64; }
static void pitch_0(Surface *s)           { CHROMA(s).pitch = 0; }
static void pitch_negative(Surface *s)    { PLANE(s).pitch = -512; }
static void pitch_huge(Surface *s)        { PLANE(s).pitch = PTRDIFF_MAX; }
static void pitch_wraps(Surface *s)       { CHROMA(s).pitch = (ptrdiff_t)1 << 60; }
static void offset_negative(Surface *s)   { CHROMA(s).offset = -1; }
static void offset_lowest(Surface *s)     { CHROMA(s).offset = PTRDIFF_MIN; }
static void offset_past(Surface *s)       { CHROMA(s).offset += 1 << 20; }
static void offset_huge(Surface *s)       { CHROMA(s).offset = PTRDIFF_MAX; }

static void replace_descriptor(Surface *s, int fd)
{
    for (int i = 0; i < s->nb_fds; i++)
        if (s->fds[i] == OBJECT(s).fd) {
            close(s->fds[i]);
            s->fds[i] = fd;
        }
    OBJECT(s).fd = fd;
}

static void fd_negative(Surface *s) { replace_descriptor(s, -1); }
static void fd_lowest(Surface *s)   { OBJECT(s).fd = INT_MIN; }
static void fd_closed(Surface *s)   { OBJECT(s).fd = 9999; }
static void fd_null(Surface *s)     { replace_descriptor(s, open("/dev/null", O_RDWR | O_CLOEXEC)); }
static void fd_folder(Surface *s)   { replace_descriptor(s, open("/", O_RDONLY | O_CLOEXEC)); }
static void fd_empty(Surface *s)    { replace_descriptor(s, memfd_create("empty", MFD_CLOEXEC)); }

static void fd_pipe(Surface *s)
{
    int ends[2];

    MUST(pipe(ends));
    close(ends[1]);
    replace_descriptor(s, ends[0]);
}

static const struct {
    const char *name;
    void (*apply)(Surface *surface);
    const char *words;          ///< what the message has in it
} damages[] = {
    { "no layer",                   layers_0,         "0 layers" },
    { "a layer missing",            layers_1,         "1 layers" },
    { "3 layers",                   layers_3,         "3 layers" },
    { "4 layers",                   layers_4,         "4 layers" },
    { "5 layers",                   layers_5,         "5 layers" },
    { "more layers than fit",       layers_many,      "2147483647 layers" },
    { "-1 layers",                  layers_negative,  "-1 layers" },
    { "no object",                  objects_0,        "0 objects" },
    { "5 objects",                  objects_5,        "5 objects" },
    { "more objects than fit",      objects_many,     "2147483647 objects" },
    { "-1 objects",                 objects_negative, "-1 objects" },
    { "an object that is missing",  object_missing,   "Plane 1 of a DRM-PRIME frame lies in object" },
    { "object -1",                  object_negative,  "lies in object -1 of" },
    { "an object far away",         object_far,       "lies in object 2147483647 of" },
    { "a layer of no plane",        planes_0,         "0 planes" },
    { "a layer of 4 planes",        planes_4,         "4 planes" },
    { "a layer of too many planes", planes_many,      "2147483647 planes" },
    { "a layer of -1 planes",       planes_negative,  "-1 planes" },
    { "a layer of RGB",             format_rgb,       "XR24" },
    { "a layer of unknown code",    format_unknown,   "[4][3][2][1]" },
    { "a layer of code 0",          format_0,         "[0][0][0][0]" },
    { "a layer of another format",  format_other,     "P010" },
    { "a modifier of Vivante",      modifier_vivante, "modifier" },
    { "the invalid modifier",       modifier_invalid, "modifier" },
    { "a modifier with DCC",        modifier_dcc,     "DCC" },
    { "tiles that lie askew",       modifier_tiles,   "desc.plane[0]." },
    { "a pitch below the row",      pitch_short,      "desc.plane[0].pitch" },
    { "a pitch of 0",               pitch_0,          "desc.plane[1].pitch" },
    { "a negative pitch",           pitch_negative,   "with pitch -512" },
    { "a huge pitch",               pitch_huge,       "desc.plane[0]." },
    { "a pitch whose rows wrap",    pitch_wraps,      "desc.plane[1]." },
    { "a negative offset",          offset_negative,  "at offset -1" },
    { "the lowest offset",          offset_lowest,    "at offset -9223372036854775808" },
    { "an offset past the end",     offset_past,      "desc.plane[1].size" },
    { "a huge offset",              offset_huge,      "desc.plane[1]." },
    { "descriptor -1",              fd_negative,      "desc.plane[0].fd" },
    { "the lowest descriptor",      fd_lowest,        "desc.plane[0].fd" },
    { "a descriptor not open",      fd_closed,        "desc.plane[0].fd" },
    { "a descriptor of /dev/null",  fd_null,          "desc.plane[0].fd" },
    { "a descriptor of a folder",   fd_folder,        "desc.plane[0].fd" },
    { "a descriptor of a pipe",     fd_pipe,          "desc.plane[0].fd" },
    { "an empty file",              fd_empty,         "desc.plane[0]." },
};

static const Placement placements[] = {
    { "composed", 1, ONE_OBJECT },
    { "separate", 0, OBJECT_PER_PLANE },
};

/* Some damages change nothing where there is but one layer or one object. */
static int is_damage(int i, const Placement *placement)
{
    if (damages[i].apply == layers_1)
        return !placement->composed;
    return damages[i].apply != layers_3 && damages[i].apply != layers_4 ? 1 : !placement->composed;
}

/* FFmpeg's own mapping, by which frames are downloaded, goes by the frames context alone. */
static int is_code(int i)
{
    return damages[i].apply == format_rgb || damages[i].apply == format_unknown ||
           damages[i].apply == format_0 || damages[i].apply == format_other;
}

static const char *judge(const Session *session, const char *words)
{
    static char problem[2048];

    if (session->error >= 0)
        return "accepted";
    if (session->nb_frames > DAMAGED)
        return "the frame came out";
    if (log_has(words))
        return NULL;
    snprintf(problem, sizeof(problem), "no message with \"%s\": %s", words, log_last_error());
    return problem;
}

/* The damaged frame comes behind good ones, on either input. */
static void refuse(int damage, const Placement *placement, const char *import)
{
    for (int input = 0; input < NB_INPUTS; input++) {
        AVBufferRef *ref = make_hw_frames(AV_PIX_FMT_NV12, WIDTH, HEIGHT), *hw_frames[] = { ref, ref };
        const char *words = strcmp(import, "host") ? damages[damage].words : "";
        char options[64];
        Session session;

        log_forget();
        snprintf(options, sizeof(options), "model=:feature=name=psnr:import=%s", import);
        session_open(&session, AV_PIX_FMT_NV12, WIDTH, HEIGHT, hw_frames, options);
        for (int n = 0; n < NB_FRAMES; n++)
            for (int i = 0; i < NB_INPUTS; i++) {
                AVFrame *software = draw(AV_PIX_FMT_NV12, WIDTH, HEIGHT, n, i == INPUT_MAIN);
                AVFrame *frame = make_drm(software, placement, ref);

                if (n == DAMAGED && i == input)
                    damages[damage].apply((Surface *)frame->data[0]);
                session_push(&session, i, frame);
                av_frame_free(&software);
            }
        session_end(&session);
        report(judge(&session, words), "%s, %s, %s, import=%s", damages[damage].name, placement->name,
               input == INPUT_MAIN ? "main" : "reference", import);
        session_close(&session);
        av_buffer_unref(&ref);
    }
}

/* Not of the descriptor, but of the frame around it. */
static void refuse_frame(const char *name, void (*apply)(AVFrame *frame), int host, const char *words)
{
    AVBufferRef *ref = make_hw_frames(AV_PIX_FMT_NV12, WIDTH, HEIGHT), *hw_frames[] = { ref, ref };
    Session session;

    log_forget();
    session_open(&session, AV_PIX_FMT_NV12, WIDTH, HEIGHT, hw_frames,
                 host ? "model=:feature=name=psnr:import=host" : "model=:feature=name=psnr");
    for (int i = 0; i < NB_INPUTS; i++) {
        AVFrame *software = draw(AV_PIX_FMT_NV12, WIDTH, HEIGHT, 0, i == INPUT_MAIN);
        AVFrame *frame = make_drm(software, &placements[i], ref);

        if (i == INPUT_MAIN)
            apply(frame);
        session_push(&session, i, frame);
        av_frame_free(&software);
    }
    session_end(&session);
    report(session.error >= 0 ? "accepted" : log_has(words) ? NULL : log_last_error(), "%s%s", name,
           host ? ", import=host" : "");
    session_close(&session);
    av_buffer_unref(&ref);
}

static void no_descriptor(AVFrame *frame) { frame->data[0] = NULL; }
static void too_large(AVFrame *frame)     { frame->width = frame->height = 4096; }
static void no_size(AVFrame *frame)       { frame->width = 0; }

static void refuse_format(enum AVPixelFormat format, const char *words)
{
    AVBufferRef *ref = make_hw_frames(format, WIDTH, HEIGHT), *hw_frames[] = { ref, ref };
    Session session;

    log_forget();
    session_open(&session, format, WIDTH, HEIGHT, hw_frames, "model=:feature=name=psnr");
    report(session.error >= 0 ? "accepted" : log_has(words) ? NULL : log_last_error(), "frames of %s", words);
    session_close(&session);
    av_buffer_unref(&ref);
}

void check_refusals(void)
{
    int descriptors = count_descriptors();

    for (int p = 0; p < FF_ARRAY_ELEMS(placements); p++)
        for (int i = 0; i < FF_ARRAY_ELEMS(damages); i++)
            if (is_damage(i, &placements[p])) {
                refuse(i, &placements[p], "device");
                if (!is_code(i))
                    refuse(i, &placements[p], "host");
            }
    for (int host = 0; host < 2; host++) {
        refuse_frame("a frame without a descriptor", no_descriptor, host, "no descriptor");
        refuse_frame("a frame larger than the others", too_large, host, host ? "" : "4096x4096");
        refuse_frame("a frame without a size", no_size, host, host ? "" : "desc.width");
    }
    refuse_format(AV_PIX_FMT_YUVA420P, "yuva420p");
    refuse_format(AV_PIX_FMT_BGR0, "bgr0");
    report(count_descriptors() == descriptors ? NULL : "descriptors are left", "descriptors of all refusals");
}
