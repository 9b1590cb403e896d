/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What metrics that compute in floats ask of a picture, and how its samples become floats.
 */
#ifndef VMAFX_FEATURES_FLOAT_DEPTH_H
#define VMAFX_FEATURES_FLOAT_DEPTH_H

#include "features/feature.h"

namespace vmafx
{

/** A depth whose samples are read in 8-bit steps (kernels/float_sample.h). */
struct FloatDepth {
    float step;     /* of a sample: 1, 1/4, 1/16, 1/256 */
    double peak;    /* the largest sample in 8-bit steps: 255, 255.75, ... */
    double ceiling; /* of a signal-to-noise ratio in dB: 60, 72, 84, 108 */
};

/** Throws E_NOTSUP "bits" unless the depth is 8, 10, 12 or 16: libvmaf has no others in floats. */
FloatDepth float_depth(const PictureFormat &format, const char *feature);

/** Throws E_RANGE "width" or "height" for pictures that are smaller. */
void require_size(const PictureFormat &format, const char *feature, uint32_t width,
                  uint32_t height);

} // namespace vmafx

#endif
