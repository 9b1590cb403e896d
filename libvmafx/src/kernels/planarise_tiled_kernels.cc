/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernels/planarise_tiled_kernels.h"

#include "kernels/kernel.h"

namespace planarise_tiled_kernels
{

constexpr PlanariseTiledShape kShape =
    VX_CPU_TILES ? kPlanariseTiledCpuShape : kPlanariseTiledGpuShape;

/* Where a unit of the tile lies in memory: bases are added up, flips are xored. */
struct Tile {
    uint64_t column_base[kShape.units];
    uint64_t row_base[kShape.rows];
    uint32_t column_flips[kShape.units];
    uint32_t row_flips[kShape.rows];
};

typedef uint16_t __attribute__((may_alias)) Word16;
typedef uint32_t __attribute__((may_alias)) Word32;

using vx::smaller;

VX_INLINE uint32_t flips(const uint32_t (&of_bit)[kTileCoordinateBits], int coordinate)
{
    uint32_t sum = 0;
    VX_UNROLL
    for (int bit = 0; bit < kTileCoordinateBits; ++bit)
        sum ^= of_bit[bit] & (0u - (static_cast<uint32_t>(coordinate) >> bit & 1u));
    return sum;
}

/* A row that is read, and the rows that are written. */
struct Row {
    const char *source;
    uint32_t flips;
    char *first, *second;
};

VX_INLINE Row row_at(const PlanariseTiledArgs &args, const Tile &tile, int v, int y)
{
    const auto row = static_cast<uint64_t>(y);
    return {static_cast<const char *>(args.source) + tile.row_base[v], tile.row_flips[v],
            static_cast<char *>(args.first) + row * args.first_pitch,
            static_cast<char *>(args.second) + row * args.second_pitch};
}

VX_INLINE uint32_t unit_at(const Row &row, const Tile &tile, int u)
{
    const uint64_t at = tile.column_base[u] + (row.flips ^ tile.column_flips[u]);
    return *reinterpret_cast<const Word32 *>(row.source + at);
}

/* What becomes of unit number n of a row. */
struct Copy8 {
    static constexpr int kElements = 4;
    VX_INLINE void put(const Row &row, int n, uint32_t unit, int)
    {
        reinterpret_cast<Word32 *>(row.first)[n] = unit;
    }
};

struct Copy16 {
    static constexpr int kElements = 2;
    VX_INLINE void put(const Row &row, int n, uint32_t unit, int shift)
    {
        const uint32_t low = (unit & 0xffffu) >> shift, high = unit >> 16 >> shift;
        reinterpret_cast<Word32 *>(row.first)[n] = low | high << 16;
    }
};

struct Split8 {
    static constexpr int kElements = 2;
    VX_INLINE void put(const Row &row, int n, uint32_t unit, int)
    {
        const uint32_t even = (unit & 0xffu) | (unit >> 8 & 0xff00u);
        const uint32_t odd = (unit >> 8 & 0xffu) | (unit >> 16 & 0xff00u);
        reinterpret_cast<Word16 *>(row.first)[n] = static_cast<uint16_t>(even);
        reinterpret_cast<Word16 *>(row.second)[n] = static_cast<uint16_t>(odd);
    }
};

struct Split16 {
    static constexpr int kElements = 1;
    VX_INLINE void put(const Row &row, int n, uint32_t unit, int shift)
    {
        const uint32_t even = (unit & 0xffffu) >> shift, odd = unit >> 16 >> shift;
        reinterpret_cast<Word16 *>(row.first)[n] = static_cast<uint16_t>(even);
        reinterpret_cast<Word16 *>(row.second)[n] = static_cast<uint16_t>(odd);
    }
};

VX_INLINE void place_columns(const TileLayout &layout, int x0, int elements, Tile &tile,
                             const vx::Group &group)
{
    VX_FOR (group, u, kShape.units) {
        const int x = x0 + u * elements;
        tile.column_base[u] = static_cast<uint64_t>(x >> layout.width_bits) << layout.block_bits;
        tile.column_flips[u] = flips(layout.flips_x, x);
    }
}

VX_INLINE void place_rows(const PlanariseTiledArgs &args, int y0, Tile &tile,
                          const vx::Group &group)
{
    VX_FOR (group, v, kShape.rows) {
        const int y = y0 + v;
        tile.row_base[v] = static_cast<uint64_t>(y >> args.layout.height_bits) * args.block_pitch;
        tile.row_flips[v] = flips(args.layout.flips_y, y);
    }
}

/* Row by row. */
template <class Kind>
VX_INLINE void convert_rows(const PlanariseTiledArgs &args, const Tile &tile, int n0, int y0,
                            int units, int rows, const vx::Group &group)
{
    const int shift = args.shift;
    for (int v = 0; v < rows; ++v) {
        const Row row = row_at(args, tile, v, y0 + v);
        VX_FOR (group, u, units) {
            Kind::put(row, n0 + u, unit_at(row, tile, u), shift);
        }
    }
}

/* Neighbouring threads take a patch of 128 bytes of the source: its shape is such that reads and
 * writes both fill pieces of 32 bytes. A thread has a few reads on their way at a time, in rows far
 * from each other. */
template <class Kind>
VX_INLINE void convert_patches(const PlanariseTiledArgs &args, const Tile &tile, int n0, int y0,
                               int units, int rows, const vx::Group &group)
{
    constexpr int kPatch = 32;
    constexpr int kPatchUnits = Kind::kElements == 1 ? 16 : 8;
    constexpr int kPatchRows = kPatch / kPatchUnits;
    constexpr int kAcross = kShape.units / kPatchUnits;
    constexpr int kReads = 4;
    constexpr int kStep = kShape.rows / kReads; /* rows from one read to the next */
    constexpr int kPatches = kAcross * kStep / kPatchRows;
    const int shift = args.shift;
    VX_FOR2 (group, patch, i, kPatches, kPatch) {
        const int u = patch % kAcross * kPatchUnits + i % kPatchUnits;
        const int v0 = patch / kAcross * kPatchRows + i / kPatchUnits;
        uint32_t unit[kReads];
        VX_UNROLL
        for (int k = 0; k < kReads; ++k) {
            /* Behind an edge the last unit, or row, is read once more: no branch. */
            const int v = smaller(v0 + k * kStep, rows - 1);
            unit[k] = unit_at(row_at(args, tile, v, y0 + v), tile, smaller(u, units - 1));
        }
        VX_UNROLL
        for (int k = 0; k < kReads; ++k) {
            const int v = v0 + k * kStep;
            if (u < units && v < rows)
                Kind::put(row_at(args, tile, v, y0 + v), n0 + u, unit[k], shift);
        }
    }
}

template <class Kind>
VX_INLINE void convert(const PlanariseTiledArgs &args, Tile &tile, const vx::Group &group)
{
    const int n0 = static_cast<int>(group.x) * kShape.units;
    const int y0 = static_cast<int>(group.y) * kShape.rows;
    const int units = (args.width + Kind::kElements - 1) / Kind::kElements - n0;
    const int rows = args.height - y0;
    place_columns(args.layout, n0 * Kind::kElements, Kind::kElements, tile, group);
    place_rows(args, y0, tile, group);
    VX_SYNC(group);
    if constexpr (VX_CPU_TILES)
        convert_rows<Kind>(args, tile, n0, y0, smaller(units, kShape.units),
                           smaller(rows, kShape.rows), group);
    else
        convert_patches<Kind>(args, tile, n0, y0, units, rows, group);
}

} // namespace planarise_tiled_kernels

VX_KERNEL(planarise_tiled_copy_8, PlanariseTiledArgs, planarise_tiled_kernels::Tile,
          kPlanariseTiledThreads)
{
    planarise_tiled_kernels::convert<planarise_tiled_kernels::Copy8>(args, tile, group);
}

VX_KERNEL(planarise_tiled_copy_16, PlanariseTiledArgs, planarise_tiled_kernels::Tile,
          kPlanariseTiledThreads)
{
    planarise_tiled_kernels::convert<planarise_tiled_kernels::Copy16>(args, tile, group);
}

VX_KERNEL(planarise_tiled_split_8, PlanariseTiledArgs, planarise_tiled_kernels::Tile,
          kPlanariseTiledThreads)
{
    planarise_tiled_kernels::convert<planarise_tiled_kernels::Split8>(args, tile, group);
}

VX_KERNEL(planarise_tiled_split_16, PlanariseTiledArgs, planarise_tiled_kernels::Tile,
          kPlanariseTiledThreads)
{
    planarise_tiled_kernels::convert<planarise_tiled_kernels::Split16>(args, tile, group);
}
