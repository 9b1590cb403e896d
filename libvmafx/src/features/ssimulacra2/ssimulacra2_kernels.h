/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What host and kernels of SSIMULACRA 2 share: arguments, tile shapes, kernel names.
 *
 *     ssimulacra2_planes_8    shifted XYB of a strip of both pictures, and the linear RGB of half
 *     ssimulacra2_planes_16   the size, of YUV samples
 *     ssimulacra2_planes_f32  the same of linear RGB
 *     ssimulacra2_maps        sums of the error maps of a strip, by blocks
 *     ssimulacra2_sums        sums over blocks
 *
 * A strip is some rows of a scale, with kSsimulacra2Margin rows and columns more on each side,
 * which are 0 where the picture has none. Its rows have one pitch, its six planes follow each
 * other: X, Y and B of the reference, then of the distorted picture.
 */
#ifndef VMAFX_FEATURES_SSIMULACRA2_KERNELS_H
#define VMAFX_FEATURES_SSIMULACRA2_KERNELS_H

#include <stdint.h>

constexpr int kSsimulacra2Margin = 4; /* of a tap to the middle of the window */
constexpr int kSsimulacra2Planes = 3;

/* ---- planes --------------------------------------------------------------------------------- */

/** R'G'B' of samples: red = luma * Y + red * (V - centre), ... where Y = (y - black) * scale. */
struct Ssimulacra2Matrix {
    float black, scale;
    float centre;
    float luma; /* weight of Y in red and blue: 1, or 0 if the planes are G, B and R */
    float red_v, green_u, green_v, blue_u;
};

/** Roots that make up a curve: linear = t^2 * root, t = v * scale + offset. */
enum Ssimulacra2Root {
    kSsimulacra2Fifth,  /* t^(1/5): power 2.2 */
    kSsimulacra2Fifth2, /* t^(2/5): power 2.4 */
    kSsimulacra2Fifth4, /* t^(4/5): power 2.8 */
    kSsimulacra2Ninth2, /* t^(2/9): power 1 / 0.45 */
};

/** Linear light of a sample 0..1; up to the toe a straight line through 0. */
struct Ssimulacra2Curve {
    int32_t root;
    float toe, slope;
    float scale, offset;
};

struct Ssimulacra2Picture {
    const void *plane[3]; /* Y U V, or R G B of linear light; planes 1 and 2 may be null */
    uint64_t pitch[3];    /* bytes */
    float *half[3];       /* R G B of half the size, rows without gaps; null: not wanted */
    Ssimulacra2Matrix matrix;
    Ssimulacra2Curve curve;
};

/** z of the grid is the picture, y a band of the strip's rows. */
struct Ssimulacra2PlanesArgs {
    Ssimulacra2Picture picture[2];
    float *strip;
    uint64_t plane; /* floats from one plane of the strip to the next */
    int32_t pitch;  /* floats from one row of the strip to the next */
    int32_t width;  /* of the scale */
    int32_t height;
    int32_t first;   /* row of the strip without its margin; even */
    int32_t end;     /* row after the last one */
    int32_t halve_x; /* chroma has half the columns */
    int32_t halve_y; /* chroma has half the rows */
    int32_t smooth;  /* chroma is interpolated */
};

struct Ssimulacra2PlanesShape {
    int width; /* even */
    int rows;  /* even */
};
constexpr Ssimulacra2PlanesShape kSsimulacra2PlanesCpuShape = {512, 8};
constexpr Ssimulacra2PlanesShape kSsimulacra2PlanesGpuShape = {128, 2};
constexpr int kSsimulacra2PlanesThreads = 256;

/* ---- maps ----------------------------------------------------------------------------------- */

/** A block is what is added up in floats. Blocks begin at multiples of their size. */
constexpr int kSsimulacra2BlockWidth = 32;
constexpr int kSsimulacra2BlockRows = 4;

/** The mean of a map comes of its sum, its 4-norm of the sum of its fourth powers. */
enum Ssimulacra2Map { kSsimulacra2Ssim, kSsimulacra2Added, kSsimulacra2Lost, kSsimulacra2Maps };
constexpr int kSsimulacra2Norms = 2;

/** Sums of the blocks of the picture, those of norm 0 before those of norm 1; null: not wanted. */
struct Ssimulacra2MapsPlane {
    int32_t plane;
    int32_t unused;
    float *sums[kSsimulacra2Maps];
};

/** z of the grid is one of planes[]. */
struct Ssimulacra2MapsArgs {
    Ssimulacra2MapsPlane planes[kSsimulacra2Planes];
    const float *strip;
    uint64_t plane; /* floats from one plane of the strip to the next */
    int32_t pitch;  /* floats from one row of the strip to the next */
    int32_t width;  /* of the scale */
    int32_t first;  /* row of the strip without its margin, a multiple of the block's */
    int32_t end;    /* row after the last one */
    int32_t across; /* blocks in a row of blocks */
    int32_t blocks; /* of the picture */
};

struct Ssimulacra2MapsShape {
    int width; /* a multiple of the block's */
    int rows;  /* same */
};
constexpr Ssimulacra2MapsShape kSsimulacra2MapsCpuShape = {256, 64};
constexpr Ssimulacra2MapsShape kSsimulacra2MapsGpuShape = {32, 32};
constexpr int kSsimulacra2MapsThreads = 256;

/* ---- sums ----------------------------------------------------------------------------------- */

struct Ssimulacra2Sum {
    const float *values;
    int64_t count;
};

constexpr int kSsimulacra2Scales = 6;
constexpr int kSsimulacra2MostSums =
    kSsimulacra2Scales * kSsimulacra2Planes * kSsimulacra2Maps * kSsimulacra2Norms;

/** x of the grid is the sum; the result words hold the bits of doubles. */
struct Ssimulacra2SumsArgs {
    Ssimulacra2Sum sum[kSsimulacra2MostSums];
    uint64_t *results;
};
constexpr int kSsimulacra2SumsThreads = 256;

#endif
