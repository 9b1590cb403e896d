/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Images: pictures that the CPU sees. A derived one is a linear surface's own memory.
 */
#include <stdlib.h>
#include <string.h>

#include "buffer.h"
#include "driver.h"
#include "fatal.h"
#include "surface.h"

struct image {
    struct object object;
    VAImage image;
    const struct pixel_format *format;
    struct buffer *buffer;
};

static VAStatus query_formats(VADriverContextP va, VAImageFormat *list, int *count)
{
    for (int i = 0; i < FORMATS; i++)
        list[i] = image_format(&pixel_formats[i]);
    *count = FORMATS;
    return VA_STATUS_SUCCESS;
}

/* The caller has set sizes, offsets and pitches. */
static VAStatus add_image(struct driver *driver, const struct pixel_format *format,
                          struct surface *derived_from, VAImage *description)
{
    struct image *image = calloc(1, sizeof(*image));
    if (!image)
        return VA_STATUS_ERROR_ALLOCATION_FAILED;
    image->format = format;
    image->buffer =
        buffer_make(driver, VAImageBufferType, derived_from ? 0 : description->data_size, 1, NULL);
    if (!image->buffer) {
        free(image);
        return VA_STATUS_ERROR_ALLOCATION_FAILED;
    }
    image->buffer->image = true;
    image->buffer->derived_from = derived_from;
    if (derived_from)
        derived_from->derived++;
    description->image_id = objects_add(&driver->objects, &image->object, KIND_IMAGE);
    description->buf = image->buffer->object.id;
    description->format = image_format(format);
    description->num_planes = PLANES;
    image->image = *description;
    return VA_STATUS_SUCCESS;
}

static VAStatus create_image(VADriverContextP va, VAImageFormat *wanted, int width, int height,
                             VAImage *description)
{
    const struct pixel_format *format = format_of_fourcc(wanted->fourcc);
    if (!format)
        return VA_STATUS_ERROR_INVALID_IMAGE_FORMAT;
    if (width <= 0 || height <= 0)
        return VA_STATUS_ERROR_INVALID_PARAMETER;
    *description = (VAImage){.width = (uint16_t)width, .height = (uint16_t)height};
    for (unsigned i = 0; i < PLANES; i++) {
        unsigned pitch = plane_width((unsigned)width, i) * format->element_bytes[i];
        description->pitches[i] = (pitch + 15) / 16 * 16;
        description->offsets[i] = description->data_size;
        description->data_size += description->pitches[i] * plane_height((unsigned)height, i);
    }
    struct driver *driver = driver_enter(va);
    return driver_leave(driver, add_image(driver, format, NULL, description));
}

/* One buffer, whose bytes are rows of pixels: only this can be shown as an image. */
static bool derivable(const struct driver *driver, const struct surface *surface)
{
    return driver->settings.derive && !surface->layout.tile->block_bits &&
           surface->layout.objects == 1;
}

static VAStatus derive_image(VADriverContextP va, VASurfaceID id, VAImage *description)
{
    struct driver *driver = driver_enter(va);
    struct surface *surface = objects_get(&driver->objects, id, KIND_SURFACE, "vaDeriveImage");
    if (!derivable(driver, surface))
        return driver_leave(driver, VA_STATUS_ERROR_OPERATION_FAILED);
    *description = (VAImage){
        .width = (uint16_t)surface->width,
        .height = (uint16_t)surface->height,
        .data_size = (uint32_t)surface->memory[0].size,
    };
    for (unsigned i = 0; i < PLANES; i++) {
        description->pitches[i] = (uint32_t)surface->layout.plane[i].pitch;
        description->offsets[i] = (uint32_t)surface->layout.plane[i].offset;
    }
    return driver_leave(driver, add_image(driver, surface->format, surface, description));
}

static VAStatus destroy_image(VADriverContextP va, VAImageID id)
{
    struct driver *driver = driver_enter(va);
    struct image *image = objects_get(&driver->objects, id, KIND_IMAGE, "vaDestroyImage");
    if (image->buffer->derived_from)
        image->buffer->derived_from->derived--;
    buffer_destroy(driver, image->buffer);
    objects_remove(&driver->objects, &image->object);
    free(image);
    return driver_leave(driver, VA_STATUS_SUCCESS);
}

