/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef VMAFXTEST_DECODER_H
#define VMAFXTEST_DECODER_H

#include <stdbool.h>

#include "picture.h"

struct decoder;

/* NULL: there is none for the profile, or no memory. */
struct decoder *decoder_open(VAProfile profile);
void decoder_close(struct decoder *decoder);

/* The picture of the stream's headers and slices, whatever the order of output. False: there is
 * none. Called by one thread at a time. */
bool decoder_decode(struct decoder *decoder, const uint8_t *stream, size_t size,
                    struct picture *picture);

#endif
