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

#include "config.h"

#if CONFIG_VAAPI
#include <va/va.h>
#define HAVE_SURFACE_EXPORT VA_CHECK_VERSION(1, 1, 0)
#else
#define HAVE_SURFACE_EXPORT 0
#endif

#include "libavutil/error.h"
#include "vmafx_hip_vaapi.h"

#if HAVE_SURFACE_EXPORT

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <drm_fourcc.h>
#include <linux/ioctl.h>
#include <linux/sync_file.h>
#include <va/va_backend.h>
#include <va/va_drmcommon.h>
#include <va/va_vpp.h>

#include "libavutil/buffer.h"
#include "libavutil/hwcontext_vaapi.h"
#include "libavutil/log.h"
#include "libavutil/macros.h"
#include "libavutil/mem.h"

/* How long a surface that is being written is waited for, as libvmafx waits. */
#define SYNC_TIMEOUT_S 10

/* Pools that are remembered: those of two inputs and of their copies, and some
 * that a stream that changes leaves behind. */
#define MAX_POOLS 8

/* Linux 6.0 has it, the headers may be older. */
typedef struct ExportSyncFile {
    uint32_t flags;
    int32_t  fd;
} ExportSyncFile;
#define EXPORT_SYNC_FILE _IOWR('b', 2, ExportSyncFile)
#define EXPORT_FOR_READ  1 /* the fences that a reader waits for: those of writers */

typedef struct VMAFXExport {
    VADisplay display;
    VASurfaceID id;
    int synced;                 ///< it was waited for since it is exported
    AVDRMFrameDescriptor drm;
} VMAFXExport;

/* The surfaces of a frames context, which stay the same as long as there is a
 * reference to it. */
typedef struct Pool {
    AVBufferRef *frames_ref;
    VMAFXExport **exports;
    int nb_exports;

    AVBufferRef *linear_ref;    ///< surfaces that the video processor copies into
    VAConfigID config;
    VAContextID context;
} Pool;

struct VMAFXVaapi {
    Pool *pools[MAX_POOLS];     ///< the last one in use first
    int nb_pools;
    int no_sync_file;           ///< it was said that the kernel has none
    uint64_t nb_exports;
    uint64_t nb_waits;          ///< for surfaces, in the driver
    uint64_t nb_sync_files;
};

static AVHWFramesContext *frames_of(const AVBufferRef *ref)
{
    return (AVHWFramesContext *)ref->data;
}

static VADisplay display_of(const AVBufferRef *frames_ref)
{
    return ((AVVAAPIDeviceContext *)frames_of(frames_ref)->device_ctx->hwctx)->display;
}

static VASurfaceID surface_of(const AVFrame *frame)
{
    return (VASurfaceID)(uintptr_t)frame->data[3];
}

static int va_error(void *log, const char *doing, VAStatus vas)
{
    av_log(log, AV_LOG_ERROR, "VAAPI: cannot %s: %s\n", doing, vaErrorStr(vas));
    return vas == VA_STATUS_ERROR_ALLOCATION_FAILED ? AVERROR(ENOMEM) : AVERROR(EIO);
}

/* ---- Exports ---- */

static void close_objects(const VADRMPRIMESurfaceDescriptor *va)
{
    for (int i = 0; i < va->num_objects && i < FF_ARRAY_ELEMS(va->objects); i++)
        close(va->objects[i].fd);
}

static int is_consistent(const VADRMPRIMESurfaceDescriptor *va)
{
    if (va->num_objects < 1 || va->num_objects > FF_ARRAY_ELEMS(va->objects) ||
        va->num_layers  < 1 || va->num_layers  > FF_ARRAY_ELEMS(va->layers))
        return 0;
    for (int i = 0; i < va->num_layers; i++)
        if (va->layers[i].num_planes < 1 || va->layers[i].num_planes > AV_DRM_MAX_PLANES)
            return 0;
    return 1;
}

