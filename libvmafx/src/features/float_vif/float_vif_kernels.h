/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What host and kernels of float_vif share: arguments, tile shapes, kernel names.
 *
 *     float_vif_resample_8, _16     both pictures at another size; z of the grid is the picture
 *     float_vif_scale_8, _16, _f    a scale's numerators and denominators as maps
 *     float_vif_next_8, _16, _f     the pictures of the next scale; z of the grid is the picture
 *
 * Sources are bytes, 16-bit words or floats. Filters run down the columns, then along the rows.
 */
#ifndef VMAFX_FEATURES_FLOAT_VIF_KERNELS_H
#define VMAFX_FEATURES_FLOAT_VIF_KERNELS_H

#include <stdint.h>

#include "kernels/resample_tap.h"

constexpr int kFloatVifGains = 2; /* gain limits that one launch serves */
constexpr int kFloatVifMaxRadius = 32;
constexpr int kFloatVifMaxNextRadius = 17; /* from scale 1 on */
constexpr int kFloatVifTapPad = 3;

/** Taps from kFloatVifTapPad on, zeros on either side: rows that are filtered together read them
 *  for rows that are not theirs. A product with zero leaves a sum as it is. */
struct FloatVifTaps {
    int32_t radius;
    float tap[2 * kFloatVifMaxRadius + 1 + 2 * kFloatVifTapPad];
};

struct FloatVifSource {
    const void *picture[2]; /* reference, distorted */
    uint64_t pitch[2];      /* bytes */
    int32_t width, height;
    float step; /* of a sample; floats are taken as they are */
};

struct FloatVifArgs {
    FloatVifSource source;
    FloatVifTaps taps;
    double noise; /* variance of the model's noise */
    float weight; /* of the distorted variance where the reference is flat */
    int32_t gains;
    float gain_limit[kFloatVifGains];
    float *den;                 /* map, or null */
    float *num[kFloatVifGains]; /* maps */
    uint32_t pitch;             /* of maps, elements */
};

struct FloatVifNextArgs {
    FloatVifSource source;
    FloatVifTaps taps;
    float *out[2];
    uint32_t pitch; /* elements */
    int32_t width, height;
};

struct FloatVifResampleArgs {
    FloatVifSource source;
    const ResampleTap *columns; /* [width][taps] */
    const ResampleTap *rows;    /* [height][taps] */
    int32_t taps;
    int32_t normalise; /* divide by the sum of the weights */
    float *out[2];
    uint32_t pitch; /* elements */
    int32_t width, height;
};

struct FloatVifShape {
    int columns, rows;
};
constexpr FloatVifShape kFloatVifCpuShape = {240, 16};
constexpr FloatVifShape kFloatVifGpuShape = {128, 8};
constexpr FloatVifShape kFloatVifNextCpuShape = {240, 8};
constexpr FloatVifShape kFloatVifNextGpuShape = {64, 8};
constexpr FloatVifShape kFloatVifResampleShape = {128, 8};

constexpr int kFloatVifThreads = 256;

#endif
