/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Bits, the most significant one first, and the codes that headers are made of.
 */
#ifndef VMAFXTEST_BITS_H
#define VMAFXTEST_BITS_H

#include <stddef.h>
#include <stdint.h>

struct bit_writer {
    uint8_t *bytes;
    size_t bits, capacity; /* capacity in bytes */
};

void bits_put(struct bit_writer *writer, unsigned count, uint32_t value);
void bits_put_ue(struct bit_writer *writer, uint32_t value);
void bits_put_se(struct bit_writer *writer, int32_t value);
/* Zeros up to the next whole byte. */
void bits_align(struct bit_writer *writer);
/* Where the writer stands at a whole byte. */
void bits_put_bytes(struct bit_writer *writer, const void *bytes, size_t count);
static inline size_t bits_bytes(const struct bit_writer *writer)
{
    return (writer->bits + 7) / 8;
}

/* Zeros behind the end. */
struct bit_reader {
    const uint8_t *bytes;
    size_t count, bit;
};

uint32_t bits_get(struct bit_reader *reader, unsigned count);
uint32_t bits_get_ue(struct bit_reader *reader);

#endif