static void describe_export(const VADRMPRIMESurfaceDescriptor *va, AVDRMFrameDescriptor *drm)
{
    drm->nb_objects = va->num_objects;
    for (int i = 0; i < drm->nb_objects; i++) {
        drm->objects[i].fd              = va->objects[i].fd;
        drm->objects[i].size            = va->objects[i].size;
        drm->objects[i].format_modifier = va->objects[i].drm_format_modifier;
    }
    drm->nb_layers = va->num_layers;
    for (int i = 0; i < drm->nb_layers; i++) {
        AVDRMLayerDescriptor *layer = &drm->layers[i];

        layer->format    = va->layers[i].drm_format;
        layer->nb_planes = va->layers[i].num_planes;
        for (int j = 0; j < layer->nb_planes; j++) {
            layer->planes[j].object_index = va->layers[i].object_index[j];
            layer->planes[j].offset       = va->layers[i].offset[j];
            layer->planes[j].pitch        = va->layers[i].pitch[j];
        }
    }
    /* Layers that look alike: the surface's own code has the order of chroma. */
    if (va->fourcc == VA_FOURCC_YV12 && drm->nb_layers == 3)
        FFSWAP(AVDRMLayerDescriptor, drm->layers[1], drm->layers[2]);
}

static int export_surface(void *log, VADisplay display, VASurfaceID id, VMAFXExport **out)
{
    VADRMPRIMESurfaceDescriptor va;
    VMAFXExport *exported;
    VAStatus vas = vaExportSurfaceHandle(display, id, VA_SURFACE_ATTRIB_MEM_TYPE_DRM_PRIME_2,
                                         VA_EXPORT_SURFACE_READ_ONLY | VA_EXPORT_SURFACE_SEPARATE_LAYERS, &va);

    if (vas == VA_STATUS_ERROR_UNIMPLEMENTED)
        return AVERROR(ENOSYS);
    if (vas != VA_STATUS_SUCCESS)
        return va_error(log, "export a surface", vas);
    if (!is_consistent(&va)) {
        av_log(log, AV_LOG_ERROR, "VAAPI: a surface is exported as %u objects with %u layers\n",
               va.num_objects, va.num_layers);
        close_objects(&va);
        return AVERROR_EXTERNAL;
    }
    exported = av_mallocz(sizeof(*exported));
    if (!exported) {
        close_objects(&va);
        return AVERROR(ENOMEM);
    }
    exported->display = display;
    exported->id      = id;
    describe_export(&va, &exported->drm);
    *out = exported;
    return 0;
}

static void free_export(VMAFXExport **exported)
{
    for (int i = 0; *exported && i < (*exported)->drm.nb_objects; i++)
        close((*exported)->drm.objects[i].fd);
    av_freep(exported);
}

/* ---- Pools ---- */

static void close_copier(Pool *pool)
{
    VADisplay display = display_of(pool->frames_ref);

    if (pool->context != VA_INVALID_ID)
        vaDestroyContext(display, pool->context);
    if (pool->config != VA_INVALID_ID)
        vaDestroyConfig(display, pool->config);
    pool->context = pool->config = VA_INVALID_ID;
    av_buffer_unref(&pool->linear_ref);
}

static void free_pool(Pool **pool)
{
    for (int i = 0; i < (*pool)->nb_exports; i++)
        free_export(&(*pool)->exports[i]);
    av_freep(&(*pool)->exports);
    close_copier(*pool);
    av_buffer_unref(&(*pool)->frames_ref);
    av_freep(pool);
}

static Pool *add_pool(VMAFXVaapi *vaapi, const AVBufferRef *frames_ref)
{
    Pool *pool = av_mallocz(sizeof(*pool));

    if (!pool)
        return NULL;
    pool->config = pool->context = VA_INVALID_ID;
    pool->frames_ref = av_buffer_ref(frames_ref);
    if (!pool->frames_ref) {
        av_freep(&pool);
        return NULL;
    }
    if (vaapi->nb_pools == MAX_POOLS)
        free_pool(&vaapi->pools[--vaapi->nb_pools]);
    memmove(&vaapi->pools[1], &vaapi->pools[0], vaapi->nb_pools++ * sizeof(*vaapi->pools));
    vaapi->pools[0] = pool;
    return pool;
}

static Pool *find_pool(VMAFXVaapi *vaapi, const AVBufferRef *frames_ref)
{
    for (int i = 0; i < vaapi->nb_pools; i++) {
        Pool *pool = vaapi->pools[i];

        if (pool->frames_ref->data != frames_ref->data)
            continue;
        memmove(&vaapi->pools[1], &vaapi->pools[0], i * sizeof(*vaapi->pools));
        vaapi->pools[0] = pool;
        return pool;
    }
    return add_pool(vaapi, frames_ref);
}

/* Surfaces that were made by mapping something else are destroyed with their
 * frame, and another one may get the number. */
static int is_of_pool(const AVFrame *frame)
{
    return frames_of(frame->hw_frames_ctx)->pool && frame->buf[0] && frame->buf[0]->data == frame->data[3];
}

