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
 * VMAF and other metrics of a pair of videos, through libvmafx: hardware frames
 * are read where the decoder left them, software frames are uploaded.
 */

#include "config.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <drm_fourcc.h>
#include <libvmafx/vmafx.h>
#include <xf86drm.h>

#include "libavutil/avstring.h"
#include "libavutil/avutil.h"
#include "libavutil/dict.h"
#include "libavutil/error.h"
#include "libavutil/frame.h"
#include "libavutil/hwcontext.h"
#include "libavutil/hwcontext_drm.h"
#include "libavutil/mathematics.h"
#include "libavutil/mem.h"
#include "libavutil/opt.h"
#include "libavutil/pixdesc.h"
#include "libavutil/time.h"
#include "avfilter.h"
#include "filters.h"
#include "formats.h"
#include "framesync.h"
#include "version_major.h"
#include "vmafx_hip_drm.h"
#include "vmafx_hip_vaapi.h"

/* Up to 7.1 a filter is described by the public structure alone. */
#if LIBAVFILTER_VERSION_MAJOR < 11
#define FFFilter AVFilter
#define PUBLIC(field) .field
#else
#define PUBLIC(field) .p.field
#endif

/* The most pairs that libvmafx has in flight, and how many it has by itself, more
 * where the work of several overlaps. */
#define MAX_IN_FLIGHT          64
#define DEFAULT_IN_FLIGHT       4
#define DEFAULT_IN_FLIGHT_CUDA  8

/* Surfaces of an input that are in use at a time: those of the pairs in flight, one
 * that framesync looks at, two that temporal features keep or that wait for the
 * scores which the next pair gives, and the one that is being written. */
#define BESIDES_IN_FLIGHT 4
#define SURFACES_IN_USE(in_flight) ((in_flight) + BESIDES_IN_FLIGHT)

/* Frames that wait for their scores: those in flight, and more than any temporal
 * feature looks ahead. */
#define QUEUE_SIZE (MAX_IN_FLIGHT + 16)

enum { INPUT_MAIN, INPUT_REFERENCE, NB_INPUTS };
enum { IMPORT_AUTO, IMPORT_DEVICE, IMPORT_HOST };
enum { METADATA_NONE, METADATA_MODEL, METADATA_ALL };

/* How hardware frames reach the device. */
enum { WAY_IN_PLACE, WAY_DETILED, WAY_COPIED, WAY_MAPPED, NB_WAYS };

typedef struct QueuedFrame {
    AVFrame *frame;
    uint64_t index;             ///< number of the pair in the context
    int scored;                 ///< scores belong to it and have to be awaited
} QueuedFrame;

typedef struct VMAFXContext {
    const AVClass *class;
    FFFrameSync fs;

    char *model;
    char *feature;
    int runtime;
    char *device_name;
    int workers;
    int frames_in_flight;
    int n_subsample;
    int import;
    int metadata;
    int pool;
    char *log_path;
    int log_fmt;

    VmafxDevice *device;
    VmafxContext *context;
    VmafxModel **models;
    int nb_models;
    VMAFXVaapi *vaapi;
    uint64_t nb_ways[NB_WAYS];  ///< hardware frames that went each way
    uint64_t copied_modifier[NB_INPUTS]; ///< which the log names already

    QueuedFrame queue[QUEUE_SIZE];
    unsigned queue_head;
    unsigned queue_len;

    int64_t start_time;
    uint64_t nb_pairs;          ///< submitted so far, the next pair's index
    uint64_t nb_unscored;       ///< main frames without a reference frame
    uint64_t nb_used[NB_INPUTS]; ///< frames that took part in a pair
    int64_t last_pts[NB_INPUTS]; ///< of the last frames in use, in the time base of framesync
    int64_t nb_taken[NB_INPUTS]; ///< frames that framesync took from the input

    int sent;                   ///< a frame went out during this activation
    int events;                 ///< pairs that came in during this activation
    int complete;               ///< the last pair came in, all scores are there
    int finished;
    int failed;                 ///< the error that ended the session
    int warned_range;
    int warned_matrix;
} VMAFXContext;

static const char *const input_names[NB_INPUTS] = { "main", "reference" };

typedef struct FormatEntry {
    enum AVPixelFormat pix_fmt;
    uint32_t layout;
    uint32_t bits;
    uint32_t drm;               ///< code of one layer that holds all planes, or 0
} FormatEntry;

#define PLANAR(fmt, layout, bits) { AV_PIX_FMT_ ## fmt, VMAFX_LAYOUT_ ## layout, bits, 0 }

static const FormatEntry formats[] = {
    { AV_PIX_FMT_YUV420P, VMAFX_LAYOUT_420,   8, DRM_FORMAT_YUV420 },
    { AV_PIX_FMT_YUV422P, VMAFX_LAYOUT_422,   8, DRM_FORMAT_YUV422 },
    { AV_PIX_FMT_YUV444P, VMAFX_LAYOUT_444,   8, DRM_FORMAT_YUV444 },
    { AV_PIX_FMT_GRAY8,   VMAFX_LAYOUT_400,   8, DRM_FORMAT_R8 },
    PLANAR(YUVJ420P,    420,  8), PLANAR(YUVJ422P,    422,  8), PLANAR(YUVJ444P,    444,  8),
    PLANAR(YUV420P9LE,  420,  9), PLANAR(YUV422P9LE,  422,  9), PLANAR(YUV444P9LE,  444,  9),
    PLANAR(YUV420P10LE, 420, 10), PLANAR(YUV422P10LE, 422, 10), PLANAR(YUV444P10LE, 444, 10),
    PLANAR(YUV420P12LE, 420, 12), PLANAR(YUV422P12LE, 422, 12), PLANAR(YUV444P12LE, 444, 12),
    PLANAR(YUV420P14LE, 420, 14), PLANAR(YUV422P14LE, 422, 14), PLANAR(YUV444P14LE, 444, 14),
    PLANAR(YUV420P16LE, 420, 16), PLANAR(YUV422P16LE, 422, 16), PLANAR(YUV444P16LE, 444, 16),
    PLANAR(GRAY9LE,     400,  9), PLANAR(GRAY10LE,    400, 10), PLANAR(GRAY12LE,    400, 12),
    PLANAR(GRAY14LE,    400, 14), PLANAR(GRAY16LE,    400, 16),
    { AV_PIX_FMT_NV12,    VMAFX_LAYOUT_NV12,  8, DRM_FORMAT_NV12 },
    { AV_PIX_FMT_NV16,    VMAFX_LAYOUT_NV16,  8, DRM_FORMAT_NV16 },
    { AV_PIX_FMT_NV24,    VMAFX_LAYOUT_NV24,  8, DRM_FORMAT_NV24 },
    { AV_PIX_FMT_P010LE,  VMAFX_LAYOUT_P010, 10, DRM_FORMAT_P010 },
    { AV_PIX_FMT_P012LE,  VMAFX_LAYOUT_P012, 12, DRM_FORMAT_P012 },
    { AV_PIX_FMT_P016LE,  VMAFX_LAYOUT_P016, 16, DRM_FORMAT_P016 },
    { AV_PIX_FMT_P210LE,  VMAFX_LAYOUT_P210, 10, DRM_FORMAT_P210 },
    { AV_PIX_FMT_P216LE,  VMAFX_LAYOUT_P216, 16, 0 },
    { AV_PIX_FMT_P410LE,  VMAFX_LAYOUT_P410, 10, 0 },
    { AV_PIX_FMT_P416LE,  VMAFX_LAYOUT_P416, 16, 0 },
};

static const FormatEntry *find_format(enum AVPixelFormat pix_fmt)
{
    for (int i = 0; i < FF_ARRAY_ELEMS(formats); i++)
        if (formats[i].pix_fmt == pix_fmt)
            return &formats[i];
    return NULL;
}

static int is_hardware(enum AVPixelFormat pix_fmt)
{
    return pix_fmt == AV_PIX_FMT_DRM_PRIME || pix_fmt == AV_PIX_FMT_VAAPI;
}

#define OFFSET(x) offsetof(VMAFXContext, x)
#define FLAGS AV_OPT_FLAG_FILTERING_PARAM | AV_OPT_FLAG_VIDEO_PARAM

