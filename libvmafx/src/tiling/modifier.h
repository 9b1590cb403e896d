/* SPDX-License-Identifier: BSD-2-Clause
 *
 * DRM format modifiers: their fields, their tiles, and how to say them in words.
 */
#ifndef VMAFX_TILING_MODIFIER_H
#define VMAFX_TILING_MODIFIER_H

#include <cstdint>
#include <string>

namespace vmafx::tiling
{

constexpr uint64_t kLinear = 0;
constexpr uint64_t kInvalid = UINT64_C(0x00ffffffffffffff); /* DRM_FORMAT_MOD_INVALID */

/** The fields of an AMD modifier; log2 where the name says bits. */
struct AmdFields {
    uint32_t version;
    uint32_t tile;
    bool dcc;
    uint32_t dcc_max_block; /* 0, 1, 2: 64, 128, 256 bytes */
    uint32_t dcc_rest;      /* the other fields that need DCC, not 0 if one of them is set */
    uint32_t pipe_xor_bits;
    uint32_t bank_xor_bits;
    uint32_t packer_bits;
    uint32_t reserved;
};

enum class Microtile : uint8_t { kS, kD9, kD10, kD103, kR10, kR103, kD11 };

/** How the microtiles of a block are ordered. */
enum class Macro : uint8_t {
    kPlain,     /* x and y bits in turn */
    kReflected, /* the same, pipe and bank bits mixed with mirrored ones */
    kTable,     /* a row of a table for each number of pipes and packers */
};

/** One kind of tile. */
struct AmdTile {
    uint8_t version;
    uint8_t code;
    uint8_t block_bits; /* log2 of a block's bytes */
    Microtile microtile;
    Macro macro;
    const char *name;

    /** Addresses depend on the chip's pipes and banks. */
    bool mixes_pipes() const { return macro != Macro::kPlain; }
};

bool is_amd(uint64_t modifier);
AmdFields amd_fields(uint64_t modifier);

/** nullptr for a tile that no version lists. */
const AmdTile *find_tile(const AmdFields &fields);

/** "AMD GFX11 64K_R_X, 4 pipes, 4 packers", "linear", "NVIDIA 0x…". Never empty. */
std::string describe_modifier(uint64_t modifier);

} // namespace vmafx::tiling

#endif
