/* SPDX-License-Identifier: BSD-2-Clause
 *
 * From a DRM format modifier to the places of a plane's elements. What is ambiguous, compressed or
 * not known is refused; nothing is guessed.
 */
#ifndef VMAFX_TILING_TILING_H
#define VMAFX_TILING_TILING_H

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "kernels/tile_layout.h"
#include "tiling/modifier.h"

namespace vmafx::tiling
{

/** Offsets of tiled planes are multiples of it. */
constexpr uint64_t kPlaneAlignment = 256;

/**
 * The layout of a tiled plane. Nothing if it cannot be read, a linear one included; then *reason,
 * unless it is NULL, says why in words, to follow "it cannot be read: ".
 */
std::optional<TileLayout> tiling_of(uint64_t modifier, uint32_t element_bytes,
                                    std::string *reason = nullptr);

/** What can be done about a modifier that cannot be read, a sentence without its full stop. */
const char *advice_for(uint64_t modifier);

/** Bytes of one row of one block; pitches are multiples of it. */
uint64_t block_row_bytes(const TileLayout &layout);

/** Rows rounded up to whole blocks. */
uint64_t padded_rows(const TileLayout &layout, uint64_t rows);

/** Bytes from the plane's start to the element at (x, y). */
uint64_t element_offset(const TileLayout &layout, uint64_t pitch, uint32_t x, uint32_t y);

/** The modifiers that video surfaces of AMD GPUs are known to have and that are read for every
 *  element size, linear first. Many more can be read. */
std::span<const uint64_t> usual_modifiers();

} // namespace vmafx::tiling

#endif
