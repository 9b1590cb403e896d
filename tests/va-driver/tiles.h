/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Where the elements of a plane lie under a format modifier.
 */
#ifndef VMAFXTEST_TILES_H
#define VMAFXTEST_TILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ELEMENT_SIZES = 3 }; /* 1, 2 and 4 bytes */

struct tile {
    uint64_t modifier;
    unsigned block_bits; /* log2 of a block's bytes; 0: rows of pixels, one after the other */
    bool opaque;         /* nobody but the driver can read these bytes */
    /* For each element size the coordinate bits whose exclusive or each address bit is, from the
     * lowest address bit outside the element on. */
    const char *microtile[ELEMENT_SIZES];
    const char *macro[ELEMENT_SIZES];
};

/* NULL: the driver has no surfaces of this modifier. */
const struct tile *tile_find(uint64_t modifier);

/* Bytes across and rows down that a plane's pitch and height are rounded up to. */
size_t tile_pitch_step(const struct tile *tile, unsigned element_bytes);
size_t tile_row_step(const struct tile *tile, unsigned element_bytes);

/* A plane of a surface: elements, and their place in memory. */
struct tiled_plane {
    const struct tile *tile;
    uint8_t *memory;
    size_t pitch; /* in bytes */
    unsigned width, height;
    unsigned element_bytes;
};

/* Both copy the upper left width * height elements of a plane. */
void tile_store(const struct tiled_plane *plane, const uint8_t *rows, size_t row_pitch);
void tile_load(const struct tiled_plane *plane, uint8_t *rows, size_t row_pitch);

#endif