static const AVOption vmafx_hip_options[] = {
    { "model",   "set the models",                  OFFSET(model),   AV_OPT_TYPE_STRING, { .str = "version=" VMAFX_MODEL_DEFAULT }, .flags = FLAGS },
    { "feature", "set more features to be scored",  OFFSET(feature), AV_OPT_TYPE_STRING, { .str = NULL }, .flags = FLAGS },
    { "runtime", "set the HIP runtime",             OFFSET(runtime), AV_OPT_TYPE_INT, { .i64 = VMAFX_RUNTIME_AUTO }, VMAFX_RUNTIME_AUTO, VMAFX_RUNTIME_CPU, FLAGS, .unit = "runtime" },
        { "auto", "the first one with a device",    0, AV_OPT_TYPE_CONST, { .i64 = VMAFX_RUNTIME_AUTO }, .flags = FLAGS, .unit = "runtime" },
        { "rocm", "AMD GPUs",                       0, AV_OPT_TYPE_CONST, { .i64 = VMAFX_RUNTIME_ROCM }, .flags = FLAGS, .unit = "runtime" },
        { "cuda", "NVIDIA GPUs",                    0, AV_OPT_TYPE_CONST, { .i64 = VMAFX_RUNTIME_CUDA }, .flags = FLAGS, .unit = "runtime" },
        { "cpu",  "threads of the CPU",             0, AV_OPT_TYPE_CONST, { .i64 = VMAFX_RUNTIME_CPU },  .flags = FLAGS, .unit = "runtime" },
    { "device",  "set the device by number or PCI address; the GPU of the frames if not set", OFFSET(device_name), AV_OPT_TYPE_STRING, { .str = NULL }, .flags = FLAGS },
    { "workers", "set the number of threads of the CPU runtime, 0 = one for each CPU", OFFSET(workers), AV_OPT_TYPE_INT, { .i64 = 0 }, 0, 1024, FLAGS },
    { "frames_in_flight", "set how many pairs the device works on at once, 0 = automatic", OFFSET(frames_in_flight), AV_OPT_TYPE_INT, { .i64 = 0 }, 0, MAX_IN_FLIGHT, FLAGS },
    { "n_subsample", "score every n-th frame",      OFFSET(n_subsample), AV_OPT_TYPE_INT, { .i64 = 1 }, 1, INT_MAX, FLAGS },
    { "import",  "set how hardware frames reach the device", OFFSET(import), AV_OPT_TYPE_INT, { .i64 = IMPORT_AUTO }, IMPORT_AUTO, IMPORT_HOST, FLAGS, .unit = "import" },
        { "auto",   "hardware frames in place, software frames uploaded", 0, AV_OPT_TYPE_CONST, { .i64 = IMPORT_AUTO },   .flags = FLAGS, .unit = "import" },
        { "device", "hardware frames in place, software frames refused",  0, AV_OPT_TYPE_CONST, { .i64 = IMPORT_DEVICE }, .flags = FLAGS, .unit = "import" },
        { "host",   "hardware frames downloaded, then uploaded",          0, AV_OPT_TYPE_CONST, { .i64 = IMPORT_HOST },   .flags = FLAGS, .unit = "import" },
    { "metadata", "set which scores become metadata of the frames", OFFSET(metadata), AV_OPT_TYPE_INT, { .i64 = METADATA_ALL }, METADATA_NONE, METADATA_ALL, FLAGS, .unit = "metadata" },
        { "none",  "no score",                      0, AV_OPT_TYPE_CONST, { .i64 = METADATA_NONE },  .flags = FLAGS, .unit = "metadata" },
        { "model", "scores of the models",          0, AV_OPT_TYPE_CONST, { .i64 = METADATA_MODEL }, .flags = FLAGS, .unit = "metadata" },
        { "all",   "scores of models and features", 0, AV_OPT_TYPE_CONST, { .i64 = METADATA_ALL },   .flags = FLAGS, .unit = "metadata" },
    { "pool",    "set the pooling method",          OFFSET(pool), AV_OPT_TYPE_INT, { .i64 = VMAFX_POOL_MEAN }, VMAFX_POOL_MIN, VMAFX_POOL_HARMONIC_MEAN, FLAGS, .unit = "pool" },
        { "min",           "the lowest score",  0, AV_OPT_TYPE_CONST, { .i64 = VMAFX_POOL_MIN },           .flags = FLAGS, .unit = "pool" },
        { "max",           "the highest score", 0, AV_OPT_TYPE_CONST, { .i64 = VMAFX_POOL_MAX },           .flags = FLAGS, .unit = "pool" },
        { "mean",          "arithmetic mean", 0, AV_OPT_TYPE_CONST, { .i64 = VMAFX_POOL_MEAN },          .flags = FLAGS, .unit = "pool" },
        { "harmonic_mean", "harmonic mean of the scores + 1, less 1", 0, AV_OPT_TYPE_CONST, { .i64 = VMAFX_POOL_HARMONIC_MEAN }, .flags = FLAGS, .unit = "pool" },
    { "log_path", "set the file of the report",     OFFSET(log_path), AV_OPT_TYPE_STRING, { .str = NULL }, .flags = FLAGS },
    { "log_fmt", "set the format of the report",    OFFSET(log_fmt), AV_OPT_TYPE_INT, { .i64 = VMAFX_REPORT_XML }, VMAFX_REPORT_JSON, VMAFX_REPORT_SUB, FLAGS, .unit = "log_fmt" },
        { "json", "all scores, as JSON", 0, AV_OPT_TYPE_CONST, { .i64 = VMAFX_REPORT_JSON }, .flags = FLAGS, .unit = "log_fmt" },
        { "xml",  "all scores, as XML", 0, AV_OPT_TYPE_CONST, { .i64 = VMAFX_REPORT_XML },  .flags = FLAGS, .unit = "log_fmt" },
        { "csv",  "scores of the frames, as a table", 0, AV_OPT_TYPE_CONST, { .i64 = VMAFX_REPORT_CSV },  .flags = FLAGS, .unit = "log_fmt" },
        { "sub",  "scores of the frames, as MicroDVD subtitles", 0, AV_OPT_TYPE_CONST, { .i64 = VMAFX_REPORT_SUB },  .flags = FLAGS, .unit = "log_fmt" },
    { NULL }
};

FRAMESYNC_DEFINE_CLASS(vmafx_hip, VMAFXContext, fs);

/* ---- Errors and messages of the library ---- */

/* The library's messages belong to the process, not to one filter that may be
 * gone when they come. */
static const AVClass library_class = {
    .class_name = "libvmafx",
    .item_name  = av_default_item_name,
    .version    = LIBAVUTIL_VERSION_INT,
};
static const AVClass *const library_log = &library_class;

static void log_library(void *opaque, int32_t level, const char *message)
{
    static const int levels[] = {
        [VMAFX_LOG_NONE]    = AV_LOG_QUIET,
        [VMAFX_LOG_ERROR]   = AV_LOG_ERROR,
        [VMAFX_LOG_WARNING] = AV_LOG_WARNING,
        [VMAFX_LOG_INFO]    = AV_LOG_VERBOSE,
        [VMAFX_LOG_DEBUG]   = AV_LOG_DEBUG,
    };

    if (level > VMAFX_LOG_NONE && level <= VMAFX_LOG_DEBUG)
        av_log(opaque, levels[level], "%s\n", message);
}

static int status_to_averror(int32_t status)
{
    switch (status) {
    case VMAFX_E_INVALID:  return AVERROR(EINVAL);
    case VMAFX_E_NOMEM:    return AVERROR(ENOMEM);
    case VMAFX_E_NOTSUP:   return AVERROR(ENOSYS);
    case VMAFX_E_NOTFOUND: return AVERROR(ENOENT);
    case VMAFX_E_BUSY:     return AVERROR(EBUSY);
    case VMAFX_E_IO:       return AVERROR(EIO);
    case VMAFX_E_RANGE:    return AVERROR(ERANGE);
    case VMAFX_E_TIMEOUT:  return AVERROR(ETIMEDOUT);
    case VMAFX_E_INTERNAL: return AVERROR_BUG;
    case VMAFX_E_ABI:      return AVERROR_BUG;
    default:               return AVERROR_EXTERNAL;
    }
}

static int library_error(AVFilterContext *ctx, const char *doing, const VmafxError *error)
{
    av_log(ctx, AV_LOG_ERROR, "Cannot %s: %s%s%s (%s)\n", doing, error->subject,
           error->subject[0] ? ": " : "", error->message, vmafx_status_name(error->status));
    return status_to_averror(error->status);
}

/* ---- Setting up the session ---- */

/* The GPU that the frames of an input are on. */
typedef struct FrameGpu {
    char pci_address[16];       ///< empty: not known
    char node[64];              ///< of the DRM device
} FrameGpu;

static void find_gpu(const AVFilterContext *ctx, int input, FrameGpu *gpu)
{
    const AVBufferRef *frames_ref = ff_filter_link(ctx->inputs[input])->hw_frames_ctx;
    const AVHWDeviceContext *device;
    drmDevicePtr drm;
    char *node;
    int fd = -1;

    memset(gpu, 0, sizeof(*gpu));
    if (!is_hardware(ctx->inputs[input]->format) || !frames_ref)
        return;
    device = ((AVHWFramesContext *)frames_ref->data)->device_ctx;
    if (device->type == AV_HWDEVICE_TYPE_VAAPI)
        fd = ff_vmafx_vaapi_drm_fd(device);
    else if (device->type == AV_HWDEVICE_TYPE_DRM)
        fd = ((AVDRMDeviceContext *)device->hwctx)->fd;
    if (fd < 0 || drmGetDevice2(fd, 0, &drm))
        return;
    if (drm->bustype == DRM_BUS_PCI)
        snprintf(gpu->pci_address, sizeof(gpu->pci_address), "%04x:%02x:%02x.%x", drm->businfo.pci->domain,
                 drm->businfo.pci->bus, drm->businfo.pci->dev, drm->businfo.pci->func);
    drmFreeDevice(&drm);
    node = drmGetDeviceNameFromFd2(fd);
    av_strlcpy(gpu->node, node ? node : "a DRM device", sizeof(gpu->node));
    free(node);
}

