/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What host and kernels of CAMBI share: arguments, tile shapes, kernel names.
 *
 *     cambi_excess_16            counts samples above the depth's largest
 *     cambi_prepare_8, _16       luma to a plane of 10-bit codes: sampled to another size, smoothed
 *     cambi_mask                 which codes lie in flat surroundings
 *     cambi_scale                the next scale: every second code, mode-filtered; and its bins
 *     cambi_contrast             contrast of each code with the window around it, all scales
 *     cambi_count, cambi_pick    the sum of the largest contrasts of each scale
 *
 * A bin stands for a code in the histograms of windows. Bin 0 stands for codes that are not
 * counted: masked out, or of no influence on any contrast. The bins in use are followed and
 * preceded by as many that stay empty as there are steps.
 */
#ifndef VMAFX_FEATURES_CAMBI_KERNELS_H
#define VMAFX_FEATURES_CAMBI_KERNELS_H

#include <stdint.h>

constexpr int kCambiScales = 5;
constexpr int kCambiMaxSteps = 32;
constexpr int kCambiMaxPad = 32;    /* a window is at most 65 wide */
constexpr int kCambiMaxCode = 1024; /* 12- and 16-bit samples are rounded up to it */
constexpr int kCambiMaxBins = kCambiMaxCode + 1 + 2 * kCambiMaxSteps;
constexpr int kCambiWindowSamples = 65 * 65;
constexpr int kCambiFlatSide = 7; /* of the square that the mask looks at */

struct CambiExcessArgs {
    const void *picture;
    uint64_t pitch; /* bytes */
    int32_t width;
    int32_t height;
    int32_t limit;    /* the largest sample that is allowed */
    uint64_t *excess; /* [1] */
};

struct CambiPrepareArgs {
    const void *picture;
    uint64_t pitch;       /* bytes */
    int32_t source_width; /* of the picture */
    int32_t source_height;
    int32_t width; /* of the plane of codes */
    int32_t height;
    int32_t left;           /* sample << left is the code, or */
    int32_t right;          /* (sample + rounding) >> right */
    int32_t smooth;         /* 1: means of 2x2 */
    const int32_t *columns; /* of the picture, per column of the plane; null: the sizes agree */
    const int32_t *rows;
    uint16_t *codes; /* rows of width */
};

struct CambiMaskArgs {
    const uint16_t *codes; /* rows of width */
    uint8_t *mask;         /* rows of width */
    int32_t width;
    int32_t height;
    int32_t threshold; /* flat codes in the square that are too few */
};

struct CambiScaleArgs {
    const uint16_t *source; /* rows of source_width */
    const uint8_t *mask;    /* rows of mask_width */
    uint16_t *codes;        /* rows of width */
    uint16_t *bins;         /* rows of width */
    int32_t source_width;
    int32_t mask_width;
    int32_t width;
    int32_t height;
    int32_t step;      /* codes of the source per code, 1 or 2 */
    int32_t mask_step; /* of the mask */
    int32_t low;       /* codes low..high have bins, */
    int32_t high;
    int32_t first_bin; /* from this one on */
};

struct CambiPlane {
    const uint16_t *bins;
    float *contrast;
    int32_t width;
    int32_t height;
};

struct CambiContrastArgs {
    CambiPlane plane[kCambiScales]; /* z of the grid */
    int32_t pad;                    /* the window reaches that far */
    int32_t steps;                  /* 1..kCambiMaxSteps */
    int32_t bins;                   /* all of them */
    int32_t columns;                /* of a tile */
    const uint8_t *weights;         /* [bins][steps]; 0: the step does not count at that code */
    const float *reciprocals;       /* [kCambiWindowSamples + 1] */
};

/* The largest contrasts of a scale are found digit by digit. A contrast is 0 or in 0.5 .. 2^14; its
 * key is the distance of its bits from those of 0.5. */
constexpr int kCambiDigits = 3;
constexpr int kCambiDigitBits = 9;
constexpr int kCambiDigitValues = 1 << kCambiDigitBits;
constexpr int kCambiKeyOffset = 126 << 23; /* bits of 0.5 */
/* Sums count in units of 2^-24, of which each contrast is a multiple. */
constexpr int kCambiSumShift = 24;

/** Of one scale. */
struct CambiSelection {
    uint32_t counts[kCambiDigits][kCambiDigitValues];
    uint32_t prefix;    /* digits found so far */
    uint32_t remaining; /* contrasts still to be found among those with the prefix */
};

struct CambiSelectPlane {
    const float *contrast;
    int32_t samples;
    int32_t wanted; /* of the samples, 1..samples */
};

struct CambiSelectArgs {
    CambiSelectPlane plane[kCambiScales]; /* z of the grid */
    CambiSelection *selection;            /* [kCambiScales] */
    uint64_t *sums;                       /* [kCambiScales] */
    int32_t digit;                        /* 0: the highest */
};

struct CambiShape {
    int width, height; /* of a tile */
};
constexpr CambiShape kCambiRowsCpuShape = {1 << 16, 32};
constexpr CambiShape kCambiRowsGpuShape = {256, 8};
constexpr CambiShape kCambiMaskCpuShape = {512, 32};
constexpr CambiShape kCambiMaskGpuShape = {256, 8};
constexpr CambiShape kCambiScaleCpuShape = {1024, 16};
constexpr CambiShape kCambiScaleGpuShape = {256, 8};
constexpr int kCambiThreads = 256;

/* Tiles of the contrast: a strip of columns keeps the histograms of its columns' windows and moves
 * them down. */
constexpr int kCambiCpuColumns = 128;
constexpr int kCambiCpuRows = 384;
constexpr int kCambiGpuRows = 128;
constexpr int kCambiGpuColumns = 32;  /* halved where there are more bins than fit */
constexpr int kCambiGpuWords = 11264; /* of two counters */

/** Samples of a tile of cambi_count. */
constexpr int kCambiCpuCount = 1 << 17;
constexpr int kCambiGpuCount = 1 << 13;

#endif