/* Rows of an image of its own, as a picture that owns nothing. */
static struct picture rows_of(const struct image *image, unsigned width, unsigned height)
{
    struct picture picture = {.width = width, .height = height};
    for (unsigned i = 0; i < PLANES; i++) {
        picture.rows[i] = image->buffer->data + image->image.offsets[i];
        picture.pitch[i] = image->image.pitches[i];
    }
    return picture;
}

static VAStatus check_transfer(const struct surface *surface, const struct image *image,
                               unsigned width, unsigned height, const char *call)
{
    if (image->buffer->mapped)
        fatal("%s: the buffer of image %u is mapped", call, image->object.id);
    if (image->buffer->derived_from)
        return VA_STATUS_ERROR_INVALID_IMAGE;
    if (image->format != surface->format)
        return VA_STATUS_ERROR_INVALID_IMAGE_FORMAT;
    if (!width || !height || width > surface->width || height > surface->height ||
        width > image->image.width || height > image->image.height)
        return VA_STATUS_ERROR_INVALID_PARAMETER;
    return VA_STATUS_SUCCESS;
}

static VAStatus get_image(VADriverContextP va, VASurfaceID surface_id, int x, int y, unsigned width,
                          unsigned height, VAImageID image_id)
{
    struct driver *driver = driver_enter(va);
    struct surface *surface = objects_get(&driver->objects, surface_id, KIND_SURFACE, "vaGetImage");
    struct image *image = objects_get(&driver->objects, image_id, KIND_IMAGE, "vaGetImage");
    VAStatus status = x || y ? VA_STATUS_ERROR_UNIMPLEMENTED
                             : check_transfer(surface, image, width, height, "vaGetImage");
    if (status != VA_STATUS_SUCCESS)
        return driver_leave(driver, status);

    struct picture rows = rows_of(image, width, height);
    worker_await(driver, surface);
    for (unsigned i = 0; i < surface->layout.objects; i++)
        memory_begin_cpu_access(&surface->memory[i]);
    surface_load(surface, &rows);
    for (unsigned i = 0; i < surface->layout.objects; i++)
        memory_end_cpu_access(&surface->memory[i]);
    return driver_leave(driver, VA_STATUS_SUCCESS);
}

/* An upload: the image may change as soon as the call returns. */
struct upload {
    struct job job;
    struct picture picture;
};

static void produce_upload(struct job *job, struct picture *picture)
{
    struct upload *upload = (struct upload *)job;
    *picture = upload->picture;
    upload->picture = (struct picture){0};
}

static void release_upload(struct job *job)
{
    free(job);
}

static VAStatus put_image(VADriverContextP va, VASurfaceID surface_id, VAImageID image_id,
                          int from_x, int from_y, unsigned width, unsigned height, int to_x,
                          int to_y, unsigned to_width, unsigned to_height)
{
    struct driver *driver = driver_enter(va);
    struct surface *surface = objects_get(&driver->objects, surface_id, KIND_SURFACE, "vaPutImage");
    struct image *image = objects_get(&driver->objects, image_id, KIND_IMAGE, "vaPutImage");
    VAStatus status = check_transfer(surface, image, width, height, "vaPutImage");
    if (from_x || from_y || to_x || to_y || to_width != width || to_height != height)
        status = VA_STATUS_ERROR_UNIMPLEMENTED;
    if (status != VA_STATUS_SUCCESS)
        return driver_leave(driver, status);

    struct upload *upload = calloc(1, sizeof(*upload));
    if (!upload)
        return driver_leave(driver, VA_STATUS_ERROR_ALLOCATION_FAILED);
    struct picture rows = rows_of(image, width, height);
    picture_copy(&upload->picture, &rows, image->format);
    upload->job.target = surface;
    upload->job.produce = produce_upload;
    upload->job.release = release_upload;
    worker_give(driver, &upload->job);
    return driver_leave(driver, VA_STATUS_SUCCESS);
}

void image_entries(struct VADriverVTable *table)
{
    table->vaQueryImageFormats = query_formats;
    table->vaCreateImage = create_image;
    table->vaDeriveImage = derive_image;
    table->vaDestroyImage = destroy_image;
    table->vaGetImage = get_image;
    table->vaPutImage = put_image;
}