/* A number or a PCI address. */
static int parse_device(AVFilterContext *ctx, VmafxDeviceDesc *desc)
{
    VMAFXContext *s = ctx->priv;
    unsigned long index;
    char *end;

    if (strchr(s->device_name, ':')) {
        desc->pci_address = s->device_name;
        return 0;
    }
    index = strtoul(s->device_name, &end, 10);
    if (!av_isdigit(s->device_name[0]) || *end || index > UINT32_MAX) {
        av_log(ctx, AV_LOG_ERROR, "device=%s is neither a number nor a PCI address such as 0000:03:00.0\n",
               s->device_name);
        return AVERROR(EINVAL);
    }
    desc->index = index;
    return 0;
}

/* Frames are read in place by the GPU that they are on alone; by the CPU wherever
 * they are. */
static int check_gpus(AVFilterContext *ctx, const FrameGpu *gpu, uint32_t runtime)
{
    const FrameGpu *main = &gpu[INPUT_MAIN], *reference = &gpu[INPUT_REFERENCE];

    if (runtime == VMAFX_RUNTIME_CPU || !main->pci_address[0] || !reference->pci_address[0] ||
        !strcmp(main->pci_address, reference->pci_address))
        return 0;
    av_log(ctx, AV_LOG_ERROR, "Frames of main are on %s at %s, frames of reference on %s at %s: decode both on one "
           "GPU, or take import=host or runtime=cpu\n", main->node, main->pci_address, reference->node,
           reference->pci_address);
    return AVERROR(EINVAL);
}

static int open_device(AVFilterContext *ctx)
{
    VMAFXContext *s = ctx->priv;
    VmafxDeviceDesc desc = VMAFX_DEVICE_DESC_INIT;
    VmafxDeviceInfo info = VMAFX_DEVICE_INFO_INIT;
    VmafxError error = VMAFX_ERROR_INIT;
    FrameGpu gpu[NB_INPUTS] = { 0 };
    const FrameGpu *wanted = NULL;
    int ret;

    desc.runtime = s->runtime;
    desc.workers = s->workers;
    if (s->device_name && *s->device_name) {
        ret = parse_device(ctx, &desc);
        if (ret < 0)
            return ret;
    } else if (s->import != IMPORT_HOST) {
        for (int i = 0; i < NB_INPUTS; i++) {
            find_gpu(ctx, i, &gpu[i]);
            if (!wanted && gpu[i].pci_address[0])
                wanted = &gpu[i];
        }
        desc.pci_address = wanted ? wanted->pci_address : NULL;
    }
    if (vmafx_device_open(&desc, &s->device, &error) < 0) {
        ret = library_error(ctx, "open a device", &error);
        if (wanted && error.status == VMAFX_E_NOTFOUND)
            av_log(ctx, AV_LOG_ERROR, "Frames of %s are on %s at %s, and are read in place by that GPU only: "
                   "take import=host, runtime=cpu or another GPU for decoding; device= overrides the choice\n",
                   input_names[wanted - gpu], wanted->node, wanted->pci_address);
        return ret;
    }
    if (vmafx_device_get_info(s->device, &info, &error) < 0)
        return library_error(ctx, "ask the device", &error);
    av_log(ctx, AV_LOG_INFO, "libvmafx %s, runtime %s, device %s (%s)\n",
           vmafx_version_string(), info.runtime_name, info.name, info.target);
    return check_gpus(ctx, gpu, info.runtime);
}

static int refuse_repeated_keys(AVFilterContext *ctx, const char *option, const AVDictionary *part)
{
    const AVDictionaryEntry *entry = NULL;

    while ((entry = av_dict_iterate(part, entry)))
        if (av_dict_get(part, entry->key, entry, AV_DICT_MATCH_CASE)) {
            av_log(ctx, AV_LOG_ERROR, "%s: %s is given twice; separate several of them by \"|\"\n",
                   option, entry->key);
            return AVERROR(EINVAL);
        }
    return 0;
}

/* Calls add() for each '|'-separated part of an option. */
static int for_each_part(AVFilterContext *ctx, const char *option, const char *list,
                         int (*add)(AVFilterContext *ctx, AVDictionary *part))
{
    char *copy, *state = NULL;
    int ret = 0;

    if (!list || !*list)
        return 0;
    copy = av_strdup(list);
    if (!copy)
        return AVERROR(ENOMEM);
    for (char *part = av_strtok(copy, "|", &state); part; part = av_strtok(NULL, "|", &state)) {
        AVDictionary *dict = NULL;

        ret = av_dict_parse_string(&dict, part, "=", ":", AV_DICT_MULTIKEY);
        if (ret < 0)
            av_log(ctx, AV_LOG_ERROR, "%s: \"%s\" is not of the form key=value:key=value\n", option, part);
        else
            ret = refuse_repeated_keys(ctx, option, dict);
        if (ret >= 0)
            ret = add(ctx, dict);
        av_dict_free(&dict);
        if (ret < 0)
            break;
    }
    av_free(copy);
    return ret;
}

static int parse_flag(AVFilterContext *ctx, const AVDictionaryEntry *entry, uint32_t flag, uint32_t *flags)
{
    if (!strcmp(entry->value, "1") || !av_strcasecmp(entry->value, "true"))
        *flags |= flag;
    else if (strcmp(entry->value, "0") && av_strcasecmp(entry->value, "false")) {
        av_log(ctx, AV_LOG_ERROR, "model: %s=%s is neither true nor false\n", entry->key, entry->value);
        return AVERROR(EINVAL);
    }
    return 0;
}

/* Options of extractors are spelled extractor.option=value. */
static int set_model_option(AVFilterContext *ctx, VmafxModel *model, const AVDictionaryEntry *entry)
{
    VmafxError error = VMAFX_ERROR_INIT;
    const char *dot = strchr(entry->key, '.');
    char *extractor = av_strndup(entry->key, dot - entry->key);
    int32_t status;

    if (!extractor)
        return AVERROR(ENOMEM);
    status = vmafx_model_set_option(model, extractor, dot + 1, entry->value, &error);
    av_free(extractor);
    return status < 0 ? library_error(ctx, "set an option of the model", &error) : 0;
}

static int add_model(AVFilterContext *ctx, AVDictionary *part)
{
    VMAFXContext *s = ctx->priv;
    VmafxModelDesc desc = VMAFX_MODEL_DESC_INIT;
    VmafxError error = VMAFX_ERROR_INIT;
    const AVDictionaryEntry *entry = NULL;
    VmafxModel *model;
    VmafxModel **models;
    int ret = 0;

    while ((entry = av_dict_iterate(part, entry))) {
        if (!strcmp(entry->key, "version"))
            desc.version = entry->value;
        else if (!strcmp(entry->key, "path"))
            desc.path = entry->value;
        else if (!strcmp(entry->key, "name"))
            desc.name = entry->value;
        else if (!strcmp(entry->key, "disable_clip"))
            ret = parse_flag(ctx, entry, VMAFX_MODEL_DISABLE_CLIP, &desc.flags);
        else if (!strcmp(entry->key, "enable_transform"))
            ret = parse_flag(ctx, entry, VMAFX_MODEL_ENABLE_TRANSFORM, &desc.flags);
        else if (!strchr(entry->key, '.')) {
            av_log(ctx, AV_LOG_ERROR, "model: unknown key \"%s\" (known: version, path, name, disable_clip, "
                   "enable_transform, extractor.option)\n", entry->key);
            return AVERROR(EINVAL);
        }
        if (ret < 0)
            return ret;
    }
    if (vmafx_model_load(&desc, &model, &error) < 0)
        return library_error(ctx, "load the model", &error);

    models = av_realloc_array(s->models, s->nb_models + 1, sizeof(*s->models));
    if (!models) {
        vmafx_model_close(&model);
        return AVERROR(ENOMEM);
    }
    s->models = models;
    s->models[s->nb_models++] = model;

    while ((entry = av_dict_iterate(part, entry)))
        if (strchr(entry->key, '.') && (ret = set_model_option(ctx, model, entry)) < 0)
            return ret;
    if (vmafx_context_use_model(s->context, model, &error) < 0)
        return library_error(ctx, "use the model", &error);
    return 0;
}

static int add_feature(AVFilterContext *ctx, AVDictionary *part)
{
    VMAFXContext *s = ctx->priv;
    VmafxError error = VMAFX_ERROR_INIT;
    const AVDictionaryEntry *name = av_dict_get(part, "name", NULL, 0);
    AVDictionary *options = NULL;
    char *text = NULL;
    int32_t status;
    int ret;

    if (!name) {
        av_log(ctx, AV_LOG_ERROR, "feature: a part has no name=\n");
        return AVERROR(EINVAL);
    }
    ret = av_dict_copy(&options, part, 0);
    if (ret >= 0)
        ret = av_dict_set(&options, "name", NULL, 0);
    if (ret >= 0)
        ret = av_dict_get_string(options, &text, '=', ':');
    av_dict_free(&options);
    if (ret < 0)
        return ret;
    status = vmafx_context_use_feature(s->context, name->value, text && *text ? text : NULL, &error);
    av_free(text);
    return status < 0 ? library_error(ctx, "use the feature", &error) : 0;
}

