/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The options of CAMBI and what they come to for pictures of a size.
 */
#ifndef VMAFX_FEATURES_CAMBI_SETTING_H
#define VMAFX_FEATURES_CAMBI_SETTING_H

#include <cstdint>
#include <vector>

#include "features/cambi/cambi_luminance.h"
#include "features/feature.h"

namespace vmafx
{

const OptionTable &cambi_options();

/** A picture as CAMBI looks at it. */
struct CambiPicture {
    bool reference;         /* else the distorted one */
    uint32_t width, height; /* that it is sampled to */
    bool smooth;            /* removes dither of 8 bits */

    bool operator==(const CambiPicture &) const = default;
};

/** How contrasts are measured in it. */
struct CambiMeasure {
    bool half;               /* the finest scale is left out */
    uint32_t window;         /* its side, odd, in codes of each scale */
    int steps;               /* 1 << max_log_contrast */
    int darkest;             /* code below which banding is not seen */
    std::vector<int> limits; /* per step, the largest code at which it counts */

    bool operator==(const CambiMeasure &) const = default;
};

struct CambiSetting {
    CambiPicture distorted, source;
    CambiMeasure distorted_measure, source_measure;
    double top_share; /* of the contrasts, the largest ones, 0.0001..1 */
    bool full_reference;
    double max_value;
};

/** Throws E_INVALID for options that never work. */
void check_cambi_options(const OptionSet &options);

/** Throws E_RANGE for sizes that CAMBI cannot measure, E_INVALID for sizes that contradict each
 *  other. */
CambiSetting resolve_cambi(const OptionSet &options, const PictureFormat &format);

} // namespace vmafx

#endif
