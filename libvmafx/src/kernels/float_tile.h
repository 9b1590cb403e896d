/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A part of a plane in tile memory, as floats around zero, with a margin that mirrors the plane at
 * its borders.
 */
#ifndef VMAFX_KERNELS_FLOAT_TILE_H
#define VMAFX_KERNELS_FLOAT_TILE_H

#include "kernels/float_sample.h"

namespace vx
{

template <int Rows, int Columns> struct FloatTile {
    float at[Rows][Columns];
};

/** Neither border repeats its sample. Clamped for what lies farther out, which is loaded and not
 * used. */
struct WholeMirror {
    static inline __attribute__((always_inline)) int at(int i, int n)
    {
        const int inside = i < 0 ? -i : i < n ? i : 2 * (n - 1) - i;
        return inside > 0 ? inside : 0;
    }
};

/** The far border repeats its sample, the near one does not. */
struct FarRepeatMirror {
    static inline __attribute__((always_inline)) int at(int i, int n)
    {
        const int inside = i < 0 ? -i : i < n ? i : 2 * n - 1 - i;
        return inside > 0 ? inside : 0;
    }
};

struct FloatPlane {
    const void *samples;
    uint64_t pitch; /* bytes */
    int width, height;
    float step; /* of a sample in 8-bit steps */
};

#if VX_CPU_TILES

/** Columns of the picture in a contiguous loop, then the few that are mirrored. */
template <class Mirror, class Sample>
VX_INLINE void load_float_row(const Group &group, const Sample *row, const FloatPlane &plane,
                              int begin, int end, float *out)
{
    const int first = begin > 0 ? begin : 0;
    const int last = end < plane.width ? end : plane.width;
    VX_FOR (group, i, last - first) {
        out[first - begin + i] = centred_sample(row, first + i, plane.step);
    }
    for (int x = begin; x < first; ++x)
        out[x - begin] = centred_sample(row, Mirror::at(x, plane.width), plane.step);
    for (int x = last; x < end; ++x)
        out[x - begin] = centred_sample(row, Mirror::at(x, plane.width), plane.step);
}

/** The tile's first sample is that at x0, y0, which may be outside. columns: how many are used. */
template <class T, class Mirror, int Rows, int Columns>
VX_INLINE void load_float_tile(const Group &group, const FloatPlane &plane, int x0, int y0,
                               int columns, FloatTile<Rows, Columns> &tile)
{
    for (int r = 0; r < Rows; ++r) {
        const int y = Mirror::at(y0 + r, plane.height);
        load_float_row<Mirror>(group, row_of<T>(plane.samples, plane.pitch, y), plane, x0,
                               x0 + columns, tile.at[r]);
    }
}

#else

template <class T, class Mirror, int Rows, int Columns>
VX_INLINE void load_float_tile(const Group &group, const FloatPlane &plane, int x0, int y0, int,
                               FloatTile<Rows, Columns> &tile)
{
    VX_FOR2 (group, r, c, Rows, Columns) {
        const auto *row = row_of<T>(plane.samples, plane.pitch, Mirror::at(y0 + r, plane.height));
        tile.at[r][c] = centred_sample(row, Mirror::at(x0 + c, plane.width), plane.step);
    }
}

#endif

} // namespace vx

#endif
