/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/vif/vif_log_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <libvmafx/status.h>

#include "core/failure.h"
#include "features/vif/vif_kernels.h"

namespace vmafx
{

namespace
{

constexpr int kFractionBits = 20;
constexpr uint32_t kEntries = kVifLogLines * kVifLogRun;

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

/** The offset with which a line of this slope goes through all values, if there is one. */
std::optional<int64_t> offset_for(const std::array<int64_t, kVifLogRun> &values, int64_t slope)
{
    int64_t low = INT64_MIN, high = INT64_MAX;
    for (int i = 0; i < kVifLogRun; ++i) {
        const int64_t start = values[static_cast<size_t>(i)] * (1 << kVifLogShift) - slope * i;
        low = std::max(low, start);
        high = std::min(high, start + (1 << kVifLogShift) - 1);
    }
    const int64_t offset =
        high >= 0 ? high / kVifLogUnit : -((-high + kVifLogUnit - 1) / kVifLogUnit);
    if (offset * kVifLogUnit < low)
        return std::nullopt;
    return offset;
}

uint32_t line_through(const std::array<int64_t, kVifLogRun> &values, int64_t middle)
{
    /* The curve's own slope, then steeper and flatter ones in turn. */
    const auto own =
        static_cast<int64_t>(2048.0 * M_LOG2E / static_cast<double>(middle) * (1 << kVifLogShift));
    for (int64_t change = 0; change < own; ++change) {
        for (const int64_t slope : {own + change, own - change}) {
            if (const auto offset = offset_for(values, slope))
                return static_cast<uint16_t>(*offset) | static_cast<uint32_t>(slope) << 16;
        }
    }
    fail(VMAFX_E_INTERNAL, "vif", "the logarithms near %ld are on no line",
         static_cast<long>(middle));
}

} // namespace

std::vector<uint16_t> vif_log_table()
{
    std::vector<uint16_t> table(kEntries);
    for (uint32_t i = 0; i < kEntries; ++i)
        table[i] = static_cast<uint16_t>((log2_of(kEntries + i) + 256) >> 9);
    return table;
}

std::vector<uint32_t> vif_log_lines()
{
    const std::vector<uint16_t> table = vif_log_table();
    std::vector<uint32_t> lines(kVifLogLines);
    for (uint32_t k = 0; k < kVifLogLines; ++k) {
        std::array<int64_t, kVifLogRun> values;
        for (uint32_t i = 0; i < kVifLogRun; ++i)
            values[i] = int64_t{table[k * kVifLogRun + i]} - int64_t{2048} * 15 - k;
        lines[k] = line_through(values, kEntries + k * kVifLogRun + kVifLogRun / 2);
    }
    return lines;
}

} // namespace vmafx
