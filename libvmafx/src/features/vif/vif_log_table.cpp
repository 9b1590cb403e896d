/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/vif/vif_log_table.h"

#include "features/vif/vif_kernels.h"

namespace vmafx
{

namespace
{

constexpr int kFractionBits = 20;

/** log2(i) with 20 fraction bits, to nearest, for i of 16 bits whose highest bit is set. */
uint32_t log2_of(uint32_t i)
{
    /* Bit by bit: squaring a number doubles its logarithm. 62 fraction bits are kept, far more than
     * the distance of any entry from a tie needs; the first bit beyond the last one rounds. */
    constexpr int kPoint = 62;
    unsigned __int128 value = static_cast<unsigned __int128>(i)
                              << (kPoint - 15); /* 1 <= value < 2 */
    uint32_t fraction = 0;
    for (int bit = 0; bit <= kFractionBits; ++bit) {
        value = value * value >> kPoint;
        const bool set = value >> (kPoint + 1) != 0;
        fraction = fraction << 1 | (set ? 1 : 0);
        value >>= set ? 1 : 0;
    }
    return (15u << kFractionBits) + (fraction + 1) / 2;
}

} // namespace

std::vector<uint16_t> vif_log_table()
{
    std::vector<uint16_t> table(kVifLogEntries + kVifLogPadding);
    for (uint32_t i = 0; i < kVifLogEntries; ++i)
        table[i] = static_cast<uint16_t>((log2_of(kVifLogEntries + i) + 256) >> 9);
    return table;
}

} // namespace vmafx
