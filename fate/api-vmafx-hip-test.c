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
 * Scores of DRM-PRIME frames against scores of the same pixels in system memory.
 *
 * The buffers are memfds, which the CPU runtime takes in place of dma-bufs, so
 * that the test needs no GPU and no device node.
 */

#define _GNU_SOURCE

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <drm_fourcc.h>

#include "libavfilter/avfilter.h"
#include "libavfilter/buffersink.h"
#include "libavfilter/buffersrc.h"
#include "libavutil/avstring.h"
#include "libavutil/bprint.h"
#include "libavutil/hwcontext.h"
#include "libavutil/hwcontext_drm.h"
#include "libavutil/imgutils.h"
#include "libavutil/mem.h"
#include "libavutil/pixdesc.h"

#define CHECK(call) do { \
    int check_ret = (call); \
    if (check_ret < 0) { \
        fprintf(stderr, "line %d: %s: %s\n", __LINE__, #call, av_err2str(check_ret)); \
        exit(1); \
    } \
} while (0)

enum { NB_PLANES = 2, MAX_FRAMES = 16 };

/* Where the planes lie in their buffers: nothing a filter could guess. */
#define LUMA_OFFSET   192
#define PITCH_PADDING 74
#define ROW_PADDING   3

typedef struct Settings {
    enum AVPixelFormat format;
    int separate;               ///< one layer and one buffer for each plane
    int width, height;
    int nb_frames;
    AVBufferRef *hw_frames;
} Settings;

/* A picture with texture and motion; the distorted one has lost its low bits. */
static void draw(const Settings *s, AVFrame *frame, int number, int distorted)
{
    int high = s->format == AV_PIX_FMT_P010LE;

    for (int p = 0; p < NB_PLANES; p++) {
        int width  = p ? (s->width + 1) / 2 * 2 : s->width;
        int height = p ? (s->height + 1) / 2 : s->height;

        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                unsigned noise = (x * 2654435761u) ^ ((y + 5 * number) * 40503u) ^ (p * 97u);
                unsigned value = (x * 3 + number * 4 + ((y * y) >> 6) + (noise >> 13) % 24) & 255;

                if (distorted)
                    value = value & ~15u;
                if (high)
                    ((uint16_t *)(frame->data[p] + y * frame->linesize[p]))[x] = (value * 4 + (distorted ? 0 : noise % 4)) << 6;
                else
                    frame->data[p][y * frame->linesize[p] + x] = value;
            }
        }
    }
}

static AVFrame *make_software(const Settings *s, int number, int distorted)
{
    AVFrame *frame = av_frame_alloc();

    frame->format = s->format;
    frame->width  = s->width;
    frame->height = s->height;
    frame->pts    = number;
    CHECK(av_frame_get_buffer(frame, 0));
    draw(s, frame, number, distorted);
    return frame;
}

static void free_buffers(void *opaque, uint8_t *data)
{
    AVDRMFrameDescriptor *drm = (AVDRMFrameDescriptor *)data;

    for (int i = 0; i < drm->nb_objects; i++)
        close(drm->objects[i].fd);
    av_free(drm);
}

static void add_object(AVDRMFrameDescriptor *drm, size_t size)
{
    AVDRMObjectDescriptor *object = &drm->objects[drm->nb_objects++];

    object->fd              = memfd_create("frame", MFD_CLOEXEC);
    object->size            = size;
    object->format_modifier = DRM_FORMAT_MOD_LINEAR;
    CHECK(object->fd);
    CHECK(ftruncate(object->fd, size));
}

static void write_plane(const AVDRMFrameDescriptor *drm, const AVDRMPlaneDescriptor *plane,
                        const uint8_t *data, int linesize, int bytes, int rows)
{
    const AVDRMObjectDescriptor *object = &drm->objects[plane->object_index];
    uint8_t *map = mmap(NULL, object->size, PROT_READ | PROT_WRITE, MAP_SHARED, object->fd, 0);

    if (map == MAP_FAILED)
        exit(1);
    av_image_copy_plane(map + plane->offset, plane->pitch, data, linesize, bytes, rows);
    munmap(map, object->size);
}

