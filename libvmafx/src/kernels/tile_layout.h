/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The order of the bytes of a tiled plane, as host and kernels read it.
 *
 * A plane is cut into blocks, which lie in memory row by row. Within its block an element lies at
 * the exclusive or of flips_x[i] over the bits i that are set in x, and of flips_y[i] over those
 * set in y. x and y are coordinates in the plane, not in the block: bits above the block's size
 * count.
 */
#ifndef VMAFX_KERNELS_TILE_LAYOUT_H
#define VMAFX_KERNELS_TILE_LAYOUT_H

#include <stdint.h>

constexpr int kTileCoordinateBits = 12; /* no layout reads a bit of x or y above them */

struct TileLayout {
    uint32_t flips_x[kTileCoordinateBits];
    uint32_t flips_y[kTileCoordinateBits];
    int32_t block_bits;   /* log2 of a block's bytes */
    int32_t width_bits;   /* log2 of a block's width in elements */
    int32_t height_bits;  /* log2 of a block's height in rows */
    int32_t element_bits; /* log2 of an element's bytes: 0, 1, 2 */
};

#endif
