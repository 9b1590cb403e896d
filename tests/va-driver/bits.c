/* SPDX-License-Identifier: BSD-2-Clause */
#include "bits.h"

#include <stdlib.h>
#include <string.h>

#include "fatal.h"

/* New bytes are zero. */
static void make_room(struct bit_writer *writer, size_t bytes)
{
    size_t needed = bits_bytes(writer) + bytes, capacity = writer->capacity;
    if (needed <= capacity)
        return;
    while (capacity < needed)
        capacity = capacity ? 2 * capacity : 256;
    uint8_t *larger = realloc(writer->bytes, capacity);
    if (!larger)
        fatal("out of memory");
    memset(larger + writer->capacity, 0, capacity - writer->capacity);
    writer->bytes = larger;
    writer->capacity = capacity;
}

void bits_put(struct bit_writer *writer, unsigned count, uint32_t value)
{
    make_room(writer, 8);
    while (count--) {
        if (value >> count & 1)
            writer->bytes[writer->bits / 8] |= (uint8_t)(0x80 >> writer->bits % 8);
        writer->bits++;
    }
}

void bits_put_ue(struct bit_writer *writer, uint32_t value)
{
    unsigned length = 0;
    while ((value + 1) >> (length + 1))
        length++;
    bits_put(writer, length, 0);
    bits_put(writer, length + 1, value + 1);
}

void bits_put_se(struct bit_writer *writer, int32_t value)
{
    bits_put_ue(writer, value > 0 ? 2 * (uint32_t)value - 1 : 2 * (uint32_t)-value);
}

void bits_align(struct bit_writer *writer)
{
    writer->bits = 8 * bits_bytes(writer);
}

void bits_put_bytes(struct bit_writer *writer, const void *bytes, size_t count)
{
    make_room(writer, count);
    memcpy(writer->bytes + bits_bytes(writer), bytes, count);
    writer->bits += 8 * count;
}

uint32_t bits_get(struct bit_reader *reader, unsigned count)
{
    uint32_t value = 0;
    for (; count; count--, reader->bit++) {
        size_t byte = reader->bit / 8;
        uint32_t bit = byte < reader->count ? reader->bytes[byte] >> (7 - reader->bit % 8) & 1 : 0;
        value = value << 1 | bit;
    }
    return value;
}

uint32_t bits_get_ue(struct bit_reader *reader)
{
    unsigned length = 0;
    while (length < 31 && !bits_get(reader, 1))
        length++;
    return (UINT32_C(1) << length) - 1 + bits_get(reader, length);
}
