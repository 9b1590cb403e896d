/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef VMAFX_KERNELS_RESAMPLE_TAP_H
#define VMAFX_KERNELS_RESAMPLE_TAP_H

#include <stdint.h>

/** A sample along one side of a picture, and its share of a sample of the resampled one. */
struct ResampleTap {
    int32_t at; /* inside the picture */
    float weight;
};

#endif
