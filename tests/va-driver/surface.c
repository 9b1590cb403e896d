/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Surfaces: made, destroyed, waited for, and their attributes.
 */
#include "surface.h"

#include <stdlib.h>
#include <string.h>

#include <drm_fourcc.h>
#include <va/va_drmcommon.h>

#include "config.h"
#include "driver.h"
#include "fatal.h"

static struct tiled_plane plane_of(const struct surface *surface, unsigned index, unsigned width,
                                   unsigned height)
{
    const struct plane_layout *plane = &surface->layout.plane[index];
    if (width > surface->width)
        width = surface->width;
    if (height > surface->height)
        height = surface->height;
    return (struct tiled_plane){
        .tile = surface->layout.tile,
        .memory = surface->memory[plane->object].map + plane->offset,
        .pitch = plane->pitch,
        .width = plane_width(width, index),
        .height = plane_height(height, index),
        .element_bytes = surface->format->element_bytes[index],
    };
}

void surface_store(struct surface *surface, const struct picture *picture)
{
    for (unsigned i = 0; i < PLANES; i++) {
        struct tiled_plane plane = plane_of(surface, i, picture->width, picture->height);
        tile_store(&plane, picture->rows[i], picture->pitch[i]);
    }
}

void surface_load(const struct surface *surface, struct picture *picture)
{
    for (unsigned i = 0; i < PLANES; i++) {
        struct tiled_plane plane = plane_of(surface, i, picture->width, picture->height);
        tile_load(&plane, picture->rows[i], picture->pitch[i]);
    }
}

void surface_poison(struct surface *surface)
{
    for (unsigned i = 0; i < surface->layout.objects; i++)
        memset(surface->memory[i].map, 0xa5, surface->memory[i].size);
}

void surface_begin_write(struct surface *surface, bool stuck)
{
    for (unsigned i = 0; i < surface->layout.objects; i++)
        memory_begin_write(&surface->memory[i], stuck);
}

void surface_end_write(struct surface *surface)
{
    for (unsigned i = 0; i < surface->layout.objects; i++)
        memory_end_write(&surface->memory[i]);
}

static void destroy(struct driver *driver, struct surface *surface)
{
    worker_await(driver, surface);
    for (unsigned i = 0; i < surface->layout.objects; i++)
        memory_free(&surface->memory[i]);
    objects_remove(&driver->objects, &surface->object);
    free(surface);
}

/* What a caller may say of the surfaces that it wants. */
struct wishes {
    const struct pixel_format *format;
    const struct tile *tile;
};

/* The driver's own choice where the list has it, else the list's first that the driver knows. */
static const struct tile *choose_tile(const struct driver *driver,
                                      const VADRMFormatModifierList *list)
{
    const struct tile *known = NULL;
    for (uint32_t i = 0; list && i < list->num_modifiers; i++) {
        if (list->modifiers[i] == driver->settings.tile->modifier)
            return driver->settings.tile;
        if (!known)
            known = tile_find(list->modifiers[i]);
    }
    return known;
}

static VAStatus read_wishes(const struct driver *driver, const VASurfaceAttrib *attributes,
                            unsigned count, struct wishes *wishes)
{
    for (unsigned i = 0; i < count; i++) {
        const VAGenericValue *value = &attributes[i].value;
        if (!(attributes[i].flags & VA_SURFACE_ATTRIB_SETTABLE))
            continue;
        switch (attributes[i].type) {
        case VASurfaceAttribPixelFormat:
            wishes->format = format_of_fourcc((uint32_t)value->value.i);
            break;
        case VASurfaceAttribDRMFormatModifiers:
            wishes->tile = choose_tile(driver, value->value.p);
            if (!wishes->tile)
                return VA_STATUS_ERROR_INVALID_PARAMETER;
            break;
        case VASurfaceAttribMemoryType:
            if (value->value.i != VA_SURFACE_ATTRIB_MEM_TYPE_VA)
                return VA_STATUS_ERROR_UNSUPPORTED_MEMORY_TYPE;
            break;
        case VASurfaceAttribUsageHint:
            break;
        default:
            return VA_STATUS_ERROR_ATTR_NOT_SUPPORTED;
        }
    }
    return wishes->format ? VA_STATUS_SUCCESS : VA_STATUS_ERROR_UNSUPPORTED_RT_FORMAT;
}

static VAStatus make(struct driver *driver, const struct wishes *wishes, unsigned width,
                     unsigned height, VASurfaceID *id)
{
    struct surface *surface = calloc(1, sizeof(*surface));
    unsigned made = 0;
    if (!surface)
        return VA_STATUS_ERROR_ALLOCATION_FAILED;
    surface->format = wishes->format;
    surface->width = width;
    surface->height = height;
    layout_make(&surface->layout, &driver->settings, wishes->tile, wishes->format, width, height);
    while (made < surface->layout.objects &&
           memory_make(&surface->memory[made], driver->card, surface->layout.size[made]))
        made++;
    if (made < surface->layout.objects) {
        while (made)
            memory_free(&surface->memory[--made]);
        free(surface);
        return VA_STATUS_ERROR_ALLOCATION_FAILED;
    }
    *id = objects_add(&driver->objects, &surface->object, KIND_SURFACE);
    driver_say(driver, "surface %u: %ux%u, modifier 0x%016llx", *id, width, height,
               (unsigned long long)wishes->tile->modifier);
    return VA_STATUS_SUCCESS;
}

