/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The description of a surface's buffers for others. Exporting waits for nothing.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>

#include <va/va_drmcommon.h>

#include "driver.h"
#include "surface.h"

static bool composed(const struct driver *driver, uint32_t flags)
{
    if (driver->settings.layers == LAYERS_AS_ASKED)
        return flags & VA_EXPORT_SURFACE_COMPOSED_LAYERS;
    return driver->settings.layers == LAYERS_COMPOSED;
}

static void describe_plane(const struct surface *surface, unsigned index,
                           VADRMPRIMESurfaceDescriptor *out, unsigned layer, unsigned plane)
{
    const struct plane_layout *layout = &surface->layout.plane[index];
    out->layers[layer].object_index[plane] = layout->object;
    out->layers[layer].offset[plane] = (uint32_t)layout->offset;
    out->layers[layer].pitch[plane] = (uint32_t)layout->pitch;
    out->layers[layer].num_planes = plane + 1;
}

static void describe_layers(const struct driver *driver, const struct surface *surface,
                            bool one_layer, VADRMPRIMESurfaceDescriptor *out)
{
    const struct pixel_format *format = surface->format;
    out->num_layers = one_layer ? 1 : PLANES;
    for (unsigned i = 0; i < PLANES; i++) {
        if (one_layer) {
            out->layers[0].drm_format = format->composed;
            describe_plane(surface, i, out, 0, i);
        } else {
            out->layers[i].drm_format = i && driver->settings.swapped_chroma
                                            ? format->swapped_chroma_layer
                                            : format->layer[i];
            describe_plane(surface, i, out, i, 0);
        }
    }
}

static bool describe_objects(const struct driver *driver, const struct surface *surface,
                             VADRMPRIMESurfaceDescriptor *out)
{
    for (unsigned i = 0; i < surface->layout.objects; i++) {
        int fd = fcntl(surface->memory[i].fd, F_DUPFD_CLOEXEC, 0);
        if (fd < 0) {
            while (out->num_objects)
                close(out->objects[--out->num_objects].fd);
            return false;
        }
        out->objects[i].fd = fd;
        out->objects[i].size = driver->settings.report_size ? (uint32_t)surface->memory[i].size : 0;
        out->objects[i].drm_format_modifier = surface->layout.tile->modifier;
        out->num_objects++;
    }
    return true;
}

static void say_export(const struct driver *driver, const struct surface *surface,
                       const VADRMPRIMESurfaceDescriptor *out)
{
    const unsigned last = out->num_layers - 1;
    const unsigned chroma = out->layers[last].num_planes - 1;
    driver_say(driver,
               "export of surface %u: modifier 0x%016llx, objects %u, sizes %u %u, layers %u %.4s "
               "%.4s, offsets %u %u, pitches %u %u, pending jobs %u",
               surface->object.id, (unsigned long long)surface->layout.tile->modifier,
               out->num_objects, out->objects[0].size, out->objects[1].size, out->num_layers,
               (const char *)&out->layers[0].drm_format,
               (const char *)&out->layers[last].drm_format, out->layers[0].offset[0],
               out->layers[last].offset[chroma], out->layers[0].pitch[0],
               out->layers[last].pitch[chroma], surface->jobs);
}

static VAStatus export_surface_handle(VADriverContextP va, VASurfaceID id, uint32_t memory_type,
                                      uint32_t flags, void *descriptor)
{
    struct driver *driver = driver_enter(va);
    struct surface *surface =
        objects_get(&driver->objects, id, KIND_SURFACE, "vaExportSurfaceHandle");
    VADRMPRIMESurfaceDescriptor *out = descriptor;

    if (memory_type != VA_SURFACE_ATTRIB_MEM_TYPE_DRM_PRIME_2)
        return driver_leave(driver, VA_STATUS_ERROR_UNSUPPORTED_MEMORY_TYPE);
    *out = (VADRMPRIMESurfaceDescriptor){
        .fourcc = surface->format->fourcc,
        .width = surface->width,
        .height = surface->height,
    };
    if (!describe_objects(driver, surface, out))
        return driver_leave(driver, VA_STATUS_ERROR_ALLOCATION_FAILED);
    describe_layers(driver, surface, composed(driver, flags), out);
    say_export(driver, surface, out);
    return driver_leave(driver, VA_STATUS_SUCCESS);
}

void export_entries(struct VADriverVTable *table)
{
    table->vaExportSurfaceHandle = export_surface_handle;
}
