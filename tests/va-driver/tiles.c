/* SPDX-License-Identifier: BSD-2-Clause */
#include "tiles.h"

#include <stdlib.h>
#include <string.h>

#include <drm_fourcc.h>

#include "fatal.h"

/* The plain order of microtiles of 64 KiB and 256 KiB blocks. */
#define PLAIN_1 "y4 x4 y5 x5 y6 x6 y7 x7"
#define PLAIN_2 "y3 x4 y4 x5 y5 x6 y6 x7"
#define PLAIN_4 "y3 x3 y4 x4 y5 x5 y6 x6"

#define MICRO_S {"x0 x1 x2 x3 y0 y1 y2 y3", "x0 x1 x2 y0 y1 y2 x3", "x0 x1 y0 y1 y2 x2"}
#define MICRO_R10 {"x0 x1 x2 y1 y0 y2 x3 y4", "x0 x1 x2 y0 y1 y2 x3", "x0 x1 y0 y1 y2 x2"}
#define MICRO_R103 {"x0 x1 x2 x3 y0 y1 y2 y3", "x0 x1 x2 y0 y1 y2 x3", "x0 x1 y0 y1 x2 y2"}
#define MICRO_D11 {"x0 x1 y0 x2 y1 y2 x3 y3", "x0 y0 x1 y1 x2 y2 x3", "x0 y0 x1 y1 x2 y2"}

static const struct tile tiles[] = {
    {.modifier = DRM_FORMAT_MOD_LINEAR},
    /* GPUs without modifiers */
    {DRM_FORMAT_MOD_INVALID, 16, true, MICRO_S, {PLAIN_1, PLAIN_2, PLAIN_4}},
    /* GFX9, 64K_S */
    {0x0200000000000901, 16, false, MICRO_S, {PLAIN_1, PLAIN_2, PLAIN_4}},
    /* GFX10, 64K_R_X, 16 pipes */
    {0x0200000000801b02,
     16,
     false,
     MICRO_R10,
     {"x3^y3 x4^y4 x6^y5 x5^y6 y6 x6 y7 x7", "x3^y3 x4^y4 x6^y5 x5^y6 y4 x6 y6 x7",
      "x3^y3 x4^y4 x6^y5 x5^y6 y3 x4 y6 x6"}},
    /* GFX10.3, 64K_R_X, 8 pipes, 8 packers */
    {0x0200000018601b03,
     16,
     false,
     MICRO_R103,
     {"x7^y4^y7 x4^y4 x6^y5 x6 y6 x7^y8 x8^y7 x5^y6",
      "x7^y4^y7 x4^y4 x6^y5 y3 x6 x7^y7 x8^y6 x5^y6",
      "x7^y4^y7 x4^y4 x6^y5 x3 y3 x6^y7 x7^y6 x5^y6"}},
    /* GFX11, 64K_R_X, 4 pipes, 4 packers */
    {0x0200000010401b04,
     16,
     false,
     MICRO_D11,
     {"x6^y4^y6 x4^y4 x5 x6 x9^y6 x7^y8 x8^y7 x5^y5",
      "x6^y4^y6 x4^y4 y3 x5 x6^y8 x8^y6 x7^y7 x5^y5",
      "x6^y4^y6 x4^y4 x3 y3 x5^y8 x6^y7 x7^y6 x5^y5"}},
    /* GFX11, 256K_R_X, 32 pipes, 32 packers */
    {0x0200000028a01f04,
     18,
     false,
     MICRO_D11,
     {"x9^y4^y9 x4^y4 x8^y5 x5^y8 x7^y6 x7 y7 x8^y9 x9^y8 x6^y7",
      "x9^y4^y9 x4^y4 x8^y5 x5^y8 x7^y6 y3 x7 x8^y8 x9^y7 x6^y7",
      "x9^y4^y9 x4^y4 x8^y5 x5^y8 x7^y6 x3 y3 x7^y8 x8^y7 x6^y7"}},
    /* GFX12: 256B_2D, 64K_2D, 256K_2D */
    {0x0200000000000105, 8, false, MICRO_D11, {"", "", ""}},
    {0x0200000000000305, 16, false, MICRO_D11, {PLAIN_1, PLAIN_2, PLAIN_4}},
    {0x0200000000000405,
     18,
     false,
     MICRO_D11,
     {PLAIN_1 " y8 x8", PLAIN_2 " y7 x8", PLAIN_4 " y7 x7"}},
    /* GFX12, 64K_2D with DCC, as decoders of that generation make them */
    {0x0200000000082305, 16, true, MICRO_D11, {PLAIN_1, PLAIN_2, PLAIN_4}},
};