static int find_export(void *log, VMAFXVaapi *vaapi, Pool *pool, VASurfaceID id, VMAFXExport **out)
{
    VMAFXExport **exports;
    int ret;

    for (int i = 0; i < pool->nb_exports; i++)
        if (pool->exports[i]->id == id) {
            *out = pool->exports[i];
            return 0;
        }
    exports = av_realloc_array(pool->exports, pool->nb_exports + 1, sizeof(*exports));
    if (!exports)
        return AVERROR(ENOMEM);
    pool->exports = exports;
    ret = export_surface(log, display_of(pool->frames_ref), id, out);
    if (ret < 0)
        return ret;
    exports[pool->nb_exports++] = *out;
    vaapi->nb_exports++;
    return 0;
}

static int create(VMAFXVaapi **vaapi)
{
    if (!*vaapi)
        *vaapi = av_mallocz(sizeof(**vaapi));
    return *vaapi ? 0 : AVERROR(ENOMEM);
}

int ff_vmafx_vaapi_export(void *log, VMAFXVaapi **vaapi, const AVFrame *in, VMAFXSurface *surface)
{
    Pool *pool;
    int ret;

    if (!in->hw_frames_ctx) {
        av_log(log, AV_LOG_ERROR, "A VAAPI frame has no frames context\n");
        return AVERROR(EINVAL);
    }
    ret = create(vaapi);
    if (ret < 0)
        return ret;
    surface->own_export = !is_of_pool(in);
    if (surface->own_export) {
        ret = export_surface(log, display_of(in->hw_frames_ctx), surface_of(in), &surface->exported);
        (*vaapi)->nb_exports += ret >= 0;
    } else {
        pool = find_pool(*vaapi, in->hw_frames_ctx);
        ret  = pool ? find_export(log, *vaapi, pool, surface_of(in), &surface->exported) : AVERROR(ENOMEM);
    }
    if (ret < 0)
        return ret;
    surface->drm   = &surface->exported->drm;
    surface->frame = av_frame_clone(in);
    return surface->frame ? 0 : AVERROR(ENOMEM);
}

void ff_vmafx_vaapi_close(VMAFXSurface *surface)
{
    if (surface->sync_file >= 0)
        close(surface->sync_file);
    if (surface->own_export)
        free_export(&surface->exported);
    av_frame_free(&surface->frame);
    *surface = (VMAFXSurface)VMAFX_SURFACE_INIT;
}

/* ---- Fences ---- */

static int wait_for_surface(void *log, VMAFXVaapi *vaapi, VMAFXExport *exported)
{
    VAStatus vas = VA_STATUS_ERROR_UNIMPLEMENTED;

    vaapi->nb_waits++;

#if VA_CHECK_VERSION(1, 9, 0)
    vas = vaSyncSurface2(exported->display, exported->id, SYNC_TIMEOUT_S * UINT64_C(1000000000));
#endif
    if (vas == VA_STATUS_ERROR_UNIMPLEMENTED)
        vas = vaSyncSurface(exported->display, exported->id);
    if (vas == VA_STATUS_SUCCESS) {
        exported->synced = 1;
        return 0;
    }
    if (vas == VA_STATUS_ERROR_TIMEDOUT) {
        av_log(log, AV_LOG_ERROR, "VAAPI: surface %#x is still being written after %d s\n", exported->id,
               SYNC_TIMEOUT_S);
        return AVERROR(ETIMEDOUT);
    }
    return va_error(log, "wait for a surface", vas);
}

/* One sync_file for two. */
static int merge_fences(int *fences, int more)
{
    struct sync_merge_data merge = { .name = "vmafx_hip", .fd2 = more };
    int ret;

    if (*fences < 0) {
        *fences = more;
        return 0;
    }
    ret = ioctl(*fences, SYNC_IOC_MERGE, &merge) < 0 ? AVERROR(errno) : 0;
    close(more);
    if (ret < 0)
        return ret;
    close(*fences);
    *fences = merge.fence;
    return 0;
}

/**
 * Asks the kernel for the fences of what is being written to the buffers.
 *
 * @return AVERROR(ENOSYS): it does not give them
 */
static int export_fences(const AVDRMFrameDescriptor *drm, int *fences)
{
    int ret = 0;

    *fences = -1;
    for (int i = 0; i < drm->nb_objects && ret >= 0; i++) {
        ExportSyncFile request = { EXPORT_FOR_READ, -1 };

        if (ioctl(drm->objects[i].fd, EXPORT_SYNC_FILE, &request) < 0)
            ret = errno == ENOTTY || errno == EINVAL ? AVERROR(ENOSYS) : AVERROR(errno);
        else
            ret = merge_fences(fences, request.fd);
    }
    if (ret < 0 && *fences >= 0) {
        close(*fences);
        *fences = -1;
    }
    return ret;
}

