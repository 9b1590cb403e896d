/* SPDX-License-Identifier: BSD-2-Clause */
#include "tiling/modifier.h"

#include <cinttypes>

#include "core/failure.h"

namespace vmafx::tiling
{

namespace
{

using enum Microtile;
using enum Macro;

/* Versions 1 to 5: GFX9, GFX10, GFX10.3, GFX11, GFX12. */
constexpr AmdTile kTiles[] = {
    {1, 9, 16, kS, kPlain, "64K_S"},         {1, 10, 16, kD9, kPlain, "64K_D"},
    {1, 22, 12, kD9, kReflected, "4K_D_X"},  {1, 25, 16, kS, kReflected, "64K_S_X"},
    {1, 26, 16, kD9, kReflected, "64K_D_X"}, {2, 22, 12, kD10, kReflected, "4K_D_X"},
    {2, 27, 16, kR10, kTable, "64K_R_X"},    {3, 22, 12, kD103, kReflected, "4K_D_X"},
    {3, 27, 16, kR103, kTable, "64K_R_X"},   {4, 10, 16, kD11, kPlain, "64K_D"},
    {4, 22, 12, kD11, kReflected, "4K_D_X"}, {4, 26, 16, kD11, kReflected, "64K_D_X"},
    {4, 27, 16, kD11, kTable, "64K_R_X"},    {4, 31, 18, kD11, kTable, "256K_R_X"},
    {5, 1, 8, kD11, kPlain, "256B_2D"},      {5, 2, 12, kD11, kPlain, "4K_2D"},
    {5, 3, 16, kD11, kPlain, "64K_2D"},      {5, 4, 18, kD11, kPlain, "256K_2D"},
};

/* By the modifier's highest byte. */
constexpr const char *kVendors[] = {"no vendor", "Intel",    "AMD",      "NVIDIA", "Samsung",
                                    "Qualcomm",  "Vivante",  "Broadcom", "Arm",    "Allwinner",
                                    "Amlogic",   "MediaTek", "Apple"};
constexpr uint32_t kAmd = 2;

constexpr const char *kVersions[] = {"GFX8 or older", "GFX9", "GFX10", "GFX10.3", "GFX11", "GFX12"};

uint32_t vendor_of(uint64_t modifier)
{
    return static_cast<uint32_t>(modifier >> 56);
}

uint32_t bits(uint64_t modifier, uint32_t first, uint32_t last)
{
    return static_cast<uint32_t>(modifier >> first & ((UINT64_C(1) << (last - first + 1)) - 1));
}

std::string describe_amd(uint64_t modifier)
{
    const AmdFields fields = amd_fields(modifier);
    std::string text = "AMD ";
    text += fields.version < std::size(kVersions) ? kVersions[fields.version]
                                                  : format("version %u", fields.version);
    const AmdTile *tile = find_tile(fields);
    text += tile ? format(" %s", tile->name) : format(" tile %u", fields.tile);
    if (tile && tile->mixes_pipes()) {
        text += format(", %u pipes", 1u << fields.pipe_xor_bits);
        if (tile->version == 1)
            text += format(", %u banks", 1u << fields.bank_xor_bits);
        if (tile->version >= 3)
            text += format(", %u packers", 1u << fields.packer_bits);
    }
    if (fields.dcc)
        text += format(", compressed (DCC, blocks of up to %u bytes)", 64u << fields.dcc_max_block);
    return text;
}

} // namespace

bool is_amd(uint64_t modifier)
{
    return vendor_of(modifier) == kAmd;
}

AmdFields amd_fields(uint64_t modifier)
{
    AmdFields fields{};
    fields.version = bits(modifier, 0, 7);
    fields.tile = bits(modifier, 8, 12);
    fields.dcc = bits(modifier, 13, 13) != 0;
    fields.dcc_max_block = bits(modifier, 18, 19);
    fields.dcc_rest = bits(modifier, 14, 17) | bits(modifier, 20, 20) | bits(modifier, 30, 35);
    fields.pipe_xor_bits = bits(modifier, 21, 23);
    fields.bank_xor_bits = bits(modifier, 24, 26);
    fields.packer_bits = bits(modifier, 27, 29);
    fields.reserved = bits(modifier, 36, 55);
    return fields;
}

const AmdTile *find_tile(const AmdFields &fields)
{
    for (const AmdTile &tile : kTiles)
        if (tile.version == fields.version && tile.code == fields.tile)
            return &tile;
    return nullptr;
}

std::string describe_modifier(uint64_t modifier)
{
    if (modifier == kLinear)
        return "linear";
    if (modifier == kInvalid)
        return "INVALID: an order that only the producer's driver knows";
    if (is_amd(modifier))
        return describe_amd(modifier);
    const uint32_t vendor = vendor_of(modifier);
    const uint64_t rest = modifier & kInvalid;
    if (vendor < std::size(kVendors))
        return format("%s layout 0x%" PRIx64, kVendors[vendor], rest);
    return format("layout 0x%" PRIx64 " of unknown vendor 0x%02x", rest, vendor);
}

} // namespace vmafx::tiling