static VAStatus create_surfaces2(VADriverContextP va, unsigned rt_format, unsigned width,
                                 unsigned height, VASurfaceID *ids, unsigned count,
                                 VASurfaceAttrib *attributes, unsigned attribute_count)
{
    struct driver *driver = driver_enter(va);
    struct wishes wishes = {format_of_rt_format(rt_format), driver->settings.tile};
    VAStatus status = read_wishes(driver, attributes, attribute_count, &wishes);
    unsigned made = 0;

    if (status == VA_STATUS_SUCCESS &&
        (!width || !height || width > MAX_PICTURE_SIZE || height > MAX_PICTURE_SIZE))
        status = VA_STATUS_ERROR_RESOLUTION_NOT_SUPPORTED;
    while (status == VA_STATUS_SUCCESS && made < count) {
        status = make(driver, &wishes, width, height, &ids[made]);
        made += status == VA_STATUS_SUCCESS;
    }
    while (status != VA_STATUS_SUCCESS && made)
        destroy(driver, objects_get(&driver->objects, ids[--made], KIND_SURFACE, __func__));
    return driver_leave(driver, status);
}

static VAStatus create_surfaces(VADriverContextP va, int width, int height, int rt_format,
                                int count, VASurfaceID *ids)
{
    return create_surfaces2(va, (unsigned)rt_format, (unsigned)width, (unsigned)height, ids,
                            (unsigned)count, NULL, 0);
}

static VAStatus destroy_surfaces(VADriverContextP va, VASurfaceID *ids, int count)
{
    struct driver *driver = driver_enter(va);
    for (int i = 0; i < count; i++) {
        struct surface *surface =
            objects_get(&driver->objects, ids[i], KIND_SURFACE, "vaDestroySurfaces");
        if (surface->target)
            fatal("vaDestroySurfaces: surface %u is the target of an open picture", ids[i]);
        if (surface->derived)
            fatal("vaDestroySurfaces: an image still shows surface %u", ids[i]);
        destroy(driver, surface);
    }
    return driver_leave(driver, VA_STATUS_SUCCESS);
}

static VAStatus sync_surface(VADriverContextP va, VASurfaceID id)
{
    struct driver *driver = driver_enter(va);
    worker_await(driver, objects_get(&driver->objects, id, KIND_SURFACE, "vaSyncSurface"));
    return driver_leave(driver, VA_STATUS_SUCCESS);
}

static VAStatus sync_surface2(VADriverContextP va, VASurfaceID id, uint64_t timeout_ns)
{
    struct driver *driver = driver_enter(va);
    struct surface *surface = objects_get(&driver->objects, id, KIND_SURFACE, "vaSyncSurface2");
    bool done = worker_await_until(driver, surface, timeout_ns);
    return driver_leave(driver, done ? VA_STATUS_SUCCESS : VA_STATUS_ERROR_TIMEDOUT);
}

static VAStatus query_surface_status(VADriverContextP va, VASurfaceID id, VASurfaceStatus *status)
{
    struct driver *driver = driver_enter(va);
    struct surface *surface =
        objects_get(&driver->objects, id, KIND_SURFACE, "vaQuerySurfaceStatus");
    *status = surface->jobs ? VASurfaceRendering : VASurfaceReady;
    return driver_leave(driver, VA_STATUS_SUCCESS);
}

static VASurfaceAttrib integer(VASurfaceAttribType type, unsigned flags, int value)
{
    return (VASurfaceAttrib){
        .type = type,
        .flags = flags,
        .value = {.type = VAGenericValueTypeInteger, .value.i = value},
    };
}

static VAStatus query_surface_attributes(VADriverContextP va, VAConfigID id,
                                         VASurfaceAttrib *attributes, unsigned *count)
{
    const unsigned get = VA_SURFACE_ATTRIB_GETTABLE, set = VA_SURFACE_ATTRIB_SETTABLE;
    struct driver *driver = driver_enter(va);
    const struct config *config =
        objects_get(&driver->objects, id, KIND_CONFIG, "vaQuerySurfaceAttributes");
    VASurfaceAttrib list[16];
    unsigned length = 0;

    for (int i = 0; i < FORMATS; i++)
        if (config_takes(config, &pixel_formats[i]))
            list[length++] =
                integer(VASurfaceAttribPixelFormat, get | set, (int)pixel_formats[i].fourcc);
    list[length++] = integer(VASurfaceAttribMinWidth, get, 1);
    list[length++] = integer(VASurfaceAttribMinHeight, get, 1);
    list[length++] = integer(VASurfaceAttribMaxWidth, get, MAX_PICTURE_SIZE);
    list[length++] = integer(VASurfaceAttribMaxHeight, get, MAX_PICTURE_SIZE);
    list[length++] = integer(VASurfaceAttribMemoryType, get | set, VA_SURFACE_ATTRIB_MEM_TYPE_VA);
    list[length++] = (VASurfaceAttrib){
        .type = VASurfaceAttribDRMFormatModifiers,
        .flags = set,
        .value.type = VAGenericValueTypePointer,
    };
    VAStatus status = VA_STATUS_SUCCESS;
    if (attributes && *count < length)
        status = VA_STATUS_ERROR_MAX_NUM_EXCEEDED;
    else if (attributes)
        memcpy(attributes, list, length * sizeof(*list));
    *count = length;
    return driver_leave(driver, status);
}

void surface_entries(struct VADriverVTable *table)
{
    table->vaCreateSurfaces = create_surfaces;
    table->vaCreateSurfaces2 = create_surfaces2;
    table->vaDestroySurfaces = destroy_surfaces;
    table->vaSyncSurface = sync_surface;
    table->vaSyncSurface2 = sync_surface2;
    table->vaQuerySurfaceStatus = query_surface_status;
    table->vaQuerySurfaceAttributes = query_surface_attributes;
}