int ff_vmafx_vaapi_acquire(void *log, VMAFXVaapi *vaapi, VMAFXSurface *surface)
{
    int ret;

    /* Before a buffer is shared a driver may write it without putting its fence
     * there, or hand its work to the kernel later than it says. */
    if (!surface->exported->synced)
        return wait_for_surface(log, vaapi, surface->exported);
    ret = export_fences(surface->drm, &surface->sync_file);
    if (ret != AVERROR(ENOSYS)) {
        if (ret < 0)
            av_log(log, AV_LOG_ERROR, "VAAPI: cannot get the fences of surface %#x: %s\n",
                   surface->exported->id, av_err2str(ret));
        vaapi->nb_sync_files += ret >= 0;
        return ret;
    }
    if (!vaapi->no_sync_file) {
        vaapi->no_sync_file = 1;
        av_log(log, AV_LOG_INFO, "The kernel gives no sync_file of VAAPI surfaces (Linux 6.0 does, for dma-bufs): "
               "each one is waited for with vaSyncSurface\n");
    }
    return wait_for_surface(log, vaapi, surface->exported);
}

/* ---- Copies by the video processor ---- */

#if VA_CHECK_VERSION(1, 12, 0)

static const uint64_t linear_modifier = DRM_FORMAT_MOD_LINEAR;

static const VADRMFormatModifierList linear_only = {
    .num_modifiers = 1,
    .modifiers     = (uint64_t *)&linear_modifier,
};

static const VASurfaceAttrib linear_attribute = {
    .type          = VASurfaceAttribDRMFormatModifiers,
    .flags         = VA_SURFACE_ATTRIB_SETTABLE,
    .value.type    = VAGenericValueTypePointer,
    .value.value.p = (void *)&linear_only,
};

static int open_linear_surfaces(Pool *pool)
{
    const AVHWFramesContext *source = frames_of(pool->frames_ref);
    AVHWFramesContext *linear;
    AVVAAPIFramesContext *hwctx;

    pool->linear_ref = av_hwframe_ctx_alloc(source->device_ref);
    if (!pool->linear_ref)
        return AVERROR(ENOMEM);
    linear = frames_of(pool->linear_ref);
    linear->format    = AV_PIX_FMT_VAAPI;
    linear->sw_format = source->sw_format;
    linear->width     = source->width;
    linear->height    = source->height;
    hwctx = linear->hwctx;
    hwctx->attributes    = (VASurfaceAttrib *)&linear_attribute;
    hwctx->nb_attributes = 1;
    return av_hwframe_ctx_init(pool->linear_ref);
}

static int open_copier(void *log, Pool *pool)
{
    const AVHWFramesContext *source = frames_of(pool->frames_ref);
    VADisplay display = display_of(pool->frames_ref);
    VAStatus vas;
    int ret;

    if (pool->linear_ref)
        return 0;
    ret = open_linear_surfaces(pool);
    if (ret < 0) {
        av_log(log, AV_LOG_ERROR, "VAAPI: the driver makes no linear surfaces\n");
        goto fail;
    }
    vas = vaCreateConfig(display, VAProfileNone, VAEntrypointVideoProc, NULL, 0, &pool->config);
    if (vas != VA_STATUS_SUCCESS) {
        pool->config = VA_INVALID_ID;
        ret = va_error(log, "open the video processor", vas);
        goto fail;
    }
    vas = vaCreateContext(display, pool->config, source->width, source->height, VA_PROGRESSIVE, NULL, 0,
                          &pool->context);
    if (vas != VA_STATUS_SUCCESS) {
        pool->context = VA_INVALID_ID;
        ret = va_error(log, "open the video processor", vas);
        goto fail;
    }
    return 0;

fail:
    close_copier(pool);
    return ret;
}

static VAStatus process(VADisplay display, VAContextID context, VASurfaceID to, VABufferID *params)
{
    VAStatus vas = vaBeginPicture(display, context, to), end;

    if (vas != VA_STATUS_SUCCESS)
        return vas;
    vas = vaRenderPicture(display, context, params, 1);
    /* What was begun has to be ended, whatever came of it. */
    end = vaEndPicture(display, context);
    return vas == VA_STATUS_SUCCESS ? end : vas;
}

