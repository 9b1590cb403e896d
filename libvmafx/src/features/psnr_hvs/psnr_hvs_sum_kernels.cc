/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/psnr_hvs/psnr_hvs_kernels.h"
#include "kernels/rounded_sum.h"

namespace psnr_hvs_sum_kernels
{

constexpr int kBlocks = VX_CPU_TILES ? kPsnrHvsCpuBlocks : kPsnrHvsGpuBlocks;
constexpr int kTerms = kPsnrHvsValues * kBlocks; /* of a tile of blocks */
static_assert(kTerms <= 1 << 12);

struct Tile {
    vx::Sums<2> sums[2]; /* used in turn */
    float sum;
#if !VX_CPU_TILES
    float term[kTerms];
#endif
};

/** Block by block. */
VX_INLINE float added_one_by_one(float sum, const float *terms)
{
    for (int b = 0; b < kBlocks; ++b) {
        for (int k = 0; k < kPsnrHvsValues; ++k)
            sum += terms[k * kBlocks + b];
    }
    return sum;
}

#if VX_CPU_TILES

VX_INLINE float add_in_order(const vx::Group &, Tile &, float sum, const float *terms)
{
    return added_one_by_one(sum, terms);
}

#else

VX_INLINE float add_in_order(const vx::Group &group, Tile &tile, float sum, const float *terms)
{
    VX_FOR (group, i, kTerms) {
        tile.term[i] = terms[i];
    }
    VX_SYNC(group);
    VX_FOR (group, only, 1) {
        tile.sum = added_one_by_one(sum, tile.term);
    }
    VX_SYNC(group);
    return tile.sum;
}

#endif

} // namespace psnr_hvs_sum_kernels

VX_KERNEL(psnr_hvs_sum, PsnrHvsArgs, psnr_hvs_sum_kernels::Tile, kPsnrHvsSumThreads)
{
    using namespace psnr_hvs_sum_kernels;
    const PsnrHvsPlane &plane = args.plane[group.x];
    const int64_t tiles = int64_t{(plane.columns + kBlocks - 1) / kBlocks} * plane.rows;
    float sum = 0;
    for (int64_t t = 0; t < tiles; ++t) {
        const float *const terms = plane.errors + t * kTerms;
        vx::Sums<2> &sums = tile.sums[t % 2];
        const float units = vx::units_of(sum);
        vx::sums_clear(group, sums);
        vx::Run run = {0, 0};
        VX_FOR (group, i, kTerms) {
            vx::count_units(run, terms[i], units);
        }
        vx::sums_add(group, sums, 0, run.units);
        vx::sums_add(group, sums, 1, run.others);
        VX_SYNC(group);
        if (!vx::add_run(sum, units, sums.v[0], sums.v[1]))
            sum = add_in_order(group, tile, sum, terms);
    }
    VX_FOR (group, only, 1) {
        const double wide = static_cast<double>(sum);
        __builtin_memcpy(plane.sum, &wide, sizeof(wide));
    }
}
