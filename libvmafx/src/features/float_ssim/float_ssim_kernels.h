/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What host and kernels of SSIM in floats share: arguments, tile shapes, kernel names.
 *
 *     float_ssim_8, float_ssim_16, float_ssim_f32   luminance, contrast and structure of each
 *                                                   window, for bytes, 16-bit words and floats
 *     ssim_box_8, ssim_box_16                       pictures shrunk by a whole number
 */
#ifndef VMAFX_FEATURES_FLOAT_SSIM_KERNELS_H
#define VMAFX_FEATURES_FLOAT_SSIM_KERNELS_H

#include <stdint.h>

constexpr int kSsimTaps = 11;
constexpr int kSsimMargin = kSsimTaps - 1; /* columns or rows without a window of their own */

/** Maps have a value for each window, without gaps between rows; null: not wanted. */
struct FloatSsimArgs {
    const void *reference;
    const void *distorted;
    uint64_t reference_pitch; /* bytes */
    uint64_t distorted_pitch; /* bytes */
    int32_t width;            /* >= kSsimTaps */
    int32_t rows;             /* of the picture */
    int32_t first;            /* row of windows that is the maps' first one */
    int32_t end;              /* row of windows after the last one */
    int32_t band;             /* rows of windows that a work-group takes */
    float step;               /* of a sample; unused for floats */
    double *score;
    double *luminance;
    double *contrast;
    float *structure;
};

struct FloatSsimShape {
    int width; /* windows of a tile */
    int rows;  /* of the picture, taken at once */
};
constexpr FloatSsimShape kFloatSsimCpuShape = {512, 1};
constexpr FloatSsimShape kFloatSsimGpuShape = {64, 8};
constexpr int kFloatSsimThreads = 256;

/** z of the grid is the picture, y the row of the result. */
struct SsimBoxArgs {
    const void *picture[2];
    uint64_t pitch[2]; /* bytes */
    float *shrunk[2];  /* rows without gaps */
    int32_t width;
    int32_t height;
    int32_t shrunk_width;
    int32_t factor; /* 2..kSsimLargestFactor */
    float step;     /* of a sample */
    float weight;   /* 1 / factor^2 */
};

constexpr int kSsimLargestFactor = 128;
constexpr int kSsimBoxThreads = 256;
/** Columns of the picture that a work-group reads, but for what is left over by the factor. */
constexpr int kSsimBoxCpuSpan = 4096;
constexpr int kSsimBoxGpuSpan = 1024;

constexpr int ssim_box_columns(int span, int factor) /* of the result, per work-group */
{
    return span / factor;
}

#endif
