/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A coded picture as VA-API hands it over, and the stream that a decoder reads instead: headers
 * that say what the parameters say, then the slices.
 */
#ifndef VMAFXTEST_CODED_PICTURE_H
#define VMAFXTEST_CODED_PICTURE_H

#include <stdbool.h>

#include <va/va.h>

#include "bits.h"

enum { MAX_SLICES = 512, MAX_REFERENCES = 16 };

struct slice {
    const void *parameters; /* of the codec, whose first members are VASliceParameterBufferBase's */
    const uint8_t *data;
    size_t size;
};

struct coded_picture {
    VAProfile profile;
    const void *parameters; /* of the codec */
    const void *matrices;   /* of the codec, or NULL */
    unsigned slice_count;
    struct slice slices[MAX_SLICES];
    bool first; /* of its context */
};

/* How a codec is told to the decoder. */
struct codec {
    const char *decoder; /* FFmpeg's name of it */
    bool fields;         /* a picture may be a field, of the same frame as the one before */
    size_t parameters_size, matrices_size, slice_parameters_size;
    /* False where the parameters leave out what the headers need. */
    bool (*write)(const struct coded_picture *picture, struct bit_writer *stream);
    /* Surfaces that the picture refers to; the first one is its own, or VA_INVALID_SURFACE. */
    unsigned (*surfaces)(const void *parameters, VASurfaceID surfaces[MAX_REFERENCES + 1]);
};

extern const struct codec codec_h264, codec_hevc, codec_mpeg2, codec_vp9;

/* NULL: there is none of the profile. */
const struct codec *codec_of(VAProfile profile);

#endif
