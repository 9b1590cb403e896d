/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What host and kernels of SpEED share: arguments, tile shapes, kernel names. A "field" is one
 * plane that is analysed: a chroma plane, or the difference of two luma planes.
 *
 *     speed_reduce_8, _16    low pass of a field, at every 16th column and row alone
 *     speed_rescale_8, _16   the same of the field resampled to another size
 *     speed_centre           takes the local mean away
 *     speed_covariance       covariance of the 25 places in a 5x5 block, over all positions
 *     speed_system           its eigenvalues; its QR decomposition
 *     speed_solve            variance of each block: y' K^-1 y / 25
 *     speed_terms            entropies of blocks, and how much they differ between two fields
 *     speed_score            mean of these
 */
#ifndef VMAFX_FEATURES_SPEED_KERNELS_H
#define VMAFX_FEATURES_SPEED_KERNELS_H

#include <stdint.h>

#include "kernels/resample_tap.h"

constexpr int kSpeedSide = 5; /* of a block */
constexpr int kSpeedSize = kSpeedSide * kSpeedSide;
constexpr int kSpeedCells = kSpeedSize * kSpeedSize;
constexpr int kSpeedStep = 16;    /* columns and rows of a field per one of the reduced plane */
constexpr int kSpeedFields = 4;   /* of a launch, at most: two pairs of reference and distorted */
constexpr int kSpeedTaps = 35;    /* of the low pass, at most */
constexpr int kSpeedMeanTaps = 9; /* of the local mean, at most */
constexpr int kSpeedPadding = 16; /* floats behind each row of a centred plane, which may be read */

/** plane - minus, or plane alone where minus is null; rows at any address, pitches in bytes. */
struct SpeedSource {
    const void *plane;
    const void *minus;
    uint64_t plane_pitch;
    uint64_t minus_pitch;
};

struct SpeedReduceArgs {
    SpeedSource source[kSpeedFields];
    int32_t width, height; /* of the plane that is filtered */
    int32_t out_width, out_height;
    float step; /* one step of a sample in 8-bit steps */
    int32_t taps;
    float tap[kSpeedTaps];
    float *out; /* [field][out_height][out_width] */
    /* speed_rescale */
    const ResampleTap *columns; /* [width][axis_taps] */
    const ResampleTap *rows;    /* [height][axis_taps] */
    int32_t axis_taps;
    int32_t divide; /* by the sum of the weights */
};

struct SpeedCentreArgs {
    const float *in; /* [field][height][width] */
    int32_t width, height;
    int32_t taps;
    float tap[kSpeedMeanTaps];
    float *out;                    /* [field][out_height][out_pitch] */
    int32_t out_width, out_height; /* whole blocks */
    int32_t out_pitch;             /* floats */
};

/** Matrices are stored by rows. */
struct SpeedSystem {
    float covariance[kSpeedCells];
    float q[kSpeedCells];
    float r[kSpeedCells];
    float eigenvalue[kSpeedSize];
    int32_t irregular;  /* an eigenvalue is too small */
    int32_t unsolvable; /* a diagonal element of r is */
};

struct SpeedCovarianceArgs {
    const float *plane; /* [field][height][pitch] */
    int32_t width, height, pitch;
    SpeedSystem *system; /* [field] */
};

struct SpeedSystemArgs {
    SpeedSystem *system; /* [field] */
};

struct SpeedSolveArgs {
    const float *plane; /* [field][height][pitch] */
    int32_t height, pitch;
    int32_t blocks_across, blocks;
    const SpeedSystem *system; /* [field] */
    float *variance;           /* [field][blocks] */
};

struct SpeedTermsArgs {
    const SpeedSystem *system; /* [field] */
    const float *variance;     /* [field][blocks] */
    int32_t blocks;
    int32_t mode;      /* speed_weight_var_mode */
    float sigma;       /* speed_sigma_nn */
    float base;        /* entropy of noise alone */
    double log2_2pi_e; /* bits of a normal distribution of variance 1, doubled */
    float *term;       /* [pair][blocks] */
};

/** The score's bits are the lower half of its word. */
constexpr int kSpeedReferenceFlag = 32, kSpeedDistortedFlag = 33; /* bits: no inverse */

struct SpeedScoreArgs {
    const SpeedSystem *system; /* [field] */
    const float *term;         /* [pair][blocks] */
    int32_t blocks;
    uint64_t *score; /* [pair] */
};

struct SpeedShape {
    int reduce; /* columns of the reduced plane in a tile */
    int centre; /* columns of a tile */
    int pairs;  /* elements of the covariance in a work-group */
    int solve;  /* blocks of a tile, a multiple of 16 */
    int terms;  /* the same */
};
constexpr SpeedShape kSpeedCpuShape = {128, 512, kSpeedCells, 64, 64};
constexpr SpeedShape kSpeedGpuShape = {32, 128, 128, 32, 64};

/** Elements on and below the diagonal. */
constexpr int kSpeedPairs = kSpeedSize * (kSpeedSize + 1) / 2;

constexpr int kSpeedThreads = 256;       /* reduce, system */
constexpr int kSpeedNarrowThreads = 128; /* the others */
constexpr int kSpeedSystemParts = 2;     /* work-groups of speed_system a field */

#endif
