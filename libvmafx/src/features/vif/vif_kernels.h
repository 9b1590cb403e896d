/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What host and kernels of VIF share: arguments, results, tile shapes, kernel names.
 *
 *     vif_scale0_8, vif_scale0_16, vif_scale1, vif_scale2, vif_scale3
 *     vif_scale0_8_matrix, …    the same by matrix units, in images of GPUs that have them
 *
 * One launch takes the two planes of a scale; it adds up the scale's sums, writes the planes of the
 * next scale, or does both. A tile is kVif*Width columns wide and band rows high.
 */
#ifndef VMAFX_FEATURES_VIF_KERNELS_H
#define VMAFX_FEATURES_VIF_KERNELS_H

#include <stdint.h>

constexpr int kVifGains = 2; /* gain limits that one launch serves */

/** Words of a launch's result, all sums modulo 2^64. */
enum VifWord {
    kVifLogCount, /* pixels of the log part */
    kVifLogDen,   /* their denominator, in 1/2048 */
    kVifPlainNum, /* sum of the distorted variance over all other pixels */
    kVifLogNum,   /* numerator of the log part for each gain limit, in 1/2048 */
    kVifWords = kVifLogNum + kVifGains
};

struct VifArgs {
    const void *reference;
    const void *distorted;
    uint64_t reference_pitch; /* bytes */
    uint64_t distorted_pitch; /* bytes */
    int32_t width;            /* of this scale's planes, >= 2 */
    int32_t height;           /* >= 2 */
    int32_t shift;            /* 16 - depth in scale 0, else 0 */
    int32_t band;             /* rows of a tile, even, at most kVifMaxBand */
    int32_t gains;            /* 1..kVifGains */
    uint16_t *next_reference; /* planes of the next scale, or null */
    uint16_t *next_distorted;
    uint64_t next_pitch;       /* bytes, at least vif_next_pitch() */
    const uint32_t *log_lines; /* kVifLogLines */
    uint64_t *results;         /* kVifWords, or null: no sums */
    double gain_limit[kVifGains];
};

constexpr int kVifCpuWidth = 480; /* columns of a tile: four tiles make 1080p */
constexpr int kVifGpuWidth = 240;
constexpr int kVifMatrixWidth = 112; /* and 8 more on either side: 32 for each of four warps */
constexpr int kVifMatrixRows = 16;   /* a band has a multiple of them */
constexpr int kVifMaxBand = 256;     /* keeps the 32-bit sums of a lane from overflow */
constexpr int kVifThreads = 128;

/* 2048 log2(i) for the 32768 integers of 16 bits is kept as one line for each 16 of them: the part
 * above 2048 (15 + (i - 32768) div 16 / 2048) is (offset * kVifLogUnit + slope * (i mod 16)) >>
 * kVifLogShift. A line is two signed 16-bit halves, offset low. All lines fit into a first-level
 * cache, as a table of all values would not. */
constexpr int kVifLogLines = 2048;
constexpr int kVifLogRun = 16;
constexpr int kVifLogShift = 18;
constexpr int kVifLogUnit = 2048;

/** Bytes of a row of the next scale: whole tiles are written. */
constexpr uint64_t vif_next_pitch(uint32_t width, uint32_t tile_width)
{
    return static_cast<uint64_t>((width + tile_width - 1) / tile_width) * tile_width;
}

#endif
