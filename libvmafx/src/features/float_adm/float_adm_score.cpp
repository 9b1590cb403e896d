/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/float_adm/float_adm_score.h"

#include <bit>
#include <cmath>

namespace vmafx::float_adm
{

namespace
{

constexpr double kMargin = 0.1; /* of a band, on each side, does not count */

int cropped(int n)
{
    return static_cast<int>(n * kMargin - 0.5);
}

/** The bands' norms with what keeps quiet pictures from dividing by nothing. */
float norm_of(const ScaleGeometry &geometry, const uint64_t *sums, double weight, float root)
{
    const FloatAdmRect &window = geometry.window;
    const double area =
        static_cast<double>((window.right - window.left) * (window.bottom - window.top));
    const float noise = std::pow(static_cast<float>(area * weight), root);
    float norm[3];
    for (int b = 0; b < 3; ++b) {
        const float sum = static_cast<float>(std::bit_cast<double>(sums[b]));
        norm[b] = std::pow(sum, root) + noise;
    }
    const float hv = norm[0] + norm[1];
    return hv + norm[2];
}

} // namespace

Geometry geometry_of(uint32_t width, uint32_t height)
{
    Geometry all;
    int w = static_cast<int>(width), h = static_cast<int>(height);
    for (ScaleGeometry &g : all) {
        w = (w + 1) / 2;
        h = (h + 1) / 2;
        g = {w, h, {cropped(w), cropped(h), w - cropped(w), h - cropped(h)}};
    }
    return all;
}

Scores scores_of(const Geometry &geometry, uint32_t width, uint32_t height,
                 const ScoreOptions &options, const std::array<ScaleSums, kScales> &sums)
{
    const float root = static_cast<float>(1.0 / options.norm);
    Scores out;
    double aim_num = 0, aim_den = 0;
    for (int s = 0; s < kScales; ++s) {
        float aim = 0;
        if (s == 0 && options.skip_scale0) {
            out.den[s] = 1e-10f;
        } else {
            out.num[s] = norm_of(geometry[s], sums[s].num, options.noise_weight, root);
            out.den[s] = norm_of(geometry[s], sums[s].den, options.noise_weight, root);
            aim = norm_of(geometry[s], sums[s].aim, 0, root);
        }
        const double num = static_cast<double>(out.num[s]), den = static_cast<double>(out.den[s]);
        out.total_num += num;
        out.total_den += den;
        out.scale[s] = num / den;
        if (s != options.skip_aim_scale) {
            aim_num += static_cast<double>(aim);
            aim_den += den;
        }
    }

    const double size = static_cast<double>(width) * static_cast<double>(height);
    const double limit = 1e-10 * size / (1920.0 * 1080.0);
    if (out.total_num < limit)
        out.total_num = 0;
    if (out.total_den < limit)
        out.total_den = 0;
    const bool nothing = out.total_den == 0;
    out.adm2 = nothing ? 1 : out.total_num / out.total_den;
    const double aim = nothing ? 0 : aim_num / aim_den;
    out.aim = aim < 1 ? aim : 1;
    const double w = options.dlm_weight;
    const double adm3 = options.harmonic_mean ? 2 * out.adm2 * out.aim / (out.adm2 + out.aim)
                                              : out.adm2 * w + (1 - out.aim) * (1 - w);
    out.adm3 = adm3 > options.min_val ? adm3 : options.min_val;
    return out;
}

} // namespace vmafx::float_adm