/* A folder that is missing is known now, not after the last frame. */
static int check_log_path(AVFilterContext *ctx)
{
    VMAFXContext *s = ctx->priv;
    char *path;
    int ret = 0;

    if (!s->log_path || !*s->log_path || !access(s->log_path, W_OK))
        return 0;
    if (errno == ENOENT) {
        path = av_strdup(s->log_path);
        if (!path)
            return AVERROR(ENOMEM);
        ret = access(av_dirname(path), W_OK);
        av_free(path);
        if (!ret)
            return 0;
    }
    ret = AVERROR(errno);
    av_log(ctx, AV_LOG_ERROR, "log_path: cannot write the report \"%s\": %s\n", s->log_path, av_err2str(ret));
    return ret;
}

/* The number of surfaces that an input's producer has in all, 0 where it makes
 * more of them as it needs them. */
static int size_of_pool(const AVFilterContext *ctx, int input)
{
    const AVBufferRef *frames_ref = ff_filter_link(ctx->inputs[input])->hw_frames_ctx;
    const AVHWFramesContext *frames = frames_ref ? (AVHWFramesContext *)frames_ref->data : NULL;

    return frames && frames->format == AV_PIX_FMT_VAAPI ? FFMAX(frames->initial_pool_size, 0) : 0;
}

static int default_in_flight(const VMAFXContext *s)
{
    VmafxDeviceInfo info = VMAFX_DEVICE_INFO_INIT;

    return vmafx_device_get_info(s->device, &info, NULL) == VMAFX_OK && info.runtime == VMAFX_RUNTIME_CUDA
         ? DEFAULT_IN_FLIGHT_CUDA : DEFAULT_IN_FLIGHT;
}

/* A pool of fixed size that runs out is an error of the decoder, in the middle of
 * the stream. It bounds the number of pairs in flight, or is refused now. */
static int choose_in_flight(AVFilterContext *ctx, uint32_t *in_flight)
{
    VMAFXContext *s = ctx->priv;
    int wanted = s->frames_in_flight ? s->frames_in_flight : default_in_flight(s), fixed = 0;

    for (int i = 0; i < NB_INPUTS; i++) {
        int size = size_of_pool(ctx, i), least;

        if (!size)
            continue;
        fixed = 1;
        if (!s->frames_in_flight)
            wanted = av_clip(size - BESIDES_IN_FLIGHT, 1, wanted);
        least = SURFACES_IN_USE(wanted);
        if (size < least) {
            av_log(ctx, AV_LOG_ERROR, "The pool of %s has %d surfaces, and %d are in use at a time with "
                   "frames_in_flight=%d, besides those that a decoder refers to: set extra_hw_frames of what makes "
                   "them %d higher%s\n", input_names[i], size, least, wanted, least - size,
                   wanted > 1 ? ", or lower frames_in_flight" : "");
            return AVERROR(ENOMEM);
        }
    }
    for (int i = 0; i < NB_INPUTS; i++)
        if (is_hardware(ctx->inputs[i]->format))
            av_log(ctx, AV_LOG_VERBOSE, "Up to %d surfaces of %s are in use at a time\n", SURFACES_IN_USE(wanted),
                   input_names[i]);
    *in_flight = fixed ? wanted : s->frames_in_flight;
    return 0;
}

static int open_session(AVFilterContext *ctx)
{
    VMAFXContext *s = ctx->priv;
    VmafxContextDesc desc = VMAFX_CONTEXT_DESC_INIT;
    VmafxError error = VMAFX_ERROR_INIT;
    int ret;

    ret = check_log_path(ctx);
    if (ret < 0)
        return ret;
    vmafx_log_set_callback(log_library, (void *)&library_log, VMAFX_LOG_DEBUG);
    ret = open_device(ctx);
    if (ret < 0)
        return ret;
    desc.n_subsample      = s->n_subsample;
    ret = choose_in_flight(ctx, &desc.frames_in_flight);
    if (ret < 0)
        return ret;
    if (vmafx_context_create(s->device, &desc, &s->context, &error) < 0)
        return library_error(ctx, "create a context", &error);
    ret = for_each_part(ctx, "model", s->model, add_model);
    if (ret < 0)
        return ret;
    ret = for_each_part(ctx, "feature", s->feature, add_feature);
    if (ret < 0)
        return ret;
    if (!s->nb_models && (!s->feature || !*s->feature)) {
        av_log(ctx, AV_LOG_ERROR, "There is nothing to score: set model or feature\n");
        return AVERROR(EINVAL);
    }
    return 0;
}

/* ---- Handing frames to the library ---- */

static enum AVPixelFormat sw_format_of(const AVFrame *frame)
{
    if (!is_hardware(frame->format))
        return frame->format;
    return frame->hw_frames_ctx ? ((AVHWFramesContext *)frame->hw_frames_ctx->data)->sw_format
                                : AV_PIX_FMT_NONE;
}

/* Without a frames context the layer's code alone tells the format. */
static const FormatEntry *format_of_layer(const AVDRMFrameDescriptor *drm)
{
    if (drm->nb_layers == 1)
        for (int i = 0; i < FF_ARRAY_ELEMS(formats); i++)
            if (formats[i].drm && formats[i].drm == drm->layers[0].format)
                return &formats[i];
    return NULL;
}

/* The code that a layer of one plane has. */
static uint32_t code_of_plane(const FormatEntry *format, int plane)
{
    const AVPixFmtDescriptor *pix = av_pix_fmt_desc_get(format->pix_fmt);
    int pair = plane && av_pix_fmt_count_planes(format->pix_fmt) == 2;

    if (pix->comp[0].depth > 8)
        return pair ? DRM_FORMAT_GR1616 : DRM_FORMAT_R16;
    return pair ? DRM_FORMAT_GR88 : DRM_FORMAT_R8;
}

/* Some drivers name the two components of a chroma plane in the other order; the
 * plane is the same. */
static int is_plane(const AVDRMLayerDescriptor *layer, const FormatEntry *format, int plane)
{
    uint32_t code = code_of_plane(format, plane);

    return layer->format == code ||
           (code == DRM_FORMAT_GR88   && layer->format == DRM_FORMAT_RG88) ||
           (code == DRM_FORMAT_GR1616 && layer->format == DRM_FORMAT_RG1616);
}

static int refuse_layers(AVFilterContext *ctx, const AVDRMFrameDescriptor *drm, const char *format)
{
    av_log(ctx, AV_LOG_ERROR, "DRM-PRIME frame with %d layers, the first of format %s with %d planes, "
           "is not understood as %s; try import=host\n", drm->nb_layers,
           drm->nb_layers > 0 ? av_fourcc2str(drm->layers[0].format) : "none",
           drm->nb_layers > 0 ? drm->layers[0].nb_planes : 0, format);
    return AVERROR(ENOSYS);
}

/* Fills the planes from one layer that holds all of them or from one layer for
 * each of them. */
static int describe_drm(AVFilterContext *ctx, const AVDRMFrameDescriptor *drm, enum AVPixelFormat sw_format,
                        VmafxFrameImport *desc)
{
    const FormatEntry *format = sw_format == AV_PIX_FMT_NONE ? format_of_layer(drm) : find_format(sw_format);
    int nb_planes = 0, wanted;

    if (drm->nb_objects < 1 || drm->nb_objects > FF_ARRAY_ELEMS(drm->objects)) {
        av_log(ctx, AV_LOG_ERROR, "DRM-PRIME frame with %d objects; there are 1 to %d\n", drm->nb_objects,
               (int)FF_ARRAY_ELEMS(drm->objects));
        return AVERROR(EINVAL);
    }
    if (!format)
        return refuse_layers(ctx, drm, sw_format == AV_PIX_FMT_NONE ? "a known format"
                                                                    : av_get_pix_fmt_name(sw_format));
    wanted = av_pix_fmt_count_planes(format->pix_fmt);
    desc->memory = VMAFX_MEMORY_DMABUF;
    desc->layout = format->layout;
    desc->bits   = format->bits;
    for (int i = 0; i < drm->nb_layers; i++) {
        const AVDRMLayerDescriptor *layer = &drm->layers[i];
        int composed = drm->nb_layers == 1 && layer->nb_planes == wanted && layer->format == format->drm;
        int separate = drm->nb_layers == wanted && layer->nb_planes == 1 && is_plane(layer, format, i);

        if (!composed && !separate)
            return refuse_layers(ctx, drm, av_get_pix_fmt_name(format->pix_fmt));
        for (int j = 0; j < layer->nb_planes; j++) {
            const AVDRMPlaneDescriptor *plane = &layer->planes[j];
            const AVDRMObjectDescriptor *object;

            if (plane->object_index < 0 || plane->object_index >= drm->nb_objects ||
                plane->pitch < 0 || plane->offset < 0) {
                av_log(ctx, AV_LOG_ERROR, "Plane %d of a DRM-PRIME frame lies in object %d of %d, at offset %td with "
                       "pitch %td\n", nb_planes, plane->object_index, drm->nb_objects, plane->offset, plane->pitch);
                return AVERROR(EINVAL);
            }
            object = &drm->objects[plane->object_index];
            /* The size is left to the library: drivers report 0 or a guess,
             * the buffer itself knows better. */
            desc->plane[nb_planes].fd       = object->fd;
            desc->plane[nb_planes].modifier = object->format_modifier;
            desc->plane[nb_planes].offset   = plane->offset;
            desc->plane[nb_planes].pitch    = plane->pitch;
            nb_planes++;
        }
    }
    if (nb_planes != wanted)
        return refuse_layers(ctx, drm, av_get_pix_fmt_name(format->pix_fmt));
    desc->plane_count = nb_planes;
    return 0;
}