static AVFrame *make_drm(const Settings *s, int number, int distorted)
{
    AVFrame *software = make_software(s, number, distorted), *frame = av_frame_alloc();
    AVDRMFrameDescriptor *drm = av_mallocz(sizeof(*drm));
    int sample = s->format == AV_PIX_FMT_P010LE ? 2 : 1;
    int bytes  = (s->width + 1) / 2 * 2 * sample;
    int pitch  = bytes + PITCH_PADDING;
    int rows   = s->height + ROW_PADDING, chroma_rows = (s->height + 1) / 2;
    AVDRMPlaneDescriptor planes[NB_PLANES] = {
        { .object_index = 0, .offset = LUMA_OFFSET, .pitch = pitch },
        { .object_index = s->separate, .offset = s->separate ? 64 : LUMA_OFFSET + rows * pitch,
          .pitch = pitch + (s->separate ? 128 : 0) },
    };

    if (s->separate) {
        add_object(drm, LUMA_OFFSET + rows * pitch);
        add_object(drm, 64 + chroma_rows * (pitch + 128));
    } else {
        add_object(drm, LUMA_OFFSET + (rows + chroma_rows) * pitch);
    }
    drm->nb_layers = s->separate ? 2 : 1;
    if (s->separate) {
        drm->layers[0].format = sample == 2 ? DRM_FORMAT_R16 : DRM_FORMAT_R8;
        drm->layers[1].format = sample == 2 ? DRM_FORMAT_GR1616 : DRM_FORMAT_GR88;
    } else {
        drm->layers[0].format = sample == 2 ? DRM_FORMAT_P010 : DRM_FORMAT_NV12;
    }
    for (int p = 0; p < NB_PLANES; p++) {
        AVDRMLayerDescriptor *layer = &drm->layers[s->separate ? p : 0];

        layer->planes[layer->nb_planes++] = planes[p];
        write_plane(drm, &planes[p], software->data[p], software->linesize[p],
                    p ? bytes : s->width * sample, p ? chroma_rows : s->height);
    }
    frame->format        = AV_PIX_FMT_DRM_PRIME;
    frame->width         = s->width;
    frame->height        = s->height;
    frame->pts           = number;
    frame->data[0]       = (uint8_t *)drm;
    frame->buf[0]        = av_buffer_create((uint8_t *)drm, sizeof(*drm), free_buffers, NULL, 0);
    frame->hw_frames_ctx = av_buffer_ref(s->hw_frames);
    if (!frame->buf[0] || !frame->hw_frames_ctx)
        exit(1);
    av_frame_free(&software);
    return frame;
}

static AVFilterContext *add_source(AVFilterGraph *graph, const char *name, const Settings *s, int drm)
{
    AVFilterContext *source = avfilter_graph_alloc_filter(graph, avfilter_get_by_name("buffer"), name);
    AVBufferSrcParameters *parameters = av_buffersrc_parameters_alloc();

    parameters->format    = drm ? AV_PIX_FMT_DRM_PRIME : s->format;
    parameters->width     = s->width;
    parameters->height    = s->height;
    parameters->time_base = (AVRational){ 1, 25 };
    if (drm)
        parameters->hw_frames_ctx = s->hw_frames;
    CHECK(av_buffersrc_parameters_set(source, parameters));
    CHECK(avfilter_init_dict(source, NULL));
    av_free(parameters);
    return source;
}

/* Writes each frame's metadata into one text, up to the first frame that is not there. */
static int drain(AVFilterContext *sink, AVBPrint *text, int *nb_frames)
{
    AVFrame *frame = av_frame_alloc();
    int ret;

    while ((ret = av_buffersink_get_frame(sink, frame)) >= 0) {
        const AVDictionaryEntry *entry = NULL;

        av_bprintf(text, "frame %d\n", (int)frame->pts);
        while ((entry = av_dict_iterate(frame->metadata, entry)))
            av_bprintf(text, "%s=%s\n", entry->key, entry->value);
        av_frame_unref(frame);
        (*nb_frames)++;
    }
    av_frame_free(&frame);
    return ret;
}

static AVFilterGraph *make_graph(const Settings *s, int drm, const char *import,
                                 AVFilterContext *sources[2], AVFilterContext **sink)
{
    AVFilterGraph *graph = avfilter_graph_alloc();
    AVFilterContext *score;
    char arguments[128];

    sources[0] = add_source(graph, "main", s, drm);
    sources[1] = add_source(graph, "reference", s, drm);
    snprintf(arguments, sizeof(arguments), "runtime=cpu:workers=2:feature=name=psnr:import=%s", import);
    CHECK(avfilter_graph_create_filter(&score, avfilter_get_by_name("vmafx_hip"), "score", arguments, NULL, graph));
    CHECK(avfilter_graph_create_filter(sink, avfilter_get_by_name("buffersink"), "sink", NULL, NULL, graph));
    CHECK(avfilter_link(sources[0], 0, score, 0));
    CHECK(avfilter_link(sources[1], 0, score, 1));
    CHECK(avfilter_link(score, 0, *sink, 0));
    CHECK(avfilter_graph_config(graph, NULL));
    return graph;
}

