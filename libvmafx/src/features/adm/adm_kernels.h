/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What host and kernels of ADM share: band layout, arguments, tile shapes, kernel names.
 *
 *     adm_dwt0_8, adm_dwt0_16   picture of bytes / 16-bit words -> bands of scale 0 (16 bits)
 *     adm_dwt1                  approximation of scale 0 -> bands of scale 1 (32 bits)
 *     adm_dwt2                  the same for scales 2 and 3; z of the grid is the picture
 *     adm_mask*                 all scales: decouple, weight, mask: row sums of ADM's and AIM's
 *                               numerators, and of the reference's cubes for the denominators;
 *                               plain: one whole gain limit, _pair: two, _real: one of any value
 *     adm_finish                adds up rows, each rounded on its own
 */
#ifndef VMAFX_FEATURES_ADM_KERNELS_H
#define VMAFX_FEATURES_ADM_KERNELS_H

#include <stdint.h>

constexpr int kAdmScales = 4;

/** Planes of a scale: approximation, then h, v, d. Between a and d so many elements. */
struct AdmBands {
    void *first;    /* sample (0, 0) of the approximation; kAdmPad elements before it are ours */
    uint64_t plane; /* elements from one band to the next */
    uint32_t pitch; /* elements from one row to the next, a multiple of 32 */
    int32_t width, height;
};

constexpr int kAdmPad = 32; /* beside rows: read, and written after the last sample, but not used */

struct AdmRect {
    int32_t left, top, right, bottom; /* right and bottom are outside */
};

struct AdmDwtArgs {
    const void *source[2];    /* reference, distorted */
    uint64_t source_pitch[2]; /* bytes */
    int32_t width, height;    /* of the source */
    int32_t rows;             /* of outputs of a tile */
    uint32_t bits;            /* of a sample, scale 0 */
    uint32_t shift;           /* of the horizontal pass, scales 1..3 */
    AdmBands out[2];
    AdmRect details; /* h, v, d are read only in there */
};

/* Sums of a row: numerator h, v, d, then AIM's; denominator h, v, d. */
constexpr int kAdmSums = 6;
constexpr int kAdmDenSums = 3;

/** The window of a scale is cut into tiles, those of a row side by side. Each leaves the sums of
 *  its rows at [tile across][sum][row of the window]. */
struct AdmMaskScale {
    const void *reference[3]; /* h, v, d; elements of all bands lie alike */
    const void *distorted[3];
    uint32_t pitch; /* elements */
    int32_t width, height;
    AdmRect window;
    int32_t first_tile;
    int32_t strips;     /* tiles side by side */
    int32_t strip;      /* columns of a tile, 1..shape.columns - 2 */
    int32_t rows;       /* of a tile, 1..shape.rows */
    uint32_t shift;     /* of a sample; one more for d at scale 0 */
    uint32_t factor[2]; /* CSF of h and v, of d */
    uint32_t den_shift; /* of a cube, scales 1..3 */
    uint32_t den_square_shift;
    uint64_t *num[2]; /* per gain, kAdmSums each */
    uint64_t *den;    /* kAdmDenSums; null: not wanted */
};

struct AdmMaskArgs {
    AdmMaskScale scale[kAdmScales];
    uint32_t whole_gain[2];
    double real_gain;
};

struct AdmFinishTask {
    const uint64_t *rows; /* [strip][sums][count] */
    int32_t strips;
    int32_t sums;
    int32_t count;  /* rows */
    uint32_t shift; /* of a row */
    uint64_t *out;  /* [sums] */
};
constexpr int kAdmFinishTasks = 16;
struct AdmFinishArgs {
    AdmFinishTask task[kAdmFinishTasks]; /* z of the grid; y is the sum, x a part of the rows */
};
constexpr int kAdmFinishRows = 256; /* of a work-group */

struct AdmDwtShape {
    int columns, rows; /* of outputs */
};
constexpr AdmDwtShape kAdmDwtCpuShape = {511, 16};
constexpr AdmDwtShape kAdmDwtGpuShape = {252,
                                         16}; /* two of each thread, less one thread's a side */

struct AdmMaskShape {
    int columns; /* with one more on either side of the strip; a multiple of 32 */
    int rows;
};
constexpr AdmMaskShape kAdmMaskCpuShape = {416, 32};
constexpr AdmMaskShape kAdmMaskGpuShape = {128, 16};

constexpr int kAdmThreads = 128; /* one for each column of a mask's tile */

#endif
