/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the driver can do: decode H.264 and MPEG-2 of 8 bits, HEVC and VP9 of 8 and 10, and
 * copy surfaces.
 */
#ifndef VMAFXTEST_CONFIG_H
#define VMAFXTEST_CONFIG_H

#include <stdbool.h>

#include "formats.h"
#include "objects.h"

enum { MAX_PROFILES = 16, MAX_PICTURE_SIZE = 8192 };

struct config {
    struct object object;
    VAProfile profile;
    VAEntrypoint entrypoint;
};

/* Whether its pictures may be of the format. */
bool config_takes(const struct config *config, const struct pixel_format *format);

#endif