/* Any thread: frames and buffer pools may be released anywhere. */
static void release_frame(void *opaque)
{
    AVFrame *frame = opaque;

    av_frame_free(&frame);
}

/* For drivers that export no surface: FFmpeg knows an older way. */
static int map_surface(AVFilterContext *ctx, const AVFrame *in, VMAFXSurface *surface)
{
    AVFrame *drm = surface->frame = av_frame_alloc();
    int ret;

    if (!drm)
        return AVERROR(ENOMEM);
    drm->format = AV_PIX_FMT_DRM_PRIME;
    /* Asking to read waits for the surface. */
    ret = av_hwframe_map(drm, in, AV_HWFRAME_MAP_READ | AV_HWFRAME_MAP_DIRECT);
    if (ret < 0)
        av_log(ctx, AV_LOG_ERROR, "Cannot map the %s surface to DRM-PRIME: %s; try import=host\n",
               av_get_pix_fmt_name(in->format), av_err2str(ret));
    else
        surface->drm = (const AVDRMFrameDescriptor *)drm->data[0];
    return ret;
}

static int can_read(const VMAFXContext *s, const VmafxFrameImport *desc, VmafxError *error)
{
    for (int i = 0; i < desc->plane_count; i++)
        if (desc->plane[i].modifier != VMAFX_MODIFIER_LINEAR &&
            vmafx_device_supports_modifier(s->device, desc->plane[i].modifier, desc->layout, desc->bits, error) ==
            VMAFX_E_NOTSUP)
            return 0;
    return 1;
}

/* Tiles that the device does not read are the VA driver's own: it has a copy made. */
static int copy_surface(AVFilterContext *ctx, const AVFrame *in, int input, VmafxFrameImport *desc,
                        const VmafxError *why, VMAFXSurface *surface)
{
    VMAFXContext *s = ctx->priv;
    VmafxError error = VMAFX_ERROR_INIT;
    uint64_t modifier = desc->plane[0].modifier;
    int ret;

    ff_vmafx_vaapi_close(surface);
    ret = ff_vmafx_vaapi_copy(ctx, &s->vaapi, in, surface);
    if (ret >= 0)
        ret = describe_drm(ctx, surface->drm, sw_format_of(in), desc);
    if (ret >= 0 && !can_read(s, desc, &error)) {
        av_log(ctx, AV_LOG_ERROR, "The linear surface that the VA driver was asked for is not linear: %s\n",
               error.message);
        ret = AVERROR(ENOSYS);
    }
    if (ret < 0) {
        av_log(ctx, AV_LOG_ERROR, "Surfaces of %s cannot be read where they are, and the VA driver has not copied them "
               "into linear ones: %s; or take import=host\n", input_names[input], why->message);
        return ret;
    }
    if (s->copied_modifier[input] != modifier) {
        s->copied_modifier[input] = modifier;
        av_log(ctx, AV_LOG_INFO, "Surfaces of %s are copied by the VA driver's video processor: %s\n",
               input_names[input], why->message);
    }
    return 0;
}

/* Finds out where a hardware frame lies, and fills desc. */
static int open_surface(AVFilterContext *ctx, const AVFrame *in, int input, VmafxFrameImport *desc,
                        VMAFXSurface *surface, int *way)
{
    VMAFXContext *s = ctx->priv;
    VmafxError error = VMAFX_ERROR_INIT;
    int ret = 0;

    *way = WAY_IN_PLACE;
    if (in->format == AV_PIX_FMT_DRM_PRIME) {
        surface->frame = av_frame_clone(in);
        surface->drm   = (const AVDRMFrameDescriptor *)in->data[0];
        return surface->frame ? describe_drm(ctx, surface->drm, sw_format_of(in), desc) : AVERROR(ENOMEM);
    }
    ret = ff_vmafx_vaapi_export(ctx, &s->vaapi, in, surface);
    if (ret == AVERROR(ENOSYS)) {
        *way = WAY_MAPPED;
        ret  = map_surface(ctx, in, surface);
    }
    if (ret >= 0)
        ret = describe_drm(ctx, surface->drm, sw_format_of(in), desc);
    if (ret < 0 || *way == WAY_MAPPED)
        return ret;
    if (!can_read(s, desc, &error)) {
        *way = WAY_COPIED;
        ret  = copy_surface(ctx, in, input, desc, &error, surface);
    }
    return ret < 0 ? ret : ff_vmafx_vaapi_acquire(ctx, s->vaapi, surface);
}

/* Reads a hardware frame where it lies. The frame, and with it the surface,
 * lives until the library has read it. */
static int import_hardware(AVFilterContext *ctx, const AVFrame *in, int input, VmafxFrameImport *desc,
                           VmafxFrame **out)
{
    VMAFXContext *s = ctx->priv;
    VmafxError error = VMAFX_ERROR_INIT;
    VmafxFrameInfo info = VMAFX_FRAME_INFO_INIT;
    VMAFXSurface surface = VMAFX_SURFACE_INIT;
    int way, ret = open_surface(ctx, in, input, desc, &surface, &way);

    if (ret < 0) {
        av_log(ctx, AV_LOG_ERROR, "A %s frame of %s cannot be handed to the device\n",
               av_get_pix_fmt_name(in->format), input_names[input]);
    } else {
        /* Without a sync_file the buffers' own fences count. */
        if (surface.sync_file >= 0) {
            desc->acquire.kind = VMAFX_FENCE_SYNC_FILE;
            desc->acquire.fd   = surface.sync_file;
        }
        desc->release        = release_frame;
        desc->release_opaque = surface.frame;
        if (vmafx_context_import_frame(s->context, desc, 0, out, &error) < 0)
            ret = library_error(ctx, "import a frame", &error);
        else
            surface.frame = NULL;
    }
    ff_vmafx_vaapi_close(&surface);
    if (ret < 0)
        return ret;
    if (way == WAY_IN_PLACE && vmafx_frame_get_info(*out, &info, NULL) == VMAFX_OK && info.planes_detiled)
        way = WAY_DETILED;
    s->nb_ways[way]++;
    return 0;
}

static int upload_software(AVFilterContext *ctx, const AVFrame *in, VmafxFrameImport *desc, VmafxFrame **out)
{
    VMAFXContext *s = ctx->priv;
    VmafxError error = VMAFX_ERROR_INIT;
    const FormatEntry *format = find_format(in->format);

    if (!format) {
        av_log(ctx, AV_LOG_ERROR, "Frames of format %s are not supported\n", av_get_pix_fmt_name(in->format));
        return AVERROR(ENOSYS);
    }
    desc->memory      = VMAFX_MEMORY_HOST;
    desc->layout      = format->layout;
    desc->bits        = format->bits;
    desc->plane_count = av_pix_fmt_count_planes(format->pix_fmt);
    for (int i = 0; i < desc->plane_count; i++) {
        desc->plane[i].address = in->data[i];
        desc->plane[i].pitch   = in->linesize[i];
    }
    if (vmafx_context_import_frame(s->context, desc, 0, out, &error) < 0)
        return library_error(ctx, "upload a frame", &error);
    return 0;
}

static int download_drm(AVFilterContext *ctx, const AVFrame *in, AVFrame *copy)
{
    const AVDRMFrameDescriptor *drm = (const AVDRMFrameDescriptor *)in->data[0];
    enum AVPixelFormat sw_format = sw_format_of(in);
    const FormatEntry *format = sw_format == AV_PIX_FMT_NONE ? format_of_layer(drm) : find_format(sw_format);

    if (!format)
        return refuse_layers(ctx, drm, "a known format");
    return ff_vmafx_drm_download(ctx, in, format->pix_fmt, copy);
}

/* Makes a software frame whose rows follow each other downwards. */
static int copy_to_software(AVFilterContext *ctx, const AVFrame *in, AVFrame *copy)
{
    int ret;

    if (is_hardware(in->format)) {
        ret = in->format == AV_PIX_FMT_DRM_PRIME ? download_drm(ctx, in, copy) : av_hwframe_transfer_data(copy, in, 0);
        if (ret < 0)
            av_log(ctx, AV_LOG_ERROR, "Cannot download a %s frame: %s\n",
                   av_get_pix_fmt_name(in->format), av_err2str(ret));
        return ret;
    }
    copy->format = in->format;
    copy->width  = in->width;
    copy->height = in->height;
    ret = av_frame_get_buffer(copy, 0);
    return ret < 0 ? ret : av_frame_copy(copy, in);
}

/* AVCOL_SPC_* and AVCOL_TRC_* are the code points, but for those of FFmpeg's own,
 * which get one that stands for nothing. */