const struct tile *tile_find(uint64_t modifier)
{
    for (size_t i = 0; i < sizeof(tiles) / sizeof(*tiles); i++)
        if (tiles[i].modifier == modifier)
            return &tiles[i];
    return NULL;
}

static unsigned log2_of(unsigned element_bytes)
{
    return element_bytes == 1 ? 0 : element_bytes == 2 ? 1 : 2;
}

/* log2 of the elements of a block, across and down. */
static unsigned block_width_bits(const struct tile *tile, unsigned element_bytes)
{
    return (tile->block_bits - log2_of(element_bytes) + 1) / 2;
}

static unsigned block_height_bits(const struct tile *tile, unsigned element_bytes)
{
    return (tile->block_bits - log2_of(element_bytes)) / 2;
}

size_t tile_pitch_step(const struct tile *tile, unsigned element_bytes)
{
    if (!tile->block_bits)
        return 1;
    return (size_t)element_bytes << block_width_bits(tile, element_bytes);
}

size_t tile_row_step(const struct tile *tile, unsigned element_bytes)
{
    return tile->block_bits ? (size_t)1 << block_height_bits(tile, element_bytes) : 1;
}

/* The part that one coordinate has in the address within a block: the terms of its axis that are
 * set in its value. */
static size_t scatter(const char *terms, unsigned address_bit, char axis, unsigned value)
{
    size_t address = 0;
    while (*terms) {
        char term_axis = *terms++;
        unsigned bit = (unsigned)strtoul(terms, (char **)&terms, 10);
        if (term_axis == axis && (value >> bit & 1))
            address ^= (size_t)1 << address_bit;
        if (*terms == ' ')
            address_bit++;
        if (*terms)
            terms++;
    }
    return address;
}

static size_t within_block(const struct tiled_plane *plane, char axis, unsigned value)
{
    unsigned size = log2_of(plane->element_bytes);
    return scatter(plane->tile->microtile[size], size, axis, value) ^
           scatter(plane->tile->macro[size], 8, axis, value);
}

/* Where a column and a row begin; an element lies at the sum of the blocks and the exclusive or of
 * what lies within them. */
struct place {
    size_t block, within;
};

static struct place *places_of(const struct tiled_plane *plane, char axis)
{
    const struct tile *tile = plane->tile;
    unsigned count = axis == 'x' ? plane->width : plane->height;
    unsigned shift = axis == 'x' ? block_width_bits(tile, plane->element_bytes)
                                 : block_height_bits(tile, plane->element_bytes);
    size_t blocks_per_row = plane->pitch / tile_pitch_step(tile, plane->element_bytes);
    size_t step = ((size_t)1 << tile->block_bits) * (axis == 'x' ? 1 : blocks_per_row);
    struct place *places = calloc(count ? count : 1, sizeof(*places));

    if (!places)
        fatal("out of memory");
    for (unsigned i = 0; i < count; i++)
        places[i] = (struct place){(i >> shift) * step, within_block(plane, axis, i)};
    return places;
}

/* What makes bytes opaque: its own inverse. */
static void scramble(uint8_t *element, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        element[i] ^= 0xc3;
}

static void copy_tiled(const struct tiled_plane *plane, uint8_t *rows, size_t row_pitch, bool store)
{
    struct place *columns = places_of(plane, 'x'), *lines = places_of(plane, 'y');
    unsigned bytes = plane->element_bytes;

    for (unsigned y = 0; y < plane->height; y++)
        for (unsigned x = 0; x < plane->width; x++) {
            uint8_t *linear = rows + y * row_pitch + (size_t)x * bytes;
            uint8_t *tiled = plane->memory + lines[y].block + columns[x].block +
                             (lines[y].within ^ columns[x].within);
            memcpy(store ? tiled : linear, store ? linear : tiled, bytes);
            if (plane->tile->opaque)
                scramble(store ? tiled : linear, bytes);
        }
    free(columns);
    free(lines);
}

void tile_store(const struct tiled_plane *plane, const uint8_t *rows, size_t row_pitch)
{
    if (plane->tile->block_bits) {
        copy_tiled(plane, (uint8_t *)rows, row_pitch, true);
        return;
    }
    for (unsigned y = 0; y < plane->height; y++)
        memcpy(plane->memory + y * plane->pitch, rows + y * row_pitch,
               (size_t)plane->width * plane->element_bytes);
}

void tile_load(const struct tiled_plane *plane, uint8_t *rows, size_t row_pitch)
{
    if (plane->tile->block_bits) {
        copy_tiled(plane, rows, row_pitch, false);
        return;
    }
    for (unsigned y = 0; y < plane->height; y++)
        memcpy(rows + y * row_pitch, plane->memory + y * plane->pitch,
               (size_t)plane->width * plane->element_bytes);
}
