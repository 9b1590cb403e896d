/* SPDX-License-Identifier: BSD-2-Clause */
#include "buffer.h"

#include <stdlib.h>
#include <string.h>

#include "driver.h"
#include "fatal.h"
#include "surface.h"

struct buffer *buffer_make(struct driver *driver, VABufferType type, unsigned size, unsigned count,
                           const void *data)
{
    struct buffer *buffer = calloc(1, sizeof(*buffer));
    if (!buffer)
        return NULL;
    *buffer = (struct buffer){.type = type, .size = size, .count = count};
    buffer->data = calloc(count ? count : 1, size ? size : 1);
    if (!buffer->data) {
        free(buffer);
        return NULL;
    }
    if (data)
        memcpy(buffer->data, data, (size_t)size * count);
    objects_add(&driver->objects, &buffer->object, KIND_BUFFER);
    return buffer;
}

void buffer_destroy(struct driver *driver, struct buffer *buffer)
{
    if (buffer->mapped)
        fatal("vaDestroyBuffer: buffer %u is mapped", buffer->object.id);
    objects_remove(&driver->objects, &buffer->object);
    free(buffer->data);
    free(buffer);
}

static VAStatus create_buffer(VADriverContextP va, VAContextID context, VABufferType type,
                              unsigned size, unsigned count, void *data, VABufferID *id)
{
    struct driver *driver = driver_enter(va);
    objects_get(&driver->objects, context, KIND_CONTEXT, "vaCreateBuffer");
    struct buffer *buffer = buffer_make(driver, type, size, count, data);
    if (!buffer)
        return driver_leave(driver, VA_STATUS_ERROR_ALLOCATION_FAILED);
    *id = buffer->object.id;
    return driver_leave(driver, VA_STATUS_SUCCESS);
}

static VAStatus set_num_elements(VADriverContextP va, VABufferID id, unsigned count)
{
    struct driver *driver = driver_enter(va);
    struct buffer *buffer =
        objects_get(&driver->objects, id, KIND_BUFFER, "vaBufferSetNumElements");
    VAStatus status = VA_STATUS_SUCCESS;
    if (count > buffer->count)
        status = VA_STATUS_ERROR_INVALID_PARAMETER;
    else
        buffer->count = count;
    return driver_leave(driver, status);
}

static VAStatus map_buffer(VADriverContextP va, VABufferID id, void **address)
{
    struct driver *driver = driver_enter(va);
    struct buffer *buffer = objects_get(&driver->objects, id, KIND_BUFFER, "vaMapBuffer");
    struct surface *surface = buffer->derived_from;

    if (buffer->mapped)
        fatal("vaMapBuffer: buffer %u is mapped already", id);
    buffer->mapped = true;
    if (surface) {
        worker_await(driver, surface);
        memory_begin_cpu_access(&surface->memory[0]);
    }
    *address = surface ? surface->memory[0].map : buffer->data;
    return driver_leave(driver, VA_STATUS_SUCCESS);
}

static VAStatus unmap_buffer(VADriverContextP va, VABufferID id)
{
    struct driver *driver = driver_enter(va);
    struct buffer *buffer = objects_get(&driver->objects, id, KIND_BUFFER, "vaUnmapBuffer");
    if (!buffer->mapped)
        fatal("vaUnmapBuffer: buffer %u is not mapped", id);
    buffer->mapped = false;
    if (buffer->derived_from)
        memory_end_cpu_access(&buffer->derived_from->memory[0]);
    return driver_leave(driver, VA_STATUS_SUCCESS);
}

static VAStatus destroy_buffer(VADriverContextP va, VABufferID id)
{
    struct driver *driver = driver_enter(va);
    struct buffer *buffer = objects_get(&driver->objects, id, KIND_BUFFER, "vaDestroyBuffer");
    if (buffer->image)
        fatal("vaDestroyBuffer: buffer %u is an image's", id);
    buffer_destroy(driver, buffer);
    return driver_leave(driver, VA_STATUS_SUCCESS);
}

void buffer_entries(struct VADriverVTable *table)
{
    table->vaCreateBuffer = create_buffer;
    table->vaBufferSetNumElements = set_num_elements;
    table->vaMapBuffer = map_buffer;
    table->vaUnmapBuffer = unmap_buffer;
    table->vaDestroyBuffer = destroy_buffer;
}
