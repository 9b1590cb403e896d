/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The tables of AMD's layouts.
 */
#ifndef VMAFX_TILING_EQUATIONS_H
#define VMAFX_TILING_EQUATIONS_H

#include <cstdint>
#include <optional>

#include "tiling/modifier.h"
#include "tiling/terms.h"

namespace vmafx::tiling
{

constexpr int kMicrotileBits = 8; /* log2 of a microtile's bytes */
constexpr int kMaxBlockBits = 18; /* log2 of the largest block's bytes */
constexpr int kElementSizes = 3;  /* 1, 2 and 4 bytes */

/** An address in a block, bit by bit. */
struct Equation {
    std::array<Terms, kMaxBlockBits> bit{};
};

/** The address within a block of such a tile, for elements of 1 << element_bits bytes. Nothing if
 *  no table has the tile's number of pipes and packers. */
std::optional<Equation> equation_of(const AmdTile &tile, const AmdFields &fields, int element_bits);

} // namespace vmafx::tiling

#endif
