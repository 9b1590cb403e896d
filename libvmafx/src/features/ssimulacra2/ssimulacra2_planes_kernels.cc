/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Pictures become linear RGB, two rows at a time, and that becomes XYB and the RGB of half the
 * size. Linear RGB of the full size is never in memory.
 */
#include "features/ssimulacra2/ssimulacra2_kernels.h"
#include "features/ssimulacra2/ssimulacra2_roots.h"
#include "kernels/kernel.h"

namespace ssimulacra2_plane_kernels
{

constexpr Ssimulacra2PlanesShape kShape =
    VX_CPU_TILES ? kSsimulacra2PlanesCpuShape : kSsimulacra2PlanesGpuShape;
constexpr int kWidth = kShape.width;
constexpr int kRows = 2; /* at a time */
constexpr int kMargin = kSsimulacra2Margin;
constexpr int kBefore = 1, kAfter = 2; /* chroma columns that an interpolated one looks at */

struct Tile {
    float linear[3][kRows][kWidth];
    float chroma[2][kRows][kWidth]; /* U and V of each pixel */
    float column[2][kRows][kWidth + kBefore + kAfter];
};

/** Where a work-group is. */
struct Place {
    int x0, cols;
    int pairs; /* of columns */
    bool first, last;
};

using vx::smaller;
VX_INLINE int bounded(int i, int n)
{
    return i < 0 ? 0 : i < n ? i : n - 1;
}

VX_INLINE Place place_of(const Ssimulacra2PlanesArgs &args, const vx::Group &group)
{
    Place place;
    place.x0 = static_cast<int>(group.x) * kWidth;
    place.cols = smaller(kWidth, args.width - place.x0);
    place.pairs = (place.cols + 1) / 2;
    place.first = place.x0 == 0;
    place.last = place.x0 + kWidth >= args.width;
    return place;
}

/* ---- chroma --------------------------------------------------------------------------------- */

/** Catmull-Rom: weight of the k-th of the four chroma rows around row y, whose middle lies a
 * quarter of a row of chroma above or below that of one of them. */
VX_INLINE float weight_of(int y, int k)
{
    constexpr float kUnit = 1.0f / 128;
    const int at = y % 2 == 0 ? 3 - k : k;
    return at == 0 ? -9 * kUnit : at == 1 ? 111 * kUnit : at == 2 ? 29 * kUnit : -3 * kUnit;
}

/** out[i] = at(start + i); columns that the plane does not have repeat those that it has. */
template <class At>
VX_INLINE void repeat_edges(const vx::Group &group, float *out, int start, int columns, int width,
                            const At &at)
{
    const int left = start < 0 ? -start : 0;
    const int right = smaller(columns, width - start);
    VX_FOR (group, i, right - left) {
        out[left + i] = at(left + i, start + left + i);
    }
    VX_FOR (group, i, left) {
        out[i] = at(i, 0);
    }
    VX_FOR (group, i, columns - right) {
        out[right + i] = at(right + i, width - 1);
    }
}

/** Chroma rows for the rows from y on, with columns before and after those of the tile. */
template <class T>
VX_INLINE void chroma_columns(const Ssimulacra2PlanesArgs &args, const Ssimulacra2Picture &picture,
                              const Place &place, Tile &tile, const vx::Group &group, int y)
{
    using Row = typename vx::SampleOf<T>::type;
    const int width = args.halve_x ? (args.width + 1) / 2 : args.width;
    const int height = args.halve_y ? (args.height + 1) / 2 : args.height;
    const int start = (args.halve_x ? place.x0 / 2 : place.x0) - kBefore;
    const int columns = (args.halve_x ? place.pairs : place.cols) + kBefore + kAfter;
    const bool mixed = args.halve_y && args.smooth;
    const int count = mixed ? 4 : 1;
    VX_ROLLED
    for (int c = 0; c < 2; ++c) {
        VX_ROLLED
        for (int r = 0; r < kRows; ++r) {
            const int row = smaller(y + r, args.height - 1);
            const int middle = args.halve_y ? row / 2 : row;
            const int top = mixed ? middle - 2 + row % 2 : middle;
            for (int k = 0; k < count; ++k) {
                const Row *in = vx::row_of<T>(picture.plane[1 + c], picture.pitch[1 + c],
                                              bounded(top + k, height));
                float *out = tile.column[c][r];
                const float weight = mixed ? weight_of(row, k) : 1.0f;
                const auto share = [=](int x) __attribute__((always_inline)) {
                    return static_cast<float>(static_cast<int>(in[x])) * weight;
                };
                if (k == 0)
                    repeat_edges(group, out, start, columns, width,
                                 [=](int, int x)
                                     __attribute__((always_inline)) { return share(x); });
                else
                    repeat_edges(group, out, start, columns, width,
                                 [=](int i, int x)
                                     __attribute__((always_inline)) { return out[i] + share(x); });
            }
        }
    }
}

VX_INLINE void upsample(const Ssimulacra2PlanesArgs &args, const Place &place, Tile &tile,
                        const vx::Group &group)
{
    VX_UNROLL
    for (int c = 0; c < 2; ++c) {
        VX_UNROLL
        for (int r = 0; r < kRows; ++r) {
            const float *in = tile.column[c][r] + kBefore;
            float *out = tile.chroma[c][r];
            if (!args.halve_x) {
                VX_FOR (group, x, place.cols) {
                    out[x] = in[x];
                }
            } else if (!args.smooth) {
                VX_FOR (group, i, place.pairs) {
                    out[2 * i] = in[i];
                    out[2 * i + 1] = in[i];
                }
            } else {
                VX_FOR (group, i, place.pairs) {
                    out[2 * i] = in[i];
                    out[2 * i + 1] =
                        (in[i] + in[i + 1]) * (9.0f / 16) - (in[i - 1] + in[i + 2]) * (1.0f / 16);
                }
            }
        }
    }
}

/* ---- linear RGB ----------------------------------------------------------------------------- */

VX_INLINE float clamped(float v)
{
    v = v > 0.0f ? v : 0.0f;
    return v < 1.0f ? v : 1.0f;
}

template <int kRoot> VX_INLINE float light(const Ssimulacra2Curve &curve, float v)
{
    using namespace ssimulacra2_roots;
    /* So little light is lost in what is added to it. */
    constexpr float kLeast = 0x1p-20f;
    float t = v * curve.scale + curve.offset;
    t = t > kLeast ? t : kLeast;
    const float t2 = t * t;
    float part;
    if constexpr (kRoot == kSsimulacra2Fifth)
        part = rounded_root<5>(t);
    else if constexpr (kRoot == kSsimulacra2Fifth2)
        part = rounded_root<5>(t2);
    else if constexpr (kRoot == kSsimulacra2Fifth4)
        part = rounded_root<5>(t2 * t2);
    else
        part = rounded_root<9>(t2);
    return v <= curve.toe ? v * curve.slope : t2 * part;
}

template <int kRoot>
VX_INLINE void convert(const Ssimulacra2Picture &picture, const Place &place, Tile &tile,
                       const vx::Group &group)
{
    const Ssimulacra2Matrix matrix = picture.matrix;
    const Ssimulacra2Curve curve = picture.curve;
    VX_FOR2 (group, r, x, kRows, place.cols) {
        const float luma = (tile.linear[0][r][x] - matrix.black) * matrix.scale;
        const float u = tile.chroma[0][r][x] - matrix.centre;
        const float v = tile.chroma[1][r][x] - matrix.centre;
        const float red = luma * matrix.luma + v * matrix.red_v;
        const float green = luma - u * matrix.green_u - v * matrix.green_v;
        const float blue = luma * matrix.luma + u * matrix.blue_u;
        tile.linear[0][r][x] = light<kRoot>(curve, clamped(red));
        tile.linear[1][r][x] = light<kRoot>(curve, clamped(green));
        tile.linear[2][r][x] = light<kRoot>(curve, clamped(blue));
    }
}

/** Where the red will be. */
template <class T>
VX_INLINE void load_luma(const Ssimulacra2PlanesArgs &args, const Ssimulacra2Picture &picture,
                         const Place &place, Tile &tile, const vx::Group &group, int y)
{
    for (int r = 0; r < kRows; ++r) {
        const auto *in =
            vx::row_of<T>(picture.plane[0], picture.pitch[0], smaller(y + r, args.height - 1)) +
            place.x0;
        float *out = tile.linear[0][r];
        VX_FOR (group, x, place.cols) {
            out[x] = static_cast<float>(static_cast<int>(in[x]));
        }
    }
}

template <class T>
VX_INLINE void load_samples(const Ssimulacra2PlanesArgs &args, const Ssimulacra2Picture &picture,
                            const Place &place, Tile &tile, const vx::Group &group, int y)
{
    load_luma<T>(args, picture, place, tile, group, y);
    if (picture.plane[1] != nullptr) {
        chroma_columns<T>(args, picture, place, tile, group, y);
        VX_SYNC(group);
        upsample(args, place, tile, group);
    } else {
        const float centre = picture.matrix.centre;
        VX_FOR2 (group, r, x, kRows, place.cols) {
            tile.chroma[0][r][x] = centre;
            tile.chroma[1][r][x] = centre;
        }
    }
    VX_SYNC(group);
    switch (picture.curve.root) {
    case kSsimulacra2Fifth:
        return convert<kSsimulacra2Fifth>(picture, place, tile, group);
    case kSsimulacra2Fifth2:
        return convert<kSsimulacra2Fifth2>(picture, place, tile, group);
    case kSsimulacra2Fifth4:
        return convert<kSsimulacra2Fifth4>(picture, place, tile, group);
    default:
        return convert<kSsimulacra2Ninth2>(picture, place, tile, group);
    }
}

VX_INLINE void load_light(const Ssimulacra2PlanesArgs &args, const Ssimulacra2Picture &picture,
                          const Place &place, Tile &tile, const vx::Group &group, int y)
{
    VX_UNROLL
    for (int c = 0; c < 3; ++c) {
        const char *plane = static_cast<const char *>(picture.plane[c]);
        VX_UNROLL
        for (int r = 0; r < kRows; ++r) {
            const auto row = static_cast<uint64_t>(smaller(y + r, args.height - 1));
            const auto *in =
                reinterpret_cast<const float *>(plane + row * picture.pitch[c]) + place.x0;
            float *out = tile.linear[c][r];
            VX_FOR (group, x, place.cols) {
                out[x] = in[x];
            }
        }
    }
}

/* ---- what is made of it --------------------------------------------------------------------- */

constexpr float kBias = 0.0037930732552754493f;
constexpr float kBiasRoot = 0.1559542025327239f;

struct Xyb {
    float x, y, b;
};

/** Cube root less that of the bias. The light is not negative, so it is no smaller than the bias.
 */
VX_INLINE float response(float mixed)
{
    const ssimulacra2_roots::Root root = ssimulacra2_roots::root<3>(mixed);
    return (root.value - kBiasRoot) + root.rest;
}

VX_INLINE Xyb xyb_of(float r, float g, float b)
{
    const float l = response(0.078f * b + kBias + 0.622f * g + 0.30f * r);
    const float m = response(0.078f * b + kBias + 0.692f * g + 0.23f * r);
    const float s = response(0.5518098665095536f * b + kBias + 0.20476744424496821f * g +
                             0.24342268924547819f * r);
    const float x = (l - m) * 0.5f, y = (l + m) * 0.5f;
    return {x * 14.0f + 0.42f, y + 0.01f, (s - y) + 0.55f};
}

/** Row and plane of the strip where the picture's first column is. */
VX_INLINE float *strip_row(const Ssimulacra2PlanesArgs &args, int plane, int y)
{
    return args.strip + static_cast<uint64_t>(plane) * args.plane +
           static_cast<uint64_t>(y - args.first + kMargin) * static_cast<uint64_t>(args.pitch) +
           kMargin;
}

VX_INLINE void store_xyb(const Ssimulacra2PlanesArgs &args, const Place &place, const Tile &tile,
                         const vx::Group &group, int y)
{
    const int rows = smaller(kRows, args.height - y);
    const int base = static_cast<int>(group.z) * kSsimulacra2Planes;
    float *to_x = strip_row(args, base, y) + place.x0;
    float *to_y = strip_row(args, base + 1, y) + place.x0;
    float *to_b = strip_row(args, base + 2, y) + place.x0;
    const int pitch = args.pitch;
    VX_FOR2 (group, r, x, rows, place.cols) {
        const Xyb v = xyb_of(tile.linear[0][r][x], tile.linear[1][r][x], tile.linear[2][r][x]);
        to_x[r * pitch + x] = v.x;
        to_y[r * pitch + x] = v.y;
        to_b[r * pitch + x] = v.b;
    }
}

VX_INLINE void store_half(const Ssimulacra2PlanesArgs &args, const Ssimulacra2Picture &picture,
                          const Place &place, const Tile &tile, const vx::Group &group, int y)
{
    const int half_width = (args.width + 1) / 2;
    const int last = place.cols - 1;
    VX_UNROLL
    for (int c = 0; c < 3; ++c) {
        const float *a = tile.linear[c][0], *b = tile.linear[c][1];
        float *out = picture.half[c] +
                     static_cast<uint64_t>(y / 2) * static_cast<uint64_t>(half_width) +
                     place.x0 / 2;
        VX_FOR (group, i, place.cols / 2) {
            out[i] = (a[2 * i] + a[2 * i + 1] + b[2 * i] + b[2 * i + 1]) * 0.25f;
        }
        VX_FOR (group, only, place.cols % 2) {
            out[place.cols / 2 + only] = (a[last] + a[last] + b[last] + b[last]) * 0.25f;
        }
    }
}

/** What of the tile's part of a row of the strip is outside of the picture. */
VX_INLINE void clear_outside(const Ssimulacra2PlanesArgs &args, const Place &place,
                             const vx::Group &group, int y)
{
    const bool inside = y >= 0 && y < args.height;
    const int left = place.first ? -kMargin : place.x0;
    const int right = place.last ? args.pitch - kMargin : place.x0 + place.cols;
    const int base = static_cast<int>(group.z) * kSsimulacra2Planes;
    VX_UNROLL
    for (int p = 0; p < kSsimulacra2Planes; ++p) {
        float *row = strip_row(args, base + p, y);
        if (!inside) {
            VX_FOR (group, i, right - left) {
                row[left + i] = 0.0f;
            }
            continue;
        }
        VX_FOR (group, i, place.x0 - left) {
            row[left + i] = 0.0f;
        }
        VX_FOR (group, i, right - place.x0 - place.cols) {
            row[place.x0 + place.cols + i] = 0.0f;
        }
    }
}

/** T: uint8_t, uint16_t, or float for light. */
template <class T>
VX_INLINE void body(const Ssimulacra2PlanesArgs &args, Tile &tile, const vx::Group &group)
{
    const Ssimulacra2Picture &picture = args.picture[group.z];
    const Place place = place_of(args, group);
    const int top = args.first - kMargin + static_cast<int>(group.y) * kShape.rows;
    const int end = smaller(top + kShape.rows, args.end + kMargin);
    for (int y = top; y < end; y += kRows) {
        for (int r = 0; r < smaller(kRows, end - y); ++r)
            clear_outside(args, place, group, y + r);
        if (y < 0 || y >= args.height)
            continue;
        if constexpr (sizeof(T) == sizeof(float))
            load_light(args, picture, place, tile, group, y);
        else
            load_samples<T>(args, picture, place, tile, group, y);
        VX_SYNC(group);
        store_xyb(args, place, tile, group, y);
        if (picture.half[0] != nullptr && y >= args.first && y < args.end)
            store_half(args, picture, place, tile, group, y);
        VX_SYNC(group);
    }
}

} // namespace ssimulacra2_plane_kernels

VX_KERNEL(ssimulacra2_planes_8, Ssimulacra2PlanesArgs, ssimulacra2_plane_kernels::Tile,
          kSsimulacra2PlanesThreads)
{
    ssimulacra2_plane_kernels::body<uint8_t>(args, tile, group);
}

VX_KERNEL(ssimulacra2_planes_16, Ssimulacra2PlanesArgs, ssimulacra2_plane_kernels::Tile,
          kSsimulacra2PlanesThreads)
{
    ssimulacra2_plane_kernels::body<uint16_t>(args, tile, group);
}

VX_KERNEL(ssimulacra2_planes_f32, Ssimulacra2PlanesArgs, ssimulacra2_plane_kernels::Tile,
          kSsimulacra2PlanesThreads)
{
    ssimulacra2_plane_kernels::body<float>(args, tile, group);
}
