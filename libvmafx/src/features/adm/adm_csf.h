/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Contrast sensitivity of ADM: one factor per scale for the h and v bands, one for d.
 */
#ifndef VMAFX_FEATURES_ADM_CSF_H
#define VMAFX_FEATURES_ADM_CSF_H

#include <array>
#include <cmath>
#include <cstdint>

#include "features/options.h"

namespace vmafx::adm
{

constexpr int kScales = 4;

/** How the picture is looked at. */
struct Viewing {
    double distance; /* in picture heights */
    int height;      /* of the display, rows */

    double rows() const { return distance * height; }
    float pixels_per_degree() const { return static_cast<float>(rows() * M_PI / 180); }
};

/** Watson's 1997 thresholds of wavelet noise, as 1 / quantisation step. */
float watson_factor(const Viewing &viewing, int scale, bool diagonal);

/** Barten's model at 100 cd/m^2, times weight. Widths of the intermediate results matter. */
float barten_factor(const Viewing &viewing, int scale, double weight);

/** [0]: h and v, [1]: d. */
struct CsfFactors {
    std::array<float, 2> real{};
    std::array<uint32_t, 2> fixed{};
    friend bool operator==(const CsfFactors &, const CsfFactors &) = default;
};
using Csf = std::array<CsfFactors, kScales>;

/** Throws E_RANGE or E_NOTSUP naming the option, where an option set has no usable factors. */
Csf csf_of(const OptionSet &options);

} // namespace vmafx::adm

#endif
