/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tiles_check MODIFIER WIDTH HEIGHT ELEMENT_BYTES PITCH LINEAR TILED
 *
 * Whether storing the elements of the file LINEAR gives the bytes of the file TILED, where no
 * element fills a byte 0xee, and whether loading them gives LINEAR again.
 */
#include "tiles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fatal.h"

static uint8_t *read_all(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = NULL;
    if (!file || fseek(file, 0, SEEK_END) != 0)
        fatal("%s cannot be read", path);
    *size = (size_t)ftell(file);
    rewind(file);
    bytes = malloc(*size);
    if (!bytes || fread(bytes, 1, *size, file) != *size)
        fatal("%s cannot be read", path);
    fclose(file);
    return bytes;
}

int main(int argc, char **argv)
{
    if (argc != 8)
        fatal("usage: tiles_check MODIFIER WIDTH HEIGHT ELEMENT_BYTES PITCH LINEAR TILED");
    size_t linear_size, tiled_size;
    uint8_t *linear = read_all(argv[6], &linear_size), *golden = read_all(argv[7], &tiled_size);
    uint8_t *tiled = malloc(tiled_size), *loaded = calloc(1, linear_size);
    struct tiled_plane plane = {
        .tile = tile_find(strtoull(argv[1], NULL, 0)),
        .memory = tiled,
        .width = (unsigned)atoi(argv[2]),
        .height = (unsigned)atoi(argv[3]),
        .element_bytes = (unsigned)atoi(argv[4]),
        .pitch = (size_t)atol(argv[5]),
    };
    size_t row = (size_t)plane.width * plane.element_bytes;
    if (!plane.tile || !tiled || !loaded || row * plane.height != linear_size)
        fatal("no such plane");
    if (plane.pitch % tile_pitch_step(plane.tile, plane.element_bytes))
        fatal("the pitch is no multiple of a block's");
    memset(tiled, 0xee, tiled_size);
    tile_store(&plane, linear, row);
    if (memcmp(tiled, golden, tiled_size) != 0)
        fatal("storing gives other bytes");
    tile_load(&plane, loaded, row);
    if (memcmp(loaded, linear, linear_size) != 0)
        fatal("loading gives other elements");
    free(linear);
    free(golden);
    free(tiled);
    free(loaded);
    return 0;
}
