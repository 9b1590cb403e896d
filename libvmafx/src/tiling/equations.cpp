/* SPDX-License-Identifier: BSD-2-Clause */
#include "tiling/equations.h"

#include <algorithm>

namespace vmafx::tiling
{

namespace
{

constexpr uint32_t kV2 = 1 << 2, kV3 = 1 << 3, kV4 = 1 << 4; /* sets of versions */

/* Bits 0 to 7, in the order of Microtile, for elements of 1, 2 and 4 bytes. */
constexpr TermList kMicrotiles[][kElementSizes] = {
    /* S */
    {{"x0 x1 x2 x3 y0 y1 y2 y3"}, {"- x0 x1 x2 y0 y1 y2 x3"}, {"- - x0 x1 y0 y1 y2 x2"}},
    /* D9 */
    {{"x0 x1 x2 y1 y0 y2 x3 y3"}, {"- x0 x1 x2 y0 y1 y2 x3"}, {"- - x0 x1 y0 x2 y1 y2"}},
    /* D10 */
    {{"x0 x1 x2 y1 y0 y2 x3 y3"}, {"- x0 x1 x2 y0 y1 y2 x3"}, {"- - x0 x1 y0 y1 y2 x2"}},
    /* D103 */
    {{"x0 x1 x2 y1 y0 y2 x3 y3"}, {"- x0 x1 x2 y0 y1 y2 x3"}, {"- - x0 x1 y0 y1 x2 y2"}},
    /* R10 */
    {{"x0 x1 x2 y1 y0 y2 x3 y4"}, {"- x0 x1 x2 y0 y1 y2 x3"}, {"- - x0 x1 y0 y1 y2 x2"}},
    /* R103 */
    {{"x0 x1 x2 x3 y0 y1 y2 y3"}, {"- x0 x1 x2 y0 y1 y2 x3"}, {"- - x0 x1 y0 y1 x2 y2"}},
    /* D11 */
    {{"x0 x1 y0 x2 y1 y2 x3 y3"}, {"- x0 y0 x1 y1 x2 y2 x3"}, {"- - x0 y0 x1 y1 x2 y2"}},
};

/** Bits 8 and up of a tile whose macro order is a table. */
struct MacroRow {
    uint32_t versions; /* a set */
    uint32_t pipe_xor_bits;
    uint32_t packers; /* a set of log2 */
    int element_bits;
    TermList high;
};

constexpr MacroRow k64KRows[] = {
    {kV2, 3, 1 << 0, 0, {"x3^y3 x4^y4 x5^y5 x5 y6 x6 y7 x7"}},
    {kV2, 3, 1 << 0, 1, {"x3^y3 x4^y4 x5^y5 x4 y5 x6 y6 x7"}},
    {kV2, 3, 1 << 0, 2, {"x3^y3 x4^y4 x5^y5 x3 y4 x5 y6 x6"}},
    {kV2, 4, 1 << 0, 0, {"x3^y3 x4^y4 x6^y5 x5^y6 y6 x6 y7 x7"}},
    {kV2, 4, 1 << 0, 1, {"x3^y3 x4^y4 x6^y5 x5^y6 y4 x6 y6 x7"}},
    {kV2, 4, 1 << 0, 2, {"x3^y3 x4^y4 x6^y5 x5^y6 y3 x4 y6 x6"}},
    {kV3, 1, 1 << 0, 0, {"x4^y4 y4 x5 x10^y5 x6^y9 x9^y6 x7^y8 x8^y7"}},
    {kV3, 1, 1 << 0, 1, {"x4^y4 y3 y4 x5^y9 x6^y8 x9^y5 x7^y7 x8^y6"}},
    {kV3, 1, 1 << 0, 2, {"x4^y4 x3 y3 x9^y4 x5^y8 x8^y5 x6^y7 x7^y6"}},
    {kV4, 1, 1 << 0, 0, {"x4^y4 y4 x5 x9^y5 x6^y8 x8^y6 x7^y7 y7"}},
    {kV4, 1, 1 << 0, 1, {"x4^y4 y3 y4 x5^y8 x6^y7 x8^y5 x7^y6 y6"}},
    {kV4, 1, 1 << 0, 2, {"x4^y4 x3 y3 x8^y4 x5^y7 x7^y5 x6^y6 y6"}},
    {kV3 | kV4, 2, 1 << 0 | 1 << 1, 0, {"x5^y4^y5 x4^y4 x5 y5 x6^y9 x9^y6 x7^y8 x8^y7"}},
    {kV3 | kV4, 2, 1 << 0 | 1 << 1, 1, {"x5^y4^y5 x4^y4 y3 x5 x6^y8 x9^y5 x7^y7 x8^y6"}},
    {kV3 | kV4, 2, 1 << 0 | 1 << 1, 2, {"x5^y4^y5 x4^y4 x3 y3 x5^y8 x8^y5 x6^y7 x7^y6"}},
    {kV3 | kV4, 2, 1 << 2, 0, {"x6^y4^y6 x4^y4 x5 x6 x9^y6 x7^y8 x8^y7 x5^y5"}},
    {kV3 | kV4, 2, 1 << 2, 1, {"x6^y4^y6 x4^y4 y3 x5 x6^y8 x8^y6 x7^y7 x5^y5"}},
    {kV3 | kV4, 2, 1 << 2, 2, {"x6^y4^y6 x4^y4 x3 y3 x5^y8 x6^y7 x7^y6 x5^y5"}},
    {kV3 | kV4, 3, 1 << 2, 0, {"x6^y4^y6 x4^y4 x5^y5 x5 x6 x9^y6 x7^y8 x8^y7"}},
    {kV3 | kV4, 3, 1 << 2, 1, {"x6^y4^y6 x4^y4 x5^y5 y3 x5 x6^y8 x8^y6 x7^y7"}},
    {kV3 | kV4, 3, 1 << 2, 2, {"x6^y4^y6 x4^y4 x5^y5 x3 y3 x5^y8 x6^y7 x7^y6"}},
    {kV3 | kV4, 3, 1 << 3, 0, {"x7^y4^y7 x4^y4 x6^y5 x6 y6 x7^y8 x8^y7 x5^y6"}},
    {kV3 | kV4, 3, 1 << 3, 1, {"x7^y4^y7 x4^y4 x6^y5 y3 x6 x7^y7 x8^y6 x5^y6"}},
    {kV3 | kV4, 3, 1 << 3, 2, {"x7^y4^y7 x4^y4 x6^y5 x3 y3 x6^y7 x7^y6 x5^y6"}},
    {kV3 | kV4, 4, 1 << 3, 0, {"x7^y4^y7 x4^y4 x6^y5 x5^y6 x6 y6 x7^y8 x8^y7"}},
    {kV3 | kV4, 4, 1 << 3, 1, {"x7^y4^y7 x4^y4 x6^y5 x5^y6 y3 x6 x7^y7 x8^y6"}},
    {kV3 | kV4, 4, 1 << 3, 2, {"x7^y4^y7 x4^y4 x6^y5 x5^y6 x3 y3 x6^y7 x7^y6"}},
    {kV3 | kV4, 4, 1 << 4, 0, {"x8^y4^y8 x4^y4 x7^y5 x5^y7 x6 x7 x8^y7 x6^y6"}},
    {kV3 | kV4, 4, 1 << 4, 1, {"x8^y4^y8 x4^y4 x7^y5 x5^y7 y3 x6 x7^y7 x6^y6"}},
    {kV3 | kV4, 4, 1 << 4, 2, {"x8^y4^y8 x4^y4 x7^y5 x5^y7 x3 y3 x6^y7 x6^y6"}},
    {kV4, 5, 1 << 4, 0, {"x8^y4^y8 x4^y4 x7^y5 x5^y7 x6^y6 x6 x7 x8^y7"}},
    {kV4, 5, 1 << 4, 1, {"x8^y4^y8 x4^y4 x7^y5 x5^y7 x6^y6 y3 x6 x7^y7"}},
    {kV4, 5, 1 << 4, 2, {"x8^y4^y8 x4^y4 x7^y5 x5^y7 x6^y6 x3 y3 x6^y7"}},
    {kV4, 5, 1 << 5, 0, {"x9^y4^y9 x4^y4 x8^y5 x5^y8 x7^y6 x7 y7 x6^y7"}},
    {kV4, 5, 1 << 5, 1, {"x9^y4^y9 x4^y4 x8^y5 x5^y8 x7^y6 y3 x7 x6^y7"}},
    {kV4, 5, 1 << 5, 2, {"x9^y4^y9 x4^y4 x8^y5 x5^y8 x7^y6 x3 y3 x6^y7"}},
};

constexpr MacroRow k256KRows[] = {
    {kV4, 2, 1 << 2, 0, {"x6^y4^y6 x4^y4 x5 x6 x10^y6 x7^y9 x9^y7 x8^y8 y8 x5^y5"}},
    {kV4, 2, 1 << 2, 1, {"x6^y4^y6 x4^y4 y3 x5 x6^y9 x9^y6 x7^y8 x8^y7 x8 x5^y5"}},
    {kV4, 2, 1 << 2, 2, {"x6^y4^y6 x4^y4 x3 y3 x5^y9 x6^y8 x8^y6 x7^y7 y7 x5^y5"}},
    {kV4, 3, 1 << 2, 0, {"x6^y4^y6 x4^y4 x5^y5 x5 x6 x10^y6 x7^y9 x9^y7 x8^y8 y8"}},
    {kV4, 3, 1 << 2, 1, {"x6^y4^y6 x4^y4 x5^y5 y3 x5 x6^y9 x9^y6 x7^y8 x8^y7 x8"}},
    {kV4, 3, 1 << 2, 2, {"x6^y4^y6 x4^y4 x5^y5 x3 y3 x5^y9 x6^y8 x8^y6 x7^y7 y7"}},
    {kV4, 3, 1 << 3, 0, {"x7^y4^y7 x4^y4 x6^y5 x6 y6 x7^y10 x10^y7 x8^y9 x9^y8 x5^y6"}},
    {kV4, 3, 1 << 3, 1, {"x7^y4^y7 x4^y4 x6^y5 y3 x6 x7^y9 x10^y6 x8^y8 x9^y7 x5^y6"}},
    {kV4, 3, 1 << 3, 2, {"x7^y4^y7 x4^y4 x6^y5 x3 y3 x6^y9 x9^y6 x7^y8 x8^y7 x5^y6"}},
    {kV4, 4, 1 << 3, 0, {"x7^y4^y7 x4^y4 x6^y5 x5^y6 x6 y6 x7^y10 x10^y7 x8^y9 x9^y8"}},
    {kV4, 4, 1 << 3, 1, {"x7^y4^y7 x4^y4 x6^y5 x5^y6 y3 x6 x7^y9 x10^y6 x8^y8 x9^y7"}},
    {kV4, 4, 1 << 3, 2, {"x7^y4^y7 x4^y4 x6^y5 x5^y6 x3 y3 x6^y9 x9^y6 x7^y8 x8^y7"}},
    {kV4, 4, 1 << 4, 0, {"x8^y4^y8 x4^y4 x7^y5 x5^y7 x6 x7 x10^y7 x8^y9 x9^y8 x6^y6"}},
    {kV4, 4, 1 << 4, 1, {"x8^y4^y8 x4^y4 x7^y5 x5^y7 y3 x6 x7^y9 x9^y7 x8^y8 x6^y6"}},
    {kV4, 4, 1 << 4, 2, {"x8^y4^y8 x4^y4 x7^y5 x5^y7 x3 y3 x6^y9 x7^y8 x8^y7 x6^y6"}},
    {kV4, 5, 1 << 4, 0, {"x8^y4^y8 x4^y4 x7^y5 x5^y7 x6^y6 x6 x7 x10^y7 x8^y9 x9^y8"}},
    {kV4, 5, 1 << 4, 1, {"x8^y4^y8 x4^y4 x7^y5 x5^y7 x6^y6 y3 x6 x7^y9 x9^y7 x8^y8"}},
    {kV4, 5, 1 << 4, 2, {"x8^y4^y8 x4^y4 x7^y5 x5^y7 x6^y6 x3 y3 x6^y9 x7^y8 x8^y7"}},
    {kV4, 5, 1 << 5, 0, {"x9^y4^y9 x4^y4 x8^y5 x5^y8 x7^y6 x7 y7 x8^y9 x9^y8 x6^y7"}},
    {kV4, 5, 1 << 5, 1, {"x9^y4^y9 x4^y4 x8^y5 x5^y8 x7^y6 y3 x7 x8^y8 x9^y7 x6^y7"}},
    {kV4, 5, 1 << 5, 2, {"x9^y4^y9 x4^y4 x8^y5 x5^y8 x7^y6 x3 y3 x7^y8 x8^y7 x6^y7"}},
};

/** Bit `address` of the plain macro order: y and x bits in turn, from a microtile's size upwards.
 */
Terms plain_bit(int address, int element_bits)
{
    const int x0 = element_bits == 2 ? 3 : 4;
    const int y0 = element_bits == 0 ? 4 : 3;
    const int pair = (address - kMicrotileBits) / 2;
    return address % 2 == 0 ? y_bit(y0 + pair) : x_bit(x0 + pair);
}

/** Mixes each of the lower half of 2 * count bits from `first` on with its mirror image. */
void reflect(Equation &equation, int first, int count, int element_bits)
{
    auto *bit = equation.bit.begin() + first;
    for (int i = 0; i < count; ++i)
        *bit++ ^= plain_bit(first + 2 * count - 1 - i, element_bits);
}

void add_reflections(Equation &equation, const AmdTile &tile, const AmdFields &fields,
                     int element_bits)
{
    const int room = tile.block_bits - kMicrotileBits;
    const int pipes = std::min(static_cast<int>(fields.pipe_xor_bits), room);
    const int banks = std::min(static_cast<int>(fields.bank_xor_bits), room - pipes);
    reflect(equation, kMicrotileBits, pipes, element_bits);
    reflect(equation, kMicrotileBits + pipes, banks, element_bits);
}

const MacroRow *find_row(const AmdTile &tile, const AmdFields &fields, int element_bits)
{
    const auto serves = [&](const MacroRow &row) {
        return (row.versions >> tile.version & 1) && row.pipe_xor_bits == fields.pipe_xor_bits &&
               (row.packers >> fields.packer_bits & 1) && row.element_bits == element_bits;
    };
    const auto search = [&](const auto &rows) {
        const auto *found = std::find_if(std::begin(rows), std::end(rows), serves);
        return found == std::end(rows) ? nullptr : found;
    };
    return tile.block_bits == 18 ? search(k256KRows) : search(k64KRows);
}

} // namespace

std::optional<Equation> equation_of(const AmdTile &tile, const AmdFields &fields, int element_bits)
{
    Equation equation;
    const TermList &low =
        kMicrotiles[static_cast<size_t>(tile.microtile)][static_cast<size_t>(element_bits)];
    std::copy_n(low.terms.begin(), kMicrotileBits, equation.bit.begin());
    if (tile.macro == Macro::kTable) {
        const MacroRow *row = find_row(tile, fields, element_bits);
        if (!row)
            return std::nullopt;
        std::copy_n(row->high.terms.begin(), row->high.count,
                    equation.bit.begin() + kMicrotileBits);
        return equation;
    }
    for (int a = kMicrotileBits; a < tile.block_bits; ++a)
        equation.bit.at(static_cast<size_t>(a)) = plain_bit(a, element_bits);
    if (tile.macro == Macro::kReflected)
        add_reflections(equation, tile, fields, element_bits);
    return equation;
}

} // namespace vmafx::tiling