static void tag_colours(const AVFrame *in, VmafxFrameImport *desc)
{
    desc->matrix   = in->colorspace == AVCOL_SPC_RGB ? VMAFX_MATRIX_IDENTITY
                                                     : FFMIN(in->colorspace, VMAFX_MAX_CODE_POINT);
    desc->transfer = FFMIN(in->color_trc, VMAFX_MAX_CODE_POINT);
    desc->range    = in->color_range == AVCOL_RANGE_JPEG ? VMAFX_RANGE_FULL
                   : in->color_range == AVCOL_RANGE_MPEG ? VMAFX_RANGE_LIMITED
                                                         : VMAFX_RANGE_UNSPECIFIED;
}

static int import_frame(AVFilterContext *ctx, const AVFrame *in, int input, VmafxFrame **out)
{
    VMAFXContext *s = ctx->priv;
    VmafxFrameImport desc = VMAFX_FRAME_IMPORT_INIT;
    AVFrame *copy;
    int ret;

    desc.width  = in->width;
    desc.height = in->height;
    desc.input  = input_names[input];
    tag_colours(in, &desc);
    if (in->format == AV_PIX_FMT_DRM_PRIME && !in->data[0]) {
        av_log(ctx, AV_LOG_ERROR, "A DRM-PRIME frame has no descriptor\n");
        return AVERROR(EINVAL);
    }
    if (is_hardware(in->format) && s->import != IMPORT_HOST)
        return import_hardware(ctx, in, input, &desc, out);
    if (!is_hardware(in->format)) {
        int upright = 1;

        for (int i = 0; i < FF_ARRAY_ELEMS(in->linesize); i++)
            upright &= in->linesize[i] >= 0;
        if (upright)
            return upload_software(ctx, in, &desc, out);
    }
    copy = av_frame_alloc();
    if (!copy)
        return AVERROR(ENOMEM);
    ret = copy_to_software(ctx, in, copy);
    if (ret >= 0)
        ret = upload_software(ctx, copy, &desc, out);
    av_frame_free(&copy);
    return ret;
}

static int submit_pair(AVFilterContext *ctx, const AVFrame *main, const AVFrame *reference)
{
    VMAFXContext *s = ctx->priv;
    VmafxError error = VMAFX_ERROR_INIT;
    VmafxFrame *frames[NB_INPUTS] = { NULL };
    int ret = import_frame(ctx, reference, INPUT_REFERENCE, &frames[INPUT_REFERENCE]);

    if (ret >= 0)
        ret = import_frame(ctx, main, INPUT_MAIN, &frames[INPUT_MAIN]);
    if (ret >= 0 && vmafx_context_submit(s->context, frames[INPUT_REFERENCE], frames[INPUT_MAIN],
                                         s->nb_pairs, &error) < 0)
        ret = library_error(ctx, "score a pair of frames", &error);
    vmafx_frame_unref(&frames[INPUT_REFERENCE]);
    vmafx_frame_unref(&frames[INPUT_MAIN]);
    return ret;
}

/* ---- Frames that wait for their scores ---- */

/* A bootstrap model gives more scores, named after it: NAME_bagging and others. */
static int is_model(const VMAFXContext *s, const char *name)
{
    for (int i = 0; i < s->nb_models; i++) {
        const char *rest;

        if (av_strstart(name, vmafx_model_name(s->models[i]), &rest) && (!*rest || *rest == '_'))
            return 1;
    }
    return 0;
}

/* Asks for a score of a frame. */
static int score_at(AVFilterContext *ctx, const char *name, uint64_t index, double *score)
{
    VMAFXContext *s = ctx->priv;
    VmafxError error = VMAFX_ERROR_INIT;
    int32_t status = vmafx_score_at(s->context, name, index, score, &error);

    /* A frame that n_subsample skips has no such score. */
    if (status == VMAFX_E_NOTFOUND || status >= 0)
        return status;
    return library_error(ctx, "read a score", &error);
}

/** @return 1: all scores of the frame are there, 0: not yet, or an error */
static int scores_ready(AVFilterContext *ctx, const QueuedFrame *queued)
{
    VMAFXContext *s = ctx->priv;
    const char *name;
    double score;

    for (int i = 0; i < s->nb_models; i++)
        if (score_at(ctx, vmafx_model_name(s->models[i]), queued->index, &score) == VMAFX_PENDING)
            return 0;
    for (uint32_t i = 0; (name = vmafx_score_name(s->context, i)); i++) {
        int ret;

        if (s->metadata == METADATA_MODEL && !is_model(s, name))
            continue;
        ret = score_at(ctx, name, queued->index, &score);
        if (ret == VMAFX_PENDING)
            return 0;
        if (ret < 0 && ret != VMAFX_E_NOTFOUND)
            return ret;
    }
    return 1;
}

static int attach_scores(AVFilterContext *ctx, const QueuedFrame *queued)
{
    VMAFXContext *s = ctx->priv;
    const char *name;
    double score;

    for (uint32_t i = 0; (name = vmafx_score_name(s->context, i)); i++) {
        char *key, value[64];
        int ret;

        if (s->metadata == METADATA_MODEL && !is_model(s, name))
            continue;
        ret = score_at(ctx, name, queued->index, &score);
        if (ret == VMAFX_E_NOTFOUND)
            continue;
        if (ret < 0)
            return ret;
        key = av_asprintf("lavfi.vmafx.%s", name);
        if (!key)
            return AVERROR(ENOMEM);
        snprintf(value, sizeof(value), "%.6f", score);
        ret = av_dict_set(&queued->frame->metadata, key, value, AV_DICT_DONT_STRDUP_KEY);
        if (ret < 0)
            return ret;
    }
    return 0;
}

/* Sends the frames whose scores are there, in order. */
static int send_ready_frames(AVFilterContext *ctx)
{
    VMAFXContext *s = ctx->priv;

    while (s->queue_len) {
        QueuedFrame *head = &s->queue[s->queue_head];
        AVFrame *frame;
        int ret;

        if (head->scored) {
            ret = scores_ready(ctx, head);
            if (ret <= 0)
                return ret;
            ret = attach_scores(ctx, head);
            if (ret < 0)
                return ret;
        }
        frame = head->frame;
        head->frame = NULL;
        s->queue_head = (s->queue_head + 1) % QUEUE_SIZE;
        s->queue_len--;
        s->sent = 1;
        ret = ff_filter_frame(ctx->outputs[0], frame);
        if (ret < 0)
            return ret;
    }
    return 0;
}

static int queue_frame(AVFilterContext *ctx, AVFrame *frame, int has_reference)
{
    VMAFXContext *s = ctx->priv;
    QueuedFrame *tail;

    if (s->queue_len == QUEUE_SIZE) {
        av_log(ctx, AV_LOG_ERROR, "The scores of frame %"PRIu64" are overdue\n", s->queue[s->queue_head].index);
        av_frame_free(&frame);
        return AVERROR_BUG;
    }
    tail = &s->queue[(s->queue_head + s->queue_len) % QUEUE_SIZE];
    tail->frame  = frame;
    tail->index  = s->nb_pairs;
    tail->scored = has_reference && s->metadata != METADATA_NONE && s->nb_pairs % s->n_subsample == 0;
    s->queue_len++;
    return 0;
}

/* ---- The end of a session ---- */

static void log_pooled(AVFilterContext *ctx, const char *name)
{
    VMAFXContext *s = ctx->priv;
    VmafxError error = VMAFX_ERROR_INIT;
    int model = is_model(s, name);
    double score;

    if (vmafx_score_pooled(s->context, name, s->pool, 0, s->nb_pairs - 1, &score, &error) != VMAFX_OK)
        av_log(ctx, AV_LOG_VERBOSE, "%s has no pooled score: %s\n", name, error.message);
    else if (model && s->nb_models == 1 && !strcmp(name, vmafx_model_name(s->models[0])))
        av_log(ctx, AV_LOG_INFO, "VMAF score: %f\n", score);
    else if (model)
        av_log(ctx, AV_LOG_INFO, "VMAF score of %s: %f\n", name, score);
    else
        av_log(ctx, s->feature ? AV_LOG_INFO : AV_LOG_VERBOSE, "%s: %f\n", name, score);
}

static void log_scores(AVFilterContext *ctx)
{
    VMAFXContext *s = ctx->priv;
    const char *name;

    for (uint32_t i = 0; (name = vmafx_score_name(s->context, i)); i++)
        log_pooled(ctx, name);
    for (uint32_t i = 0; (name = vmafx_score_aggregate_name(s->context, i)); i++) {
        VmafxError error = VMAFX_ERROR_INIT;
        double score;

        if (vmafx_score_aggregate(s->context, name, &score, &error) == VMAFX_OK)
            av_log(ctx, s->feature ? AV_LOG_INFO : AV_LOG_VERBOSE, "%s: %f\n", name, score);
    }
}

/* Frames that framesync took and never showed, without those that wait: a stream
 * that goes on after the end is cut off, it has not lost frames. */
static int64_t count_dropped(const VMAFXContext *s, int input)
{
    const FFFrameSyncIn *in = &s->fs.in[input];
    int64_t unused = s->nb_taken[input] - s->nb_used[input];

    if (input == INPUT_MAIN)
        unused -= s->nb_unscored;
    unused -= !!in->frame_next + (in->frame && in->pts != s->last_pts[input]);
    return FFMAX(unused, 0);
}

