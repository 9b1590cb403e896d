/* SPDX-License-Identifier: BSD-2-Clause */
#include "settings.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <drm_fourcc.h>

#include "fatal.h"

extern char **environ;

#define PREFIX "VMAFXTEST_"

static const char *const names[] = {
    "MEMORY",      "MODIFIER",           "OBJECTS",   "LAYERS",     "CHROMA",
    "PITCH_ALIGN", "CHROMA_PITCH_ALIGN", "ROW_ALIGN", "OFFSET",     "REPORT_SIZE",
    "LATE_MS",     "LATE_FROM",          "DERIVE",    "VIDEO_PROC", "VERBOSE",
    "STUCK_FROM",
};

static void refuse_unknown_names(void)
{
    for (char **variable = environ; *variable; variable++) {
        bool known = false;
        if (strncmp(*variable, PREFIX, strlen(PREFIX)) != 0)
            continue;
        for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
            const char *name = *variable + strlen(PREFIX);
            size_t length = strlen(names[i]);
            known |= strncmp(name, names[i], length) == 0 && name[length] == '=';
        }
        if (!known)
            fatal("%s is no variable of the driver", *variable);
    }
}

static unsigned long long number(const char *name, unsigned long long otherwise)
{
    const char *text = getenv(name);
    char *end;
    if (!text)
        return otherwise;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 0);
    if (errno || end == text || *end)
        fatal("%s=%s is no number", name, text);
    return value;
}

static size_t power_of_two(const char *name, size_t otherwise)
{
    unsigned long long value = number(name, otherwise);
    if (!value || (value & (value - 1)) || value > 1 << 20)
        fatal("%s is no power of two up to 1 MiB", name);
    return (size_t)value;
}

static bool yes(const char *name, bool otherwise)
{
    unsigned long long value = number(name, otherwise);
    if (value > 1)
        fatal("%s is neither 0 nor 1", name);
    return value;
}

/* The number of the word in the list that the variable names, 0 where it is not set. */
static unsigned word(const char *name, const char *const words[], size_t count)
{
    const char *text = getenv(name);
    if (!text)
        return 0;
    for (unsigned i = 0; i < count; i++)
        if (strcmp(text, words[i]) == 0)
            return i;
    fatal("%s=%s is none of the words that it may be", name, text);
}

#define WORD(name, ...)                                                                            \
    word(name, (const char *const[]){__VA_ARGS__},                                                 \
         sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static const struct tile *modifier(const char *name)
{
    const char *text = getenv(name);
    uint64_t value;
    if (!text || strcmp(text, "linear") == 0)
        value = DRM_FORMAT_MOD_LINEAR;
    else if (strcmp(text, "invalid") == 0)
        value = DRM_FORMAT_MOD_INVALID;
    else
        value = number(name, 0);
    const struct tile *tile = tile_find(value);
    if (!tile)
        fatal("%s=%s: the driver has no such surfaces", name, text);
    return tile;
}

void settings_read(struct settings *settings)
{
    refuse_unknown_names();
    *settings = (struct settings){
        .memory = WORD("VMAFXTEST_MEMORY", "auto", "memfd", "vgem"),
        .tile = modifier("VMAFXTEST_MODIFIER"),
        .objects = (unsigned)number("VMAFXTEST_OBJECTS", 1),
        .layers = WORD("VMAFXTEST_LAYERS", "asked", "separate", "composed"),
        .swapped_chroma = WORD("VMAFXTEST_CHROMA", "gr", "rg") == 1,
        .pitch_align = power_of_two("VMAFXTEST_PITCH_ALIGN", 64),
        .chroma_pitch_align = power_of_two("VMAFXTEST_CHROMA_PITCH_ALIGN", 64),
        .row_align = power_of_two("VMAFXTEST_ROW_ALIGN", 16),
        .offset = (size_t)number("VMAFXTEST_OFFSET", 0),
        .report_size = yes("VMAFXTEST_REPORT_SIZE", true),
        .late_ms = (unsigned)number("VMAFXTEST_LATE_MS", 0),
        .late_from = (unsigned)number("VMAFXTEST_LATE_FROM", 0),
        .stuck_from = (unsigned)number("VMAFXTEST_STUCK_FROM", UINT_MAX),
        .derive = yes("VMAFXTEST_DERIVE", true),
        .video_proc = yes("VMAFXTEST_VIDEO_PROC", true),
        .verbose = yes("VMAFXTEST_VERBOSE", false),
    };
    if (settings->objects < 1 || settings->objects > 2)
        fatal("VMAFXTEST_OBJECTS is neither 1 nor 2");
    if (settings->offset % 256)
        fatal("VMAFXTEST_OFFSET is no multiple of 256");
}
