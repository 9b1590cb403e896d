/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The driver of one display, and what its parts share.
 */
#ifndef VMAFXTEST_DRIVER_H
#define VMAFXTEST_DRIVER_H

#include <pthread.h>
#include <stdbool.h>

#include <va/va_backend.h>
#include <va/va_backend_vpp.h>

#include "objects.h"
#include "settings.h"
#include "worker.h"

struct driver {
    struct settings settings;
    int card;             /* vgem's primary node, or -1: surfaces are memfds */
    pthread_mutex_t lock; /* held by every call of the driver that knows objects */
    struct objects objects;
    struct worker worker;
};

static inline struct driver *driver_of(VADriverContextP va)
{
    return va->pDriverData;
}

/* Takes the driver's lock for a call. */
static inline struct driver *driver_enter(VADriverContextP va)
{
    struct driver *driver = driver_of(va);
    pthread_mutex_lock(&driver->lock);
    return driver;
}

static inline VAStatus driver_leave(struct driver *driver, VAStatus status)
{
    pthread_mutex_unlock(&driver->lock);
    return status;
}

__attribute__((format(printf, 2, 3))) void driver_say(const struct driver *driver,
                                                      const char *format, ...);

/* The entries of each file. */
void config_entries(struct VADriverVTable *table);
void surface_entries(struct VADriverVTable *table);
void buffer_entries(struct VADriverVTable *table);
void image_entries(struct VADriverVTable *table);
void context_entries(struct VADriverVTable *table);
void export_entries(struct VADriverVTable *table);
void missing_entries(struct VADriverVTable *table);
void video_proc_entries(struct VADriverVTableVPP *table);

#endif