static int run(const Settings *s, int drm, const char *import, AVBPrint *text)
{
    AVFilterContext *sources[2], *sink;
    AVFilterGraph *graph = make_graph(s, drm, import, sources, &sink);
    int nb_frames = 0;

    for (int n = 0; n < s->nb_frames; n++) {
        for (int i = 0; i < 2; i++) {
            AVFrame *frame = drm ? make_drm(s, n, !i) : make_software(s, n, !i);

            CHECK(av_buffersrc_add_frame(sources[i], frame));
            av_frame_free(&frame);
        }
        drain(sink, text, &nb_frames);
    }
    CHECK(av_buffersrc_add_frame(sources[0], NULL));
    CHECK(av_buffersrc_add_frame(sources[1], NULL));
    drain(sink, text, &nb_frames);
    avfilter_graph_free(&graph);
    return nb_frames;
}

static void no_layer(AVDRMFrameDescriptor *drm)        { drm->nb_layers = 0; }
static void no_object(AVDRMFrameDescriptor *drm)       { drm->layers[0].planes[0].object_index = drm->nb_objects; }
static void negative_object(AVDRMFrameDescriptor *drm) { drm->layers[0].planes[0].object_index = -1; }
static void one_plane(AVDRMFrameDescriptor *drm)       { drm->layers[0].nb_planes = 1; }
static void many_planes(AVDRMFrameDescriptor *drm)     { drm->layers[0].nb_planes = AV_DRM_MAX_PLANES; }
static void other_format(AVDRMFrameDescriptor *drm)    { drm->layers[0].format = DRM_FORMAT_XRGB8888; }
static void tiled(AVDRMFrameDescriptor *drm)           { drm->objects[0].format_modifier = fourcc_mod_code(VIVANTE, 1); }
static void short_pitch(AVDRMFrameDescriptor *drm)     { drm->layers[0].planes[0].pitch = 64; }
static void no_pitch(AVDRMFrameDescriptor *drm)        { drm->layers[0].planes[1].pitch = 0; }
static void negative_pitch(AVDRMFrameDescriptor *drm)  { drm->layers[0].planes[0].pitch = -512; }
static void huge_pitch(AVDRMFrameDescriptor *drm)      { drm->layers[0].planes[0].pitch = PTRDIFF_MAX; }
static void negative_offset(AVDRMFrameDescriptor *drm) { drm->layers[0].planes[0].offset = -1; }
static void far_offset(AVDRMFrameDescriptor *drm)      { drm->layers[0].planes[1].offset += 4096; }
static void huge_offset(AVDRMFrameDescriptor *drm)     { drm->layers[0].planes[1].offset = PTRDIFF_MAX; }

static void replace_descriptor(AVDRMFrameDescriptor *drm, int fd)
{
    close(drm->objects[0].fd);
    drm->objects[0].fd = fd;
}

static void no_descriptor(AVDRMFrameDescriptor *drm)   { replace_descriptor(drm, -1); }

static void descriptor_of_pipe(AVDRMFrameDescriptor *drm)
{
    int ends[2];

    CHECK(pipe(ends));
    close(ends[1]);
    replace_descriptor(drm, ends[0]);
}

static const struct {
    const char *name;
    void (*apply)(AVDRMFrameDescriptor *drm);
} damages[] = {
    { "no layer",                    no_layer },
    { "object that is not there",    no_object },
    { "negative object",             negative_object },
    { "plane missing",               one_plane },
    { "too many planes",             many_planes },
    { "layer of another format",     other_format },
    { "modifier that is not linear", tiled },
    { "pitch below the row",         short_pitch },
    { "no pitch",                    no_pitch },
    { "negative pitch",              negative_pitch },
    { "huge pitch",                  huge_pitch },
    { "negative offset",             negative_offset },
    { "plane past the buffer's end", far_offset },
    { "huge offset",                 huge_offset },
    { "no descriptor",               no_descriptor },
    { "descriptor of a pipe",        descriptor_of_pipe },
};

static int count_descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    int n = 0;

    while (readdir(folder))
        n++;
    closedir(folder);
    return n;
}

