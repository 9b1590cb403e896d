/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Units of H.264 and HEVC: behind a start code, with bytes that keep start codes out of the
 * payload.
 */
#ifndef VMAFXTEST_NAL_H
#define VMAFXTEST_NAL_H

#include "bits.h"

/* The payload's first bytes without those that keep start codes out, and how many they are. */
size_t nal_unescape(const uint8_t *payload, size_t size, uint8_t *out, size_t capacity);

/* Ends the payload and writes it behind a start code and the header. The payload is empty then. */
void nal_put(struct bit_writer *stream, const uint8_t *header, size_t header_size,
             struct bit_writer *payload);

/* A unit as it came, behind a start code. */
void nal_put_whole(struct bit_writer *stream, const uint8_t *unit, size_t size);

#endif
