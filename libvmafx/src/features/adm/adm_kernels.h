/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What host and kernels of ADM share: band layout, arguments, tile shapes, kernel names.
 *
 *     adm_dwt0_8, adm_dwt0_16   picture of bytes / 16-bit words -> bands of scale 0 (16 bits)
 *     adm_dwt1                  approximation of scale 0 -> bands of scale 1 (32 bits)
 *     adm_dwt2                  the same for scales 2 and 3; z of the grid is the picture
 *     adm_den0, adm_den         row sums of the reference's cubes, scale 0 / 1..3
 *     adm_mask0*, adm_mask*     decouple, weight, mask: row sums of ADM's and AIM's numerators;
 *                               plain: one whole gain limit, _pair: two, _real: one of any value
 *     adm_finish                adds up rows, each rounded on its own
 */
#ifndef VMAFX_FEATURES_ADM_KERNELS_H
#define VMAFX_FEATURES_ADM_KERNELS_H

#include <stdint.h>

/** Planes of a scale: approximation, then h, v, d. Between a and d so many elements. */
struct AdmBands {
    void *first;    /* sample (0, 0) of the approximation; kAdmPad elements before it are ours */
    uint64_t plane; /* elements from one band to the next */
    uint32_t pitch; /* elements from one row to the next */
    int32_t width, height;
};

constexpr int kAdmPad = 32;

struct AdmRect {
    int32_t left, top, right, bottom; /* right and bottom are outside */
};

struct AdmDwtArgs {
    const void *source[2];    /* reference, distorted */
    uint64_t source_pitch[2]; /* bytes */
    int32_t width, height;    /* of the source */
    uint32_t bits;            /* of a sample, scale 0 */
    uint32_t shift;           /* of the horizontal pass, scales 1..3 */
    AdmBands out[2];
    AdmRect details; /* h, v, d are read only in there */
};

struct AdmDenArgs {
    AdmBands reference;
    AdmRect window;
    uint32_t square_shift; /* scales 1..3 */
    uint32_t shift;        /* of a sample, scales 1..3 */
    uint64_t *rows;        /* [row of the window][3] */
};

struct AdmMaskArgs {
    AdmBands reference, distorted;
    AdmRect window;
    int32_t strip;      /* columns of a tile, 1..shape.columns - 2 */
    uint32_t shift;     /* of a sample; one more for d at scale 0 */
    uint32_t factor[2]; /* CSF of h and v, of d */
    uint32_t whole_gain[2];
    double real_gain;
    uint64_t *rows[2]; /* per gain [row of the window][kAdmSums] */
};

/* Sums of a row: numerator h, v, d, then AIM's. */
constexpr int kAdmSums = 6;

struct AdmFinishTask {
    const uint64_t *rows;
    int32_t count;  /* rows */
    int32_t sums;   /* of a row */
    uint32_t shift; /* of a row */
    uint64_t *out;  /* [sums] */
};
constexpr int kAdmFinishTasks = 16;
struct AdmFinishArgs {
    AdmFinishTask task[kAdmFinishTasks]; /* x of the grid */
};

struct AdmDwtShape {
    int columns, rows, chunks; /* of outputs; a tile has rows * chunks rows */
};
constexpr AdmDwtShape kAdmDwtCpuShape = {511, 1, 16};
constexpr AdmDwtShape kAdmDwtGpuShape = {127, 8, 1};

struct AdmMaskShape {
    int columns; /* with one more on either side of the strip; a multiple of 32 */
    int rows;
};
constexpr AdmMaskShape kAdmMaskCpuShape = {416, 32};
constexpr AdmMaskShape kAdmMaskGpuShape = {128, 4};

struct AdmDenShape {
    int columns, rows;
};
constexpr AdmDenShape kAdmDenCpuShape = {1 << 16, 32};
constexpr AdmDenShape kAdmDenGpuShape = {512, 2};

constexpr int kAdmThreads = 128;

#endif
