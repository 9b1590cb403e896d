/* SPDX-License-Identifier: BSD-2-Clause */
#include "driver.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <va/va_drmcommon.h>

#include "config.h"
#include "fatal.h"
#include "memory.h"

void driver_say(const struct driver *driver, const char *format, ...)
{
    va_list arguments;
    if (!driver->settings.verbose)
        return;
    fputs("[vmafxtest] ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

static VAStatus terminate(VADriverContextP va)
{
    struct driver *driver = driver_of(va);
    worker_end(driver);
    objects_end(&driver->objects);
    if (driver->card >= 0)
        close(driver->card);
    pthread_mutex_destroy(&driver->lock);
    free(driver);
    va->pDriverData = NULL;
    return VA_STATUS_SUCCESS;
}

static void open_card(struct driver *driver, const struct drm_state *drm)
{
    driver->card = driver->settings.memory == MEMORY_MEMFD ? -1 : memory_open_card(drm->fd);
    if (driver->settings.memory == MEMORY_VGEM && driver->card < 0)
        fatal("VMAFXTEST_MEMORY=vgem, but the device is not vgem's, or its primary node not open");
}

static void fill_tables(VADriverContextP va)
{
    va->vtable->vaTerminate = terminate;
    config_entries(va->vtable);
    surface_entries(va->vtable);
    buffer_entries(va->vtable);
    image_entries(va->vtable);
    context_entries(va->vtable);
    export_entries(va->vtable);
    missing_entries(va->vtable);
    if (va->vtable_vpp)
        video_proc_entries(va->vtable_vpp);
}

/* libva looks for its own minor version first, then for older ones: this one serves them all. */
__attribute__((visibility("default"))) VAStatus __vaDriverInit_1_0(VADriverContextP va)
{
    struct driver *driver = calloc(1, sizeof(*driver));
    if (!driver)
        return VA_STATUS_ERROR_ALLOCATION_FAILED;
    settings_read(&driver->settings);
    open_card(driver, va->drm_state);
    pthread_mutex_init(&driver->lock, NULL);
    worker_start(driver);

    va->pDriverData = driver;
    va->version_major = VA_MAJOR_VERSION;
    va->version_minor = VA_MINOR_VERSION;
    va->str_vendor = "libvmafx test driver";
    va->max_profiles = MAX_PROFILES;
    va->max_entrypoints = 1;
    va->max_attributes = 16;
    va->max_image_formats = FORMATS;
    va->max_subpic_formats = 1;
    va->max_display_attributes = 1;
    fill_tables(va);
    driver_say(driver, "surfaces are %s", driver->card >= 0 ? "dma-bufs of vgem" : "memfds");
    return VA_STATUS_SUCCESS;
}