static void log_counts(AVFilterContext *ctx)
{
    VMAFXContext *s = ctx->priv;
    VmafxDeviceInfo info = VMAFX_DEVICE_INFO_INIT;
    VmafxDeviceCounters counters = VMAFX_DEVICE_COUNTERS_INIT;
    double seconds = FFMAX(av_gettime_relative() - s->start_time, 1) / 1e6;
    uint64_t repeated[NB_INPUTS], dropped[NB_INPUTS];

    for (int i = 0; i < NB_INPUTS; i++) {
        repeated[i] = s->nb_pairs - s->nb_used[i];
        dropped[i]  = count_dropped(s, i);
    }
    if (vmafx_device_get_info(s->device, &info, NULL) < 0 ||
        vmafx_device_get_counters(s->device, &counters, NULL) < 0)
        return;
    av_log(ctx, AV_LOG_INFO, "%"PRIu64" pairs in %.2f s, %.2f fps, runtime %s, device %s (%s)\n",
           s->nb_pairs, seconds, s->nb_pairs / seconds, info.runtime_name, info.name, info.target);
    av_log(ctx, AV_LOG_INFO, "%"PRIu64" frames imported, %"PRIu64" uploaded, %"PRIu64" planes converted "
           "on the device, %"PRIu64" copied through the host\n", counters.frames_imported,
           counters.frames_uploaded, counters.planes_converted, counters.host_plane_copies);
    if (s->nb_ways[WAY_IN_PLACE] || s->nb_ways[WAY_DETILED] || s->nb_ways[WAY_COPIED] || s->nb_ways[WAY_MAPPED])
        av_log(ctx, AV_LOG_INFO, "Hardware frames: %"PRIu64" read in place, %"PRIu64" de-tiled, %"PRIu64" copied by the "
               "video processor, %"PRIu64" mapped\n", s->nb_ways[WAY_IN_PLACE], s->nb_ways[WAY_DETILED],
               s->nb_ways[WAY_COPIED], s->nb_ways[WAY_MAPPED]);
    if (counters.frames_rerun)
        av_log(ctx, AV_LOG_WARNING, "%"PRIu64" pairs were run again, as the device had lost %"PRIu64" commands\n",
               counters.frames_rerun, counters.marks_missing);
    if (repeated[INPUT_MAIN] || repeated[INPUT_REFERENCE] || dropped[INPUT_MAIN] ||
        dropped[INPUT_REFERENCE] || s->nb_unscored)
        av_log(ctx, AV_LOG_WARNING, "The streams differ in their frames: main %"PRIu64" repeated, %"PRIu64" dropped, "
               "%"PRIu64" without reference; reference %"PRIu64" repeated, %"PRIu64" dropped\n",
               repeated[INPUT_MAIN], dropped[INPUT_MAIN], s->nb_unscored,
               repeated[INPUT_REFERENCE], dropped[INPUT_REFERENCE]);
}

/* After the last pair: no score stays open. */
static int complete_scores(AVFilterContext *ctx)
{
    VMAFXContext *s = ctx->priv;
    VmafxError error = VMAFX_ERROR_INIT;

    if (s->complete)
        return 0;
    if (vmafx_context_flush(s->context, &error) < 0)
        return library_error(ctx, "complete the scores", &error);
    s->complete = 1;
    return 0;
}

/* Reports the scores. Nothing of it happens after an error. */
static int finish(AVFilterContext *ctx)
{
    VMAFXContext *s = ctx->priv;
    VmafxError error = VMAFX_ERROR_INIT;
    int ret;

    if (s->finished || s->failed || !s->context)
        return 0;
    s->finished = 1;
    if (!s->nb_pairs) {
        av_log(ctx, AV_LOG_WARNING, "No pair of frames came in, there is no score\n");
        return 0;
    }
    ret = complete_scores(ctx);
    if (ret < 0)
        return ret;
    if (s->log_path && *s->log_path && vmafx_report_write(s->context, s->log_path, s->log_fmt, &error) < 0)
        return library_error(ctx, "write the report", &error);
    log_scores(ctx);
    log_counts(ctx);
    return 0;
}

/* ---- The filter ---- */

static const char *colour_name(const char *name)
{
    return name ? name : "unknown";
}

/* Scores compare sample values: they mean little where these have different
 * meanings. An unspecified property is compatible with every other. */
static void warn_about_colours(AVFilterContext *ctx, const AVFrame *main, const AVFrame *reference)
{
    VMAFXContext *s = ctx->priv;

    if (!s->warned_range && main->color_range != reference->color_range &&
        main->color_range != AVCOL_RANGE_UNSPECIFIED && reference->color_range != AVCOL_RANGE_UNSPECIFIED) {
        s->warned_range = 1;
        av_log(ctx, AV_LOG_WARNING, "The colour range of main is %s, of reference %s\n",
               colour_name(av_color_range_name(main->color_range)),
               colour_name(av_color_range_name(reference->color_range)));
    }
    if (!s->warned_matrix && main->colorspace != reference->colorspace &&
        main->colorspace != AVCOL_SPC_UNSPECIFIED && reference->colorspace != AVCOL_SPC_UNSPECIFIED) {
        s->warned_matrix = 1;
        av_log(ctx, AV_LOG_WARNING, "The colour matrix of main is %s, of reference %s\n",
               colour_name(av_color_space_name(main->colorspace)),
               colour_name(av_color_space_name(reference->colorspace)));
    }
}

/* framesync shows an input's frame again until its time is over. */
static void count_pair(VMAFXContext *s)
{
    for (int i = 0; i < NB_INPUTS; i++) {
        int64_t pts = s->fs.in[i].pts;

        if (pts != s->last_pts[i])
            s->nb_used[i]++;
        s->last_pts[i] = pts;
    }
    s->nb_pairs++;
}

static int process_event(FFFrameSync *fs)
{
    AVFilterContext *ctx = fs->parent;
    VMAFXContext *s = ctx->priv;
    AVFrame *main = NULL, *reference = NULL;
    int ret = ff_framesync_dualinput_get(fs, &main, &reference);

    if (ret < 0)
        return ret;
    /* framesync moves the time stamp alone to the time base of the output. */
    main->duration = av_rescale_q(main->duration, ctx->inputs[INPUT_MAIN]->time_base,
                                  ctx->outputs[0]->time_base);
    s->events++;
    if (!s->start_time)
        s->start_time = av_gettime_relative();
    if (reference) {
        warn_about_colours(ctx, main, reference);
        ret = submit_pair(ctx, main, reference);
        if (ret < 0) {
            av_frame_free(&main);
            return ret;
        }
    } else {
        s->nb_unscored++;
        s->last_pts[INPUT_MAIN] = fs->in[INPUT_MAIN].pts;
        /* A reference that was there and is no more has ended. Frames without it
         * may be many, and wait behind the last ones that have a score. */
        ret = s->nb_pairs ? complete_scores(ctx) : 0;
        if (ret < 0) {
            av_frame_free(&main);
            return ret;
        }
    }
    ret = queue_frame(ctx, main, !!reference);
    if (ret < 0)
        return ret;
    if (reference)
        count_pair(s);
    return send_ready_frames(ctx);
}

static int run(AVFilterContext *ctx)
{
    VMAFXContext *s = ctx->priv;
    int ret = ff_framesync_activate(&s->fs);

    if (ret < 0)
        return ret;
    for (int i = 0; i < NB_INPUTS; i++)
        s->nb_taken[i] = ff_filter_link(ctx->inputs[i])->frame_count_out;
    if (s->fs.eof && !s->finished) {
        /* The end is known to the output already, but frames that are put in
         * front of it still reach it first. */
        ret = finish(ctx);
        if (ret < 0)
            return ret;
        ret = send_ready_frames(ctx);
        if (ret < 0)
            return ret;
        if (s->queue_len) {
            av_log(ctx, AV_LOG_ERROR, "The scores of frame %"PRIu64" are missing\n",
                   s->queue[s->queue_head].index);
            return AVERROR_BUG;
        }
    }
    return 0;
}

static int activate(AVFilterContext *ctx)
{
    VMAFXContext *s = ctx->priv;
    int ret;

    if (s->failed)
        return s->failed;
    s->events = s->sent = 0;
    ret = run(ctx);
    if (ret < 0 && ret != FFERROR_NOT_READY)
        s->failed = ret;
    /* The output still wants a frame, and more may be waiting at the inputs. */
    if (ret >= 0 && s->events && !s->sent)
        ff_filter_set_ready(ctx, 100);
    return ret;
}

/* The format of the pixels of an input, whatever holds them. */
static enum AVPixelFormat input_format(const AVFilterContext *ctx, int input)
{
    AVFilterLink *link = ctx->inputs[input];
    FilterLink *l = ff_filter_link(link);

    if (!is_hardware(link->format))
        return link->format;
    return l->hw_frames_ctx ? ((AVHWFramesContext *)l->hw_frames_ctx->data)->sw_format : AV_PIX_FMT_NONE;
}

