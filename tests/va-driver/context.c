/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Contexts: pictures are begun, get their buffers and end; ending one gives the worker a job.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buffer.h"
#include "coded_picture.h"
#include "config.h"
#include "decoder.h"
#include "driver.h"
#include "fatal.h"
#include "surface.h"
#include "video_proc.h"

enum { MAX_BUFFERS = 2 * MAX_SLICES + 8 };

struct context {
    struct object object;
    struct config config; /* the caller may destroy its own */
    struct decoder *decoder;
    bool first;
    struct surface *target; /* of the open picture, or NULL */
    VABufferID buffers[MAX_BUFFERS];
    unsigned buffer_count;
};

static struct context *get(struct driver *driver, VAContextID id, const char *call)
{
    return objects_get(&driver->objects, id, KIND_CONTEXT, call);
}

static VAStatus create_context(VADriverContextP va, VAConfigID config_id, int width, int height,
                               int flags, VASurfaceID *targets, int target_count, VAContextID *id)
{
    struct driver *driver = driver_enter(va);
    const struct config *config =
        objects_get(&driver->objects, config_id, KIND_CONFIG, "vaCreateContext");
    struct context *context = calloc(1, sizeof(*context));

    for (int i = 0; i < target_count; i++)
        objects_get(&driver->objects, targets[i], KIND_SURFACE, "vaCreateContext");
    if (!context)
        return driver_leave(driver, VA_STATUS_ERROR_ALLOCATION_FAILED);
    context->config = *config;
    context->first = true;
    if (config->entrypoint == VAEntrypointVLD) {
        context->decoder = decoder_open(config->profile);
        if (!context->decoder) {
            free(context);
            return driver_leave(driver, VA_STATUS_ERROR_ALLOCATION_FAILED);
        }
    }
    *id = objects_add(&driver->objects, &context->object, KIND_CONTEXT);
    return driver_leave(driver, VA_STATUS_SUCCESS);
}

static VAStatus destroy_context(VADriverContextP va, VAContextID id)
{
    struct driver *driver = driver_enter(va);
    struct context *context = get(driver, id, "vaDestroyContext");
    if (context->target)
        fatal("vaDestroyContext: a picture of context %u is open", id);
    worker_drain(driver);
    if (context->decoder)
        decoder_close(context->decoder);
    objects_remove(&driver->objects, &context->object);
    free(context);
    return driver_leave(driver, VA_STATUS_SUCCESS);
}

static VAStatus begin_picture(VADriverContextP va, VAContextID id, VASurfaceID target_id)
{
    struct driver *driver = driver_enter(va);
    struct context *context = get(driver, id, "vaBeginPicture");
    struct surface *target =
        objects_get(&driver->objects, target_id, KIND_SURFACE, "vaBeginPicture");

    if (context->target)
        fatal("vaBeginPicture: the picture before has not ended");
    if (target->target)
        fatal("vaBeginPicture: surface %u is the target of another open picture", target_id);
    if (target->derived)
        fatal("vaBeginPicture: an image shows surface %u", target_id);
    if (!config_takes(&context->config, target->format))
        return driver_leave(driver, VA_STATUS_ERROR_INVALID_SURFACE);
    context->target = target;
    context->buffer_count = 0;
    target->target = true;
    /* From here on the surface is the picture's, and nobody may count on what is in it. */
    if (!target->jobs)
        surface_poison(target);
    return driver_leave(driver, VA_STATUS_SUCCESS);
}

static VAStatus render_picture(VADriverContextP va, VAContextID id, VABufferID *buffers, int count)
{
    struct driver *driver = driver_enter(va);
    struct context *context = get(driver, id, "vaRenderPicture");
    if (!context->target)
        fatal("vaRenderPicture: no picture was begun");
    for (int i = 0; i < count; i++) {
        objects_get(&driver->objects, buffers[i], KIND_BUFFER, "vaRenderPicture");
        if (context->buffer_count == MAX_BUFFERS)
            return driver_leave(driver, VA_STATUS_ERROR_MAX_NUM_EXCEEDED);
        context->buffers[context->buffer_count++] = buffers[i];
    }
    return driver_leave(driver, VA_STATUS_SUCCESS);
}

static const void *contents(const struct buffer *buffer, size_t size, const char *what)
{
    if (buffer->size < size)
        fatal("vaEndPicture: %s of %u bytes, not %zu", what, buffer->size, size);
    return buffer->data;
}

/* Slices' parameters are followed by the buffer of their data. */
static void add_slices(struct coded_picture *picture, const struct buffer *parameters,
                       const struct buffer *data)
{
    for (unsigned i = 0; i < parameters->count; i++) {
        const VASliceParameterBufferBase *slice =
            (const void *)(parameters->data + (size_t)i * parameters->size);
        size_t size = (size_t)data->size * data->count;
        if (slice->slice_data_flag != VA_SLICE_DATA_FLAG_ALL || !slice->slice_data_size ||
            slice->slice_data_offset > size ||
            slice->slice_data_size > size - slice->slice_data_offset)
            fatal("vaEndPicture: a slice of %u bytes at %u in a buffer of %zu",
                  slice->slice_data_size, slice->slice_data_offset, size);
        if (picture->slice_count == MAX_SLICES)
            fatal("vaEndPicture: more than %d slices", MAX_SLICES);
        picture->slices[picture->slice_count++] =
            (struct slice){slice, data->data + slice->slice_data_offset, slice->slice_data_size};
    }
}

