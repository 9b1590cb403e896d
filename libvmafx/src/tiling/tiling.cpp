/* SPDX-License-Identifier: BSD-2-Clause */
#include "tiling/tiling.h"

#include <bit>

#include "core/failure.h"
#include "tiling/equations.h"

namespace vmafx::tiling
{

namespace
{

constexpr uint64_t kUsual[] = {
    kLinear,
    UINT64_C(0x0200000000000901), /* GFX9, GFX10 64K_S */
    UINT64_C(0x0200000000801b02), /* GFX10 64K_R_X, 16 pipes */
    UINT64_C(0x0200000020801b03), /* GFX10.3 64K_R_X, from large to small GPUs */
    UINT64_C(0x0200000018801b03),
    UINT64_C(0x0200000018601b03),
    UINT64_C(0x0200000010401b03),
    UINT64_C(0x0200000008401b03),
    UINT64_C(0x0200000000401b03),
    UINT64_C(0x0200000000201b03),
    UINT64_C(0x0200000028a01f04), /* GFX11 256K_R_X */
    UINT64_C(0x0200000020801b04), /* GFX11 64K_R_X */
    UINT64_C(0x0200000018601b04),
    UINT64_C(0x0200000010401b04),
    UINT64_C(0x0200000000000a04), /* GFX11 64K_D */
    UINT64_C(0x0200000000000305), /* GFX12 64K_2D */
};

/** Fields that have to be zero, in words; nullptr if they are. */
const char *broken_field(const AmdFields &fields, const AmdTile &tile)
{
    if (fields.reserved)
        return "a reserved field is not zero";
    if (fields.dcc_rest || fields.dcc_max_block)
        return "it has fields of compression without being compressed";
    const bool pipes = tile.mixes_pipes();
    if (fields.pipe_xor_bits && !pipes)
        return "this tile has no pipes";
    if (fields.bank_xor_bits && !(pipes && tile.version == 1))
        return "this tile has no banks";
    if (fields.packer_bits && !(pipes && tile.version >= 3))
        return "this tile has no packers";
    return nullptr;
}

TileLayout layout_of(const Equation &equation, int block_bits, int element_bits)
{
    TileLayout layout{};
    for (int a = 0; a < block_bits; ++a) {
        const Terms terms = equation.bit.at(static_cast<size_t>(a));
        for (int i = 0; i < kTileCoordinateBits; ++i) {
            if (terms & x_bit(i))
                layout.flips_x[i] |= 1u << a;
            if (terms & y_bit(i))
                layout.flips_y[i] |= 1u << a;
        }
    }
    const int elements = block_bits - element_bits;
    layout.block_bits = block_bits;
    layout.width_bits = (elements + 1) / 2;
    layout.height_bits = elements / 2;
    layout.element_bits = element_bits;
    return layout;
}

uint32_t flips(const uint32_t (&of_bit)[kTileCoordinateBits], uint32_t coordinate)
{
    uint32_t sum = 0;
    for (int bit = 0; bit < kTileCoordinateBits; ++bit)
        if (coordinate >> bit & 1)
            sum ^= of_bit[bit];
    return sum;
}

/** The layout, or why there is none. */
std::optional<TileLayout> decode(uint64_t modifier, uint32_t element_bytes, std::string &reason)
{
    const auto refuse = [&reason](std::string why) -> std::optional<TileLayout> {
        reason = std::move(why);
        return std::nullopt;
    };
    if (modifier == kLinear)
        return refuse("it is not tiled");
    if (modifier == kInvalid)
        return refuse("the producer does not say how the bytes are ordered");
    if (!is_amd(modifier))
        return refuse("only tiles of AMD GPUs are known here");
    if (element_bytes != 1 && element_bytes != 2 && element_bytes != 4)
        return refuse(format("elements of %u bytes are not known here", element_bytes));
    const AmdFields fields = amd_fields(modifier);
    if (fields.dcc)
        return refuse("the bytes are compressed");
    const AmdTile *tile = find_tile(fields);
    if (!tile)
        return refuse("this tile is not known here");
    if (const char *why = broken_field(fields, *tile))
        return refuse(why);
    const int element_bits = std::countr_zero(element_bytes);
    /* GFX9, GFX10 and GFX10.3 all call it so, and differ for these elements. */
    if (tile->microtile == Microtile::kD9 && !tile->mixes_pipes() && element_bits == 2)
        return refuse("for elements of 4 bytes it means another order on each generation of GPUs");
    const std::optional<Equation> equation = equation_of(*tile, fields, element_bits);
    if (!equation)
        return refuse("this number of pipes and packers is not known here");
    return layout_of(*equation, tile->block_bits, element_bits);
}

} // namespace

std::optional<TileLayout> tiling_of(uint64_t modifier, uint32_t element_bytes, std::string *reason)
{
    std::string why;
    std::optional<TileLayout> layout = decode(modifier, element_bytes, why);
    if (reason)
        *reason = std::move(why);
    return layout;
}

const char *advice_for(uint64_t modifier)
{
    if (is_amd(modifier))
        return "have the producer make linear surfaces (Mesa: AMD_DEBUG=novideotiling), or copy "
               "them into linear ones with the GPU's video processor";
    if (modifier == kInvalid)
        return "have the producer make surfaces with an explicit modifier, best with linear (0)";
    return "have the producer make linear surfaces";
}

uint64_t block_row_bytes(const TileLayout &layout)
{
    return UINT64_C(1) << (layout.width_bits + layout.element_bits);
}

uint64_t padded_rows(const TileLayout &layout, uint64_t rows)
{
    const uint64_t height = UINT64_C(1) << layout.height_bits;
    return (rows + height - 1) / height * height;
}

uint64_t element_offset(const TileLayout &layout, uint64_t pitch, uint32_t x, uint32_t y)
{
    const uint64_t blocks_per_row = pitch / block_row_bytes(layout);
    const uint64_t block = (y >> layout.height_bits) * blocks_per_row + (x >> layout.width_bits);
    return (block << layout.block_bits) + (flips(layout.flips_x, x) ^ flips(layout.flips_y, y));
}

std::span<const uint64_t> usual_modifiers()
{
    return kUsual;
}

} // namespace vmafx::tiling
