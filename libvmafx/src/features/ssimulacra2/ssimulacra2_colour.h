/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How samples become linear RGB: what the options say, and where they leave it open the picture.
 */
#ifndef VMAFX_FEATURES_SSIMULACRA2_COLOUR_H
#define VMAFX_FEATURES_SSIMULACRA2_COLOUR_H

#include "features/feature.h"
#include "features/ssimulacra2/ssimulacra2_kernels.h"

namespace vmafx
{

/** Rows of the tables of ssimulacra2_colour.cpp; null: as the picture says. */
struct ColourOptions {
    const struct NamedMatrix *matrix = nullptr;
    const struct NamedCurve *curve = nullptr;
    ColourRange range = ColourRange::kUnspecified; /* that: as the picture says */
    bool smooth = false;                           /* chroma is interpolated */
};

/** Throws E_INVALID "options.NAME". */
ColourOptions colour_options(const OptionSet &options);

struct ColourConversion {
    Ssimulacra2Matrix matrix;
    Ssimulacra2Curve curve;
};

/** Throws E_NOTSUP or E_INVALID for a picture that cannot be converted; which: "reference",
 *  "distorted". */
ColourConversion colour_conversion(const ColourOptions &options, const ColourTags &tags,
                                   const PictureFormat &format, const char *which);

} // namespace vmafx

#endif