static void collect(struct driver *driver, struct context *context, const struct codec *codec,
                    struct coded_picture *picture)
{
    const struct buffer *parameters = NULL;
    for (unsigned i = 0; i < context->buffer_count; i++) {
        const struct buffer *buffer =
            objects_get(&driver->objects, context->buffers[i], KIND_BUFFER, "vaEndPicture");
        if (buffer->mapped)
            fatal("vaEndPicture: buffer %u is mapped", context->buffers[i]);
        switch (buffer->type) {
        case VAPictureParameterBufferType:
            picture->parameters = contents(buffer, codec->parameters_size, "parameters");
            break;
        case VAIQMatrixBufferType:
            picture->matrices = contents(buffer, codec->matrices_size, "matrices");
            break;
        case VASliceParameterBufferType:
            contents(buffer, codec->slice_parameters_size, "parameters of a slice");
            parameters = buffer;
            break;
        case VASliceDataBufferType:
            if (!parameters)
                fatal("vaEndPicture: data of slices without their parameters");
            add_slices(picture, parameters, buffer);
            parameters = NULL;
            break;
        default:
            break;
        }
    }
    if (!picture->parameters || !picture->slice_count)
        fatal("vaEndPicture: a picture without parameters or slices");
}

static void check_surfaces(struct driver *driver, const struct context *context,
                           const struct codec *codec, const struct coded_picture *picture)
{
    VASurfaceID surfaces[MAX_REFERENCES + 1];
    unsigned count = codec->surfaces(picture->parameters, surfaces);
    if (surfaces[0] != VA_INVALID_SURFACE && surfaces[0] != context->target->object.id)
        fatal("vaEndPicture: the parameters are surface %u's, the picture was begun with %u",
              surfaces[0], context->target->object.id);
    for (unsigned i = 1; i < count; i++)
        objects_get(&driver->objects, surfaces[i], KIND_SURFACE, "reference of a picture");
}

struct decoding {
    struct job job;
    struct decoder *decoder;
    struct bit_writer stream;
};

static void produce_decoded(struct job *job, struct picture *picture)
{
    struct decoding *decoding = (struct decoding *)job;
    if (!decoder_decode(decoding->decoder, decoding->stream.bytes, bits_bytes(&decoding->stream),
                        picture))
        fputs("[vmafxtest] a picture could not be decoded\n", stderr);
}

static void release_decoding(struct job *job)
{
    struct decoding *decoding = (struct decoding *)job;
    free(decoding->stream.bytes);
    free(decoding);
}

static VAStatus decode(struct driver *driver, struct context *context)
{
    const struct codec *codec = codec_of(context->config.profile);
    struct coded_picture picture = {.profile = context->config.profile, .first = context->first};
    struct decoding *decoding = calloc(1, sizeof(*decoding));

    if (!decoding)
        return VA_STATUS_ERROR_ALLOCATION_FAILED;
    collect(driver, context, codec, &picture);
    check_surfaces(driver, context, codec, &picture);
    if (!codec->write(&picture, &decoding->stream)) {
        free(decoding->stream.bytes);
        free(decoding);
        return VA_STATUS_ERROR_UNIMPLEMENTED;
    }
    context->first = false;
    decoding->decoder = context->decoder;
    decoding->job.target = context->target;
    decoding->job.produce = produce_decoded;
    decoding->job.release = release_decoding;
    worker_give(driver, &decoding->job);
    return VA_STATUS_SUCCESS;
}

static VAStatus process(struct driver *driver, struct context *context)
{
    const struct buffer *pipeline = NULL;
    for (unsigned i = 0; i < context->buffer_count; i++) {
        const struct buffer *buffer =
            objects_get(&driver->objects, context->buffers[i], KIND_BUFFER, "vaEndPicture");
        if (buffer->type != VAProcPipelineParameterBufferType)
            return VA_STATUS_ERROR_UNSUPPORTED_BUFFERTYPE;
        if (pipeline)
            return VA_STATUS_ERROR_UNIMPLEMENTED;
        pipeline = buffer;
    }
    if (!pipeline)
        fatal("vaEndPicture: nothing to process");
    return video_proc_copy(
        driver, context->target,
        contents(pipeline, sizeof(VAProcPipelineParameterBuffer), "parameters of a pipeline"));
}

static VAStatus end_picture(VADriverContextP va, VAContextID id)
{
    struct driver *driver = driver_enter(va);
    struct context *context = get(driver, id, "vaEndPicture");
    if (!context->target)
        fatal("vaEndPicture: no picture was begun");
    VAStatus status = context->decoder ? decode(driver, context) : process(driver, context);
    context->target->target = false;
    context->target = NULL;
    return driver_leave(driver, status);
}

void context_entries(struct VADriverVTable *table)
{
    table->vaCreateContext = create_context;
    table->vaDestroyContext = destroy_context;
    table->vaBeginPicture = begin_picture;
    table->vaRenderPicture = render_picture;
    table->vaEndPicture = end_picture;
}
