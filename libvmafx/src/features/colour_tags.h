/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a picture says about its colours: code points of ISO/IEC 23091-2.
 */
#ifndef VMAFX_FEATURES_COLOUR_TAGS_H
#define VMAFX_FEATURES_COLOUR_TAGS_H

#include <cstdint>

namespace vmafx
{

enum class ColourRange { kUnspecified, kLimited, kFull };

constexpr uint32_t kMatrixIdentity = 0; /* planes are G, B, R */
constexpr uint32_t kUnspecifiedColour = 2;

struct ColourTags {
    uint32_t matrix = kUnspecifiedColour;
    uint32_t transfer = kUnspecifiedColour;
    ColourRange range = ColourRange::kUnspecified;

    bool operator==(const ColourTags &) const = default;
};

} // namespace vmafx

#endif
