/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What host and kernels of float_adm share: band layout, arguments, tile shapes, kernel names.
 *
 *     float_adm_dwt_8, _16    picture of bytes / 16-bit words -> bands of scale 0
 *     float_adm_dwt_f         approximation of a scale -> bands of the next; z of the grid is the
 *                             picture
 *     float_adm_mask          decouple, weight, mask: maps whose sums are ADM's and AIM's
 *                             numerators and the denominator, for cubes
 *     float_adm_mask_plain    the same before the power is taken
 *     float_adm_power         takes it; y and z of the grid are the row and the map
 */
#ifndef VMAFX_FEATURES_FLOAT_ADM_KERNELS_H
#define VMAFX_FEATURES_FLOAT_ADM_KERNELS_H

#include <stdint.h>

/** Planes of a scale: approximation, then h, v, d. */
struct FloatAdmBands {
    float *first;
    uint64_t plane; /* elements from one band to the next */
    uint32_t pitch; /* elements from one row to the next */
    int32_t width, height;
};

struct FloatAdmRect {
    int32_t left, top, right, bottom; /* right and bottom are outside */
};

struct FloatAdmDwtArgs {
    const void *source[2];    /* reference, distorted */
    uint64_t source_pitch[2]; /* bytes */
    int32_t width, height;    /* of the source */
    float step;               /* of a sample; floats are taken as they are */
    FloatAdmBands out[2];
    FloatAdmRect details; /* h, v, d are read only in there */
};

/* Maps of a scale, each for h, v, d. */
enum FloatAdmMap { kFloatAdmNum, kFloatAdmAim = 3, kFloatAdmDen = 6, kFloatAdmMaps = 9 };

struct FloatAdmMaskArgs {
    FloatAdmBands reference, distorted;
    FloatAdmRect window;
    float factor[2]; /* CSF of h and v, of d */
    double gain;
    int32_t unmasked;        /* the threshold is 0 */
    int32_t has_denominator; /* else those maps stay as they are */
    float *maps;
    uint64_t map;   /* elements from one map to the next */
    uint32_t pitch; /* elements from one row of a map to the next */
};

struct FloatAdmPowerArgs {
    float *maps;
    uint64_t map;
    uint32_t pitch;
    int32_t width;
    float exponent;
};

struct FloatAdmShape {
    int columns, rows;
};
constexpr FloatAdmShape kFloatAdmDwtCpuShape = {256, 16};
constexpr FloatAdmShape kFloatAdmDwtGpuShape = {63, 8};
constexpr FloatAdmShape kFloatAdmMaskCpuShape = {254, 32};
constexpr FloatAdmShape kFloatAdmMaskGpuShape = {126, 8};

constexpr int kFloatAdmPowerColumns = 512;

constexpr int kFloatAdmThreads = 128;

#endif
