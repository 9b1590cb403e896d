/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The video processor: copies without change, whatever the layouts of both surfaces.
 */
#include "video_proc.h"

#include <stdlib.h>

#include "driver.h"
#include "surface.h"

struct copy {
    struct job job;
    unsigned width, height;
};

static void produce_copy(struct job *job, struct picture *picture)
{
    const struct copy *copy = (const struct copy *)job;
    picture_make(picture, job->source->format, copy->width, copy->height);
    surface_load(job->source, picture);
}

static void release_copy(struct job *job)
{
    free(job);
}

/* The upper left part of a surface that the region is; false where it is another part. */
static bool size_of(const VARectangle *region, const struct surface *surface, unsigned *width,
                    unsigned *height)
{
    *width = region ? region->width : surface->width;
    *height = region ? region->height : surface->height;
    return !region || (!region->x && !region->y && region->width && region->height &&
                       region->width <= surface->width && region->height <= surface->height);
}

VAStatus video_proc_copy(struct driver *driver, struct surface *target,
                         const VAProcPipelineParameterBuffer *parameters)
{
    struct surface *source =
        objects_get(&driver->objects, parameters->surface, KIND_SURFACE, "vaEndPicture");
    unsigned width, height, to_width, to_height;

    if (source == target || source->format != target->format)
        return VA_STATUS_ERROR_INVALID_SURFACE;
    if (!size_of(parameters->surface_region, source, &width, &height) ||
        !size_of(parameters->output_region, target, &to_width, &to_height) || width != to_width ||
        height != to_height || parameters->num_filters || parameters->rotation_state ||
        parameters->mirror_state)
        return VA_STATUS_ERROR_UNIMPLEMENTED;

    struct copy *copy = calloc(1, sizeof(*copy));
    if (!copy)
        return VA_STATUS_ERROR_ALLOCATION_FAILED;
    copy->width = width;
    copy->height = height;
    copy->job.target = target;
    copy->job.source = source;
    copy->job.produce = produce_copy;
    copy->job.release = release_copy;
    driver_say(driver, "copy of surface %u to %u", parameters->surface, target->object.id);
    worker_give(driver, &copy->job);
    return VA_STATUS_SUCCESS;
}

static VAStatus query_filters(VADriverContextP va, VAContextID context, VAProcFilterType *list,
                              unsigned *count)
{
    *count = 0;
    return VA_STATUS_SUCCESS;
}

static VAStatus query_filter_caps(VADriverContextP va, VAContextID context, VAProcFilterType type,
                                  void *caps, unsigned *count)
{
    return VA_STATUS_ERROR_UNSUPPORTED_FILTER;
}

static VAStatus query_pipeline_caps(VADriverContextP va, VAContextID context, VABufferID *filters,
                                    unsigned count, VAProcPipelineCaps *caps)
{
    /* libva's structure holds them as a plain pointer. */
    static VAProcColorStandardType standards[] = {VAProcColorStandardNone, VAProcColorStandardBT601,
                                                  VAProcColorStandardBT709,
                                                  VAProcColorStandardExplicit};
    const unsigned length = sizeof(standards) / sizeof(*standards);
    *caps = (VAProcPipelineCaps){
        .input_color_standards = standards,
        .num_input_color_standards = length,
        .output_color_standards = standards,
        .num_output_color_standards = length,
    };
    return VA_STATUS_SUCCESS;
}

void video_proc_entries(struct VADriverVTableVPP *table)
{
    table->vaQueryVideoProcFilters = query_filters;
    table->vaQueryVideoProcFilterCaps = query_filter_caps;
    table->vaQueryVideoProcPipelineCaps = query_pipeline_caps;
}