/* A frame behind good ones is damaged: its graph ends with an error, and gives no frame after it. */
static void refuse(const Settings *s, const char *import)
{
    int descriptors = count_descriptors();

    for (int i = 0; i < FF_ARRAY_ELEMS(damages); i++) {
        AVFilterContext *sources[2], *sink;
        AVFilterGraph *graph = make_graph(s, 1, import, sources, &sink);
        AVBPrint text;
        int ret = 0, nb_frames = 0, n;

        av_bprint_init(&text, 0, AV_BPRINT_SIZE_UNLIMITED);
        for (n = 0; n < s->nb_frames && (ret >= 0 || ret == AVERROR(EAGAIN)); n++) {
            for (int j = 0; j < 2; j++) {
                AVFrame *frame = make_drm(s, n, !j);

                if (n == 2 && j == i % 2)
                    damages[i].apply((AVDRMFrameDescriptor *)frame->data[0]);
                CHECK(av_buffersrc_add_frame(sources[j], frame));
                av_frame_free(&frame);
            }
            ret = drain(sink, &text, &nb_frames);
        }
        avfilter_graph_free(&graph);
        av_bprint_finalize(&text, NULL);
        if (ret >= 0 || ret == AVERROR(EAGAIN))
            printf("%s: accepted\n", damages[i].name);
        else
            printf("%s: %s at frame %d, %s\n", damages[i].name, av_err2str(ret), n - 1,
                   nb_frames > 2 ? "which came out" : "which did not come out");
    }
    printf("descriptors leaked: %d\n", count_descriptors() - descriptors);
}

static AVBufferRef *make_hw_frames(const Settings *s)
{
    AVBufferRef *device = av_hwdevice_ctx_alloc(AV_HWDEVICE_TYPE_DRM), *ref;
    AVHWFramesContext *frames;

    ((AVDRMDeviceContext *)((AVHWDeviceContext *)device->data)->hwctx)->fd = -1;
    CHECK(av_hwdevice_ctx_init(device));
    ref = av_hwframe_ctx_alloc(device);
    frames = (AVHWFramesContext *)ref->data;
    frames->format    = AV_PIX_FMT_DRM_PRIME;
    frames->sw_format = s->format;
    frames->width     = s->width;
    frames->height    = s->height;
    CHECK(av_hwframe_ctx_init(ref));
    av_buffer_unref(&device);
    return ref;
}

int main(int argc, char **argv)
{
    Settings s = { 0 };
    AVBPrint software, drm, downloaded;
    int descriptors, nb_software, nb_drm, nb_downloaded;

    if (argc != 6) {
        fprintf(stderr, "usage: %s nv12|p010le composed|separate|refused|refused-host WIDTH HEIGHT FRAMES\n", argv[0]);
        return 1;
    }
    s.format    = av_get_pix_fmt(argv[1]);
    s.separate  = !strcmp(argv[2], "separate");
    s.width     = atoi(argv[3]);
    s.height    = atoi(argv[4]);
    s.nb_frames = atoi(argv[5]);
    s.hw_frames = make_hw_frames(&s);
    if (av_strstart(argv[2], "refused", NULL)) {
        refuse(&s, strcmp(argv[2], "refused-host") ? "device" : "host");
        av_buffer_unref(&s.hw_frames);
        return 0;
    }
    av_bprint_init(&software, 0, AV_BPRINT_SIZE_UNLIMITED);
    av_bprint_init(&drm, 0, AV_BPRINT_SIZE_UNLIMITED);
    av_bprint_init(&downloaded, 0, AV_BPRINT_SIZE_UNLIMITED);

    descriptors   = count_descriptors();
    nb_software   = run(&s, 0, "auto", &software);
    nb_drm        = run(&s, 1, "device", &drm);
    nb_downloaded = run(&s, 1, "host", &downloaded);
    printf("%s %s %dx%d: %d frames in, %d out, %d imported, %d downloaded\n", argv[1], argv[2],
           s.width, s.height, s.nb_frames, nb_software, nb_drm, nb_downloaded);
    printf("import %s host upload\n", strcmp(drm.str, software.str) ? "differs from" : "equals");
    printf("download %s host upload\n", strcmp(downloaded.str, software.str) ? "differs from" : "equals");
    printf("descriptors leaked: %d\n", count_descriptors() - descriptors);
    printf("%s", drm.str);

    av_bprint_finalize(&software, NULL);
    av_bprint_finalize(&drm, NULL);
    av_bprint_finalize(&downloaded, NULL);
    av_buffer_unref(&s.hw_frames);
    return 0;
}
