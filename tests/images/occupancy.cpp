/* SPDX-License-Identifier: BSD-2-Clause */
#include "images/occupancy.h"

#include <algorithm>
#include <stdexcept>

namespace vmafx_test
{

namespace
{

constexpr uint32_t kSgprGranule = 16;
constexpr uint32_t kTileGranule = 512; /* bytes */

uint32_t rounded_up(uint32_t value, uint32_t granule)
{
    return (value + granule - 1) / granule * granule;
}

bool is_one_of(std::string_view target, std::initializer_list<std::string_view> list)
{
    return std::find(list.begin(), list.end(), target) != list.end();
}

} // namespace

RegisterFiles register_files(std::string_view target)
{
    /* GFX9: compute units of four SIMDs. Those with matrix units have twice the registers. */
    if (is_one_of(target, {"gfx90a", "gfx942"}))
        return {512, 8, 8, 800, 4, 65536, 16};
    if (target.starts_with("gfx9"))
        return {256, 4, 10, 800, 4, 65536, 16};
    /* Work-group processors of four SIMDs. */
    if (target.starts_with("gfx10-1") || target.starts_with("gfx101"))
        return {1024, 8, 20, 0, 4, 131072, 32};
    /* The larger chips of RDNA3 and all of RDNA4 have half as many registers more. */
    if (is_one_of(target, {"gfx1100", "gfx1101", "gfx1151"}) || target.starts_with("gfx12"))
        return {1536, 24, 16, 0, 4, 131072, 32};
    if (target.starts_with("gfx10") || target.starts_with("gfx11"))
        return {1024, 16, 16, 0, 4, 131072, 32};
    throw std::runtime_error("unknown register files of " + std::string(target));
}

double waves_per_simd(const GpuKernel &kernel, const RegisterFiles &files)
{
    const uint32_t vgprs = rounded_up(std::max(kernel.vgprs, 1u), files.granule);
    uint32_t waves = std::min(files.waves, files.vgprs / vgprs);
    if (files.sgprs != 0)
        waves = std::min(waves, files.sgprs / rounded_up(kernel.sgprs, kSgprGranule));

    const uint32_t of_group = (kernel.threads + kernel.wave - 1) / kernel.wave;
    uint32_t groups = waves * files.simds / of_group;
    if (of_group > 1)
        groups = std::min(groups, files.work_groups);
    if (kernel.tile != 0) {
        const auto tile = rounded_up(static_cast<uint32_t>(kernel.tile), kTileGranule);
        groups = std::min(groups, files.tile_bytes / tile);
    }
    return static_cast<double>(groups * of_group) / files.simds;
}

} // namespace vmafx_test