static int check_input(AVFilterContext *ctx, int input)
{
    VMAFXContext *s = ctx->priv;
    AVFilterLink *link = ctx->inputs[input];
    enum AVPixelFormat format = input_format(ctx, input);

    /* FFmpeg converts what a filter does not take, and what a filter behind it
     * does not take; a score of something else than the input would be a lie. */
    if (av_strstart(link->src->name, "auto_scale", NULL)) {
        const AVFilterLink *before = link->src->inputs[0];
        const char *from = av_get_pix_fmt_name(before->format), *to = av_get_pix_fmt_name(link->format);

        if (before->format == link->format)
            av_log(ctx, AV_LOG_ERROR, "Frames of %s would be converted in range or matrix before they are scored, "
                   "because of what follows the filter; convert behind it on purpose, by scale\n", input_names[input]);
        else if (find_format(before->format))
            av_log(ctx, AV_LOG_ERROR, "Frames of %s are %s and would be converted to %s before they are scored, "
                   "because of what follows the filter; put scale,format=%s behind it, or format=%s in front of "
                   "both inputs\n", input_names[input], from, to, to, to);
        else
            av_log(ctx, AV_LOG_ERROR, "Frames of %s are %s, which is not supported; convert both inputs on purpose, "
                   "for example by format=%s\n", input_names[input], from, to);
        return AVERROR(EINVAL);
    }
    if (s->import == IMPORT_DEVICE && !is_hardware(link->format)) {
        av_log(ctx, AV_LOG_ERROR, "Frames of %s are software frames (%s), which import=device refuses\n",
               input_names[input], av_get_pix_fmt_name(link->format));
        return AVERROR(EINVAL);
    }
    if (format != AV_PIX_FMT_NONE && !find_format(format)) {
        av_log(ctx, AV_LOG_ERROR, "Frames of %s are %s of format %s, which is not supported\n",
               input_names[input], av_get_pix_fmt_name(link->format), av_get_pix_fmt_name(format));
        return AVERROR(EINVAL);
    }
    return 0;
}

static int check_pair(AVFilterContext *ctx)
{
    const AVFilterLink *main = ctx->inputs[INPUT_MAIN], *reference = ctx->inputs[INPUT_REFERENCE];
    enum AVPixelFormat formats[NB_INPUTS] = { input_format(ctx, INPUT_MAIN), input_format(ctx, INPUT_REFERENCE) };
    const AVPixFmtDescriptor *a = av_pix_fmt_desc_get(formats[INPUT_MAIN]);
    const AVPixFmtDescriptor *b = av_pix_fmt_desc_get(formats[INPUT_REFERENCE]);

    if (main->w != reference->w || main->h != reference->h) {
        av_log(ctx, AV_LOG_ERROR, "The sizes differ: main is %dx%d, reference is %dx%d\n",
               main->w, main->h, reference->w, reference->h);
        return AVERROR(EINVAL);
    }
    /* Unknown formats of hardware frames are compared by the library. */
    if (!a || !b)
        return 0;
    if (a->comp[0].depth != b->comp[0].depth) {
        av_log(ctx, AV_LOG_ERROR, "The bit depths differ: main has %d bits (%s), reference has %d (%s)\n",
               a->comp[0].depth, a->name, b->comp[0].depth, b->name);
        return AVERROR(EINVAL);
    }
    if (a->nb_components != b->nb_components || a->log2_chroma_w != b->log2_chroma_w ||
        a->log2_chroma_h != b->log2_chroma_h) {
        av_log(ctx, AV_LOG_ERROR, "The chroma layouts differ: main is %s, reference is %s\n", a->name, b->name);
        return AVERROR(EINVAL);
    }
    return 0;
}

static int configure_output(AVFilterLink *outlink)
{
    AVFilterContext *ctx = outlink->src;
    VMAFXContext *s = ctx->priv;
    AVFilterLink *main = ctx->inputs[INPUT_MAIN];
    FilterLink *in = ff_filter_link(main), *out = ff_filter_link(outlink);
    int ret;

    for (int i = 0; i < NB_INPUTS; i++)
        if ((ret = check_input(ctx, i)) < 0)
            return ret;
    ret = check_pair(ctx);
    if (ret < 0)
        return ret;
    ret = open_session(ctx);
    if (ret < 0)
        return ret;

    ret = ff_framesync_init_dualinput(&s->fs, ctx);
    if (ret < 0)
        return ret;
    outlink->w = main->w;
    outlink->h = main->h;
    outlink->sample_aspect_ratio = main->sample_aspect_ratio;
    outlink->time_base = main->time_base;
    out->frame_rate = in->frame_rate;
    if (in->hw_frames_ctx) {
        av_buffer_unref(&out->hw_frames_ctx);
        out->hw_frames_ctx = av_buffer_ref(in->hw_frames_ctx);
        if (!out->hw_frames_ctx)
            return AVERROR(ENOMEM);
    }
    ret = ff_framesync_configure(&s->fs);
    if (ret < 0)
        return ret;
    outlink->time_base = s->fs.time_base;
    return 0;
}

static AVFilterFormats *all_formats(void)
{
    int list[FF_ARRAY_ELEMS(formats) + 3], n = 0;

    list[n++] = AV_PIX_FMT_DRM_PRIME;
    list[n++] = AV_PIX_FMT_VAAPI;
    for (int i = 0; i < FF_ARRAY_ELEMS(formats); i++)
        list[n++] = formats[i].pix_fmt;
    list[n] = AV_PIX_FMT_NONE;
    return ff_make_format_list(list);
}

/* The main input and the output agree in everything. The reference is free, so
 * that nothing is converted to make it match: what differs is judged later. */
static int query_formats(const AVFilterContext *ctx, AVFilterFormatsConfig **in, AVFilterFormatsConfig **out)
{
    AVFilterFormats *main = all_formats();
    int ret;

    if ((ret = ff_formats_ref(main, &in[INPUT_MAIN]->formats)) < 0 ||
        (ret = ff_formats_ref(main, &out[0]->formats)) < 0 ||
        (ret = ff_formats_ref(all_formats(), &in[INPUT_REFERENCE]->formats)) < 0)
        return ret;
    main = ff_all_color_spaces();
    if ((ret = ff_formats_ref(main, &in[INPUT_MAIN]->color_spaces)) < 0 ||
        (ret = ff_formats_ref(main, &out[0]->color_spaces)) < 0 ||
        (ret = ff_formats_ref(ff_all_color_spaces(), &in[INPUT_REFERENCE]->color_spaces)) < 0)
        return ret;
    main = ff_all_color_ranges();
    if ((ret = ff_formats_ref(main, &in[INPUT_MAIN]->color_ranges)) < 0 ||
        (ret = ff_formats_ref(main, &out[0]->color_ranges)) < 0 ||
        (ret = ff_formats_ref(ff_all_color_ranges(), &in[INPUT_REFERENCE]->color_ranges)) < 0)
        return ret;
    return 0;
}

static av_cold int init(AVFilterContext *ctx)
{
    VMAFXContext *s = ctx->priv;

    s->fs.on_event = process_event;
    for (int i = 0; i < NB_INPUTS; i++)
        s->last_pts[i] = AV_NOPTS_VALUE;
    return 0;
}

static av_cold void uninit(AVFilterContext *ctx)
{
    VMAFXContext *s = ctx->priv;

    /* The output was closed before the inputs ended, or the graph is built anew
     * because a stream changes. */
    if (s->nb_pairs && !s->finished && !s->failed) {
        av_log(ctx, AV_LOG_WARNING, "The graph ended before its streams: the scores are of the first %"PRIu64
               " pairs\n", s->nb_pairs);
        finish(ctx);
    }
    ff_framesync_uninit(&s->fs);
    for (; s->queue_len; s->queue_len--) {
        av_frame_free(&s->queue[s->queue_head].frame);
        s->queue_head = (s->queue_head + 1) % QUEUE_SIZE;
    }
    vmafx_context_close(&s->context);
    for (int i = 0; i < s->nb_models; i++)
        vmafx_model_close(&s->models[i]);
    av_freep(&s->models);
    vmafx_device_close(&s->device);
    ff_vmafx_vaapi_free(ctx, &s->vaapi);
}

static const AVFilterPad inputs[] = {
    { .name = "main",      .type = AVMEDIA_TYPE_VIDEO },
    { .name = "reference", .type = AVMEDIA_TYPE_VIDEO },
};

static const AVFilterPad outputs[] = {
    { .name = "default", .type = AVMEDIA_TYPE_VIDEO, .config_props = configure_output },
};

const FFFilter ff_vf_vmafx_hip = {
    PUBLIC(name)        = "vmafx_hip",
    PUBLIC(description) = NULL_IF_CONFIG_SMALL("Score a video against its reference with VMAF on a GPU or the CPU."),
    PUBLIC(priv_class)  = &vmafx_hip_class,
    PUBLIC(flags)       = AVFILTER_FLAG_METADATA_ONLY,
    .preinit            = vmafx_hip_framesync_preinit,
    .init               = init,
    .uninit             = uninit,
    .activate           = activate,
    .priv_size          = sizeof(VMAFXContext),
    FILTER_INPUTS(inputs),
    FILTER_OUTPUTS(outputs),
    FILTER_QUERY_FUNC2(query_formats),
    .flags_internal     = FF_FILTER_FLAG_HWFRAME_AWARE,
};
