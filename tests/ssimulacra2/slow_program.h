/* SPDX-License-Identifier: BSD-2-Clause
 *
 * SSIMULACRA 2 in doubles, written for being read: whole planes, five recursive blurs, the formulas
 * as they are defined.
 */
#ifndef TESTS_SSIMULACRA2_SLOW_PROGRAM_H
#define TESTS_SSIMULACRA2_SLOW_PROGRAM_H

#include <array>
#include <functional>
#include <vector>

#include "kernels/clip.h"

namespace vmafx_test
{

struct DoublePlane {
    int width, height;
    std::vector<double> v;

    double at(int x, int y) const
    {
        return v[static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)];
    }
    double repeated(int x, int y) const; /* the edges go on */
};

/** Planes of whole samples to planes of linear R, G, B. */
using Rgb = std::array<DoublePlane, 3>;

/** How a picture is converted. */
struct ColourRules {
    double red = 0.2126, blue = 0.0722; /* weights in luma; 0, 0: planes are G, B, R */
    bool full = false;
    std::function<double(double)> light; /* of 0..1 */
    bool smooth = false;                 /* Catmull-Rom, chroma on the left */
};

double srgb_light(double v);
double oetf_light(double v);

Rgb rgb_of(const Clip &clip, size_t picture, const ColourRules &rules);

/** Mean of ssim, art, det, then 4-norms of them; for X, Y, B of each scale. */
using SubScores = std::array<std::vector<std::array<double, 6>>, 3>;
SubScores slow_sub_scores(Rgb reference, Rgb distorted);

/** weights: 108 numbers in the order of the table. */
double slow_score(const SubScores &sub_scores, const std::vector<double> &weights);

} // namespace vmafx_test

#endif
