/* SPDX-License-Identifier: BSD-2-Clause */
#include "nal.h"

#include <stdlib.h>

static const uint8_t start_code[] = {0, 0, 1};

size_t nal_unescape(const uint8_t *payload, size_t size, uint8_t *out, size_t capacity)
{
    size_t written = 0;
    int zeros = 0;
    for (size_t i = 0; i < size && written < capacity; i++) {
        uint8_t byte = payload[i];
        if (zeros >= 2 && byte == 3) {
            zeros = 0;
            continue;
        }
        zeros = byte ? 0 : zeros + 1;
        out[written++] = byte;
    }
    return written;
}

void nal_put(struct bit_writer *stream, const uint8_t *header, size_t header_size,
             struct bit_writer *payload)
{
    int zeros = 0;

    bits_put(payload, 1, 1);
    bits_align(payload);
    bits_put(stream, 8, 0); /* the first unit of a picture has a byte more */
    nal_put_whole(stream, header, header_size);
    for (size_t i = 0; i < bits_bytes(payload); i++) {
        uint8_t byte = payload->bytes[i];
        if (zeros >= 2 && byte <= 3) {
            bits_put(stream, 8, 3);
            zeros = 0;
        }
        zeros = byte ? 0 : zeros + 1;
        bits_put(stream, 8, byte);
    }
    free(payload->bytes);
    *payload = (struct bit_writer){0};
}

void nal_put_whole(struct bit_writer *stream, const uint8_t *unit, size_t size)
{
    bits_put_bytes(stream, start_code, sizeof(start_code));
    bits_put_bytes(stream, unit, size);
}
