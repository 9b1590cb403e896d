/* SPDX-License-Identifier: BSD-2-Clause */
#include "config.h"

#include <stdlib.h>

#include "driver.h"

static const VAProfile profiles[] = {
    VAProfileNone,        VAProfileMPEG2Simple,
    VAProfileMPEG2Main,   VAProfileH264ConstrainedBaseline,
    VAProfileH264Main,    VAProfileH264High,
    VAProfileHEVCMain,    VAProfileHEVCMain10,
    VAProfileVP9Profile0, VAProfileVP9Profile2,
};
enum { PROFILES = sizeof(profiles) / sizeof(*profiles) };

static bool is_profile(const struct driver *driver, VAProfile profile)
{
    for (int i = 0; i < PROFILES; i++)
        if (profiles[i] == profile)
            return profile != VAProfileNone || driver->settings.video_proc;
    return false;
}

static VAEntrypoint entrypoint_of(VAProfile profile)
{
    return profile == VAProfileNone ? VAEntrypointVideoProc : VAEntrypointVLD;
}

/* A decoder is of one depth. */
static unsigned rt_formats(VAProfile profile)
{
    switch (profile) {
    case VAProfileNone:
        return VA_RT_FORMAT_YUV420 | VA_RT_FORMAT_YUV420_10;
    case VAProfileHEVCMain10:
    case VAProfileVP9Profile2:
        return VA_RT_FORMAT_YUV420_10;
    default:
        return VA_RT_FORMAT_YUV420;
    }
}

bool config_takes(const struct config *config, const struct pixel_format *format)
{
    return rt_formats(config->profile) & format->rt_format;
}

static VAStatus query_profiles(VADriverContextP va, VAProfile *list, int *count)
{
    *count = 0;
    for (int i = 0; i < PROFILES; i++)
        if (is_profile(driver_of(va), profiles[i]))
            list[(*count)++] = profiles[i];
    return VA_STATUS_SUCCESS;
}

static VAStatus query_entrypoints(VADriverContextP va, VAProfile profile, VAEntrypoint *list,
                                  int *count)
{
    *count = 0;
    if (!is_profile(driver_of(va), profile))
        return VA_STATUS_ERROR_UNSUPPORTED_PROFILE;
    list[(*count)++] = entrypoint_of(profile);
    return VA_STATUS_SUCCESS;
}

static VAStatus check(const struct driver *driver, VAProfile profile, VAEntrypoint entrypoint)
{
    if (!is_profile(driver, profile))
        return VA_STATUS_ERROR_UNSUPPORTED_PROFILE;
    return entrypoint == entrypoint_of(profile) ? VA_STATUS_SUCCESS
                                                : VA_STATUS_ERROR_UNSUPPORTED_ENTRYPOINT;
}

static VAStatus get_attributes(VADriverContextP va, VAProfile profile, VAEntrypoint entrypoint,
                               VAConfigAttrib *list, int count)
{
    VAStatus status = check(driver_of(va), profile, entrypoint);
    for (int i = 0; status == VA_STATUS_SUCCESS && i < count; i++) {
        switch (list[i].type) {
        case VAConfigAttribRTFormat:
            list[i].value = rt_formats(profile);
            break;
        case VAConfigAttribMaxPictureWidth:
        case VAConfigAttribMaxPictureHeight:
            list[i].value = MAX_PICTURE_SIZE;
            break;
        default:
            list[i].value = VA_ATTRIB_NOT_SUPPORTED;
        }
    }
    return status;
}

static VAStatus create_config(VADriverContextP va, VAProfile profile, VAEntrypoint entrypoint,
                              VAConfigAttrib *list, int count, VAConfigID *id)
{
    VAStatus status = check(driver_of(va), profile, entrypoint);
    for (int i = 0; status == VA_STATUS_SUCCESS && i < count; i++)
        if (list[i].type == VAConfigAttribRTFormat && !(list[i].value & rt_formats(profile)))
            status = VA_STATUS_ERROR_UNSUPPORTED_RT_FORMAT;
    if (status != VA_STATUS_SUCCESS)
        return status;

    struct config *config = calloc(1, sizeof(*config));
    if (!config)
        return VA_STATUS_ERROR_ALLOCATION_FAILED;
    struct driver *driver = driver_enter(va);
    config->profile = profile;
    config->entrypoint = entrypoint;
    *id = objects_add(&driver->objects, &config->object, KIND_CONFIG);
    return driver_leave(driver, VA_STATUS_SUCCESS);
}

static VAStatus destroy_config(VADriverContextP va, VAConfigID id)
{
    struct driver *driver = driver_enter(va);
    struct config *config = objects_get(&driver->objects, id, KIND_CONFIG, "vaDestroyConfig");
    objects_remove(&driver->objects, &config->object);
    free(config);
    return driver_leave(driver, VA_STATUS_SUCCESS);
}

static VAStatus query_config_attributes(VADriverContextP va, VAConfigID id, VAProfile *profile,
                                        VAEntrypoint *entrypoint, VAConfigAttrib *list, int *count)
{
    struct driver *driver = driver_enter(va);
    const struct config *config =
        objects_get(&driver->objects, id, KIND_CONFIG, "vaQueryConfigAttributes");
    *profile = config->profile;
    *entrypoint = config->entrypoint;
    list[0] = (VAConfigAttrib){VAConfigAttribRTFormat, rt_formats(config->profile)};
    *count = 1;
    return driver_leave(driver, VA_STATUS_SUCCESS);
}

void config_entries(struct VADriverVTable *table)
{
    table->vaQueryConfigProfiles = query_profiles;
    table->vaQueryConfigEntrypoints = query_entrypoints;
    table->vaGetConfigAttributes = get_attributes;
    table->vaCreateConfig = create_config;
    table->vaDestroyConfig = destroy_config;
    table->vaQueryConfigAttributes = query_config_attributes;
}