/* Nothing but a copy: the same size, and the same standard on both sides. */
static int copy_surface(void *log, const Pool *pool, VASurfaceID from, VASurfaceID to)
{
    const AVHWFramesContext *source = frames_of(pool->frames_ref);
    VADisplay display = display_of(pool->frames_ref);
    VARectangle whole = { .width = source->width, .height = source->height };
    VAProcPipelineParameterBuffer copy = {
        .surface                = from,
        .surface_region         = &whole,
        .output_region          = &whole,
        .surface_color_standard = VAProcColorStandardNone,
        .output_color_standard  = VAProcColorStandardNone,
    };
    VABufferID params;
    VAStatus vas = vaCreateBuffer(display, pool->context, VAProcPipelineParameterBufferType, sizeof(copy), 1,
                                  &copy, &params);

    if (vas == VA_STATUS_SUCCESS) {
        vas = process(display, pool->context, to, &params);
        vaDestroyBuffer(display, params);
    }
    return vas == VA_STATUS_SUCCESS ? 0 : va_error(log, "copy a surface by the video processor", vas);
}

int ff_vmafx_vaapi_copy(void *log, VMAFXVaapi **vaapi, const AVFrame *in, VMAFXSurface *surface)
{
    AVFrame *copy = NULL;
    Pool *pool;
    int ret = create(vaapi);

    if (ret < 0)
        return ret;
    pool = find_pool(*vaapi, in->hw_frames_ctx);
    copy = av_frame_alloc();
    if (!pool || !copy) {
        ret = AVERROR(ENOMEM);
        goto end;
    }
    ret = open_copier(log, pool);
    if (ret < 0)
        goto end;
    ret = av_hwframe_get_buffer(pool->linear_ref, copy, 0);
    if (ret < 0)
        goto end;
    copy->width  = in->width;
    copy->height = in->height;
    ret = copy_surface(log, pool, surface_of(in), surface_of(copy));
    if (ret >= 0)
        ret = ff_vmafx_vaapi_export(log, vaapi, copy, surface);

end:
    av_frame_free(&copy);
    return ret;
}

#else

int ff_vmafx_vaapi_copy(void *log, VMAFXVaapi **vaapi, const AVFrame *in, VMAFXSurface *surface)
{
    av_log(log, AV_LOG_ERROR, "VAAPI: libva 2.12 or later is needed for linear surfaces\n");
    return AVERROR(ENOSYS);
}

#endif

/* ---- The device ---- */

int ff_vmafx_vaapi_drm_fd(const AVHWDeviceContext *device)
{
    const AVVAAPIDeviceContext *hwctx = device->hwctx;
    const struct VADisplayContext *display = hwctx->display;
    const struct drm_state *state;

    /* libva has no call for it; its drivers find the node here, whatever kind
     * of display it is. */
    if (!vaDisplayIsValid(hwctx->display) || !display->pDriverContext)
        return -1;
    state = display->pDriverContext->drm_state;
    return state ? state->fd : -1;
}

void ff_vmafx_vaapi_free(void *log, VMAFXVaapi **vaapi)
{
    if (!*vaapi)
        return;
    av_log(log, AV_LOG_VERBOSE, "VAAPI surfaces: %"PRIu64" exports, %"PRIu64" waits in the driver, %"PRIu64
           " sync_files\n", (*vaapi)->nb_exports, (*vaapi)->nb_waits, (*vaapi)->nb_sync_files);
    while ((*vaapi)->nb_pools)
        free_pool(&(*vaapi)->pools[--(*vaapi)->nb_pools]);
    av_freep(vaapi);
}

#else /* HAVE_SURFACE_EXPORT */

int ff_vmafx_vaapi_export(void *log, VMAFXVaapi **vaapi, const AVFrame *in, VMAFXSurface *surface)
{
    return AVERROR(ENOSYS);
}

int ff_vmafx_vaapi_copy(void *log, VMAFXVaapi **vaapi, const AVFrame *in, VMAFXSurface *surface)
{
    return AVERROR(ENOSYS);
}

int ff_vmafx_vaapi_acquire(void *log, VMAFXVaapi *vaapi, VMAFXSurface *surface)
{
    return 0;
}

void ff_vmafx_vaapi_close(VMAFXSurface *surface)
{
    av_frame_free(&surface->frame);
}

int ff_vmafx_vaapi_drm_fd(const AVHWDeviceContext *device)
{
    return -1;
}

void ff_vmafx_vaapi_free(void *log, VMAFXVaapi **vaapi)
{
}

#endif
