/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/adm/adm_score.h"

#include <bit>
#include <cmath>

namespace vmafx::adm
{

namespace
{

constexpr float kThird = 0x1.555556p-2f;

/** The least k with 2^k >= n; n >= 1. */
uint32_t log2_ceil(uint64_t n)
{
    return static_cast<uint32_t>(std::bit_width(n - 1));
}

int cropped(int n)
{
    return static_cast<int>(0.1 * n - 0.5);
}

float cube_root(float x)
{
    return std::pow(x, kThird);
}

/** What keeps quiet pictures from dividing by nothing. */
float noise(const ScaleGeometry &geometry, double weight)
{
    return cube_root(static_cast<float>(static_cast<double>(geometry.window_size()) * weight));
}

/** Sum of the bands' norms in the reference's order. */
float sum_of_norms(const float (&bands)[3], float floor)
{
    float norm[3];
    for (int b = 0; b < 3; ++b) {
        const float root = cube_root(bands[b]);
        norm[b] = root + floor;
    }
    const float hv = norm[0] + norm[1];
    return hv + norm[2];
}

float denominator(const ScaleGeometry &geometry, int scale, const CsfFactors &csf, double weight,
                  const uint64_t *sums)
{
    constexpr int kBits[kScales] = {18, 32, 27, 23};
    const int shift = kBits[scale] - static_cast<int>(geometry.den_sample_shift) -
                      static_cast<int>(geometry.den_row_shift);
    float bands[3];
    for (int b = 0; b < 3; ++b) {
        const double factor = std::pow(static_cast<double>(csf.real[b == 2]), 3.0);
        bands[b] = static_cast<float>(std::ldexp(static_cast<double>(sums[b]), -shift) * factor);
    }
    return sum_of_norms(bands, noise(geometry, weight));
}

float numerator(const ScaleGeometry &geometry, int scale, double weight, const uint64_t *sums)
{
    constexpr int kBits[kScales] = {52, 45, 39, 36};
    const int shift = kBits[scale] - static_cast<int>(geometry.num_sample_shift) -
                      static_cast<int>(geometry.num_row_shift);
    float bands[3];
    for (int b = 0; b < 3; ++b) {
        const int64_t sum = static_cast<int64_t>(sums[b]);
        /* d's 57 bits at scale 0, less its further bit of shift. */
        bands[b] = scale == 0 ? static_cast<float>(std::ldexp(static_cast<double>(sum),
                                                              -(b == 2 ? shift + 4 : shift)))
                              : std::ldexp(static_cast<float>(sum), -shift);
    }
    return sum_of_norms(bands, noise(geometry, weight));
}

} // namespace

Geometry geometry_of(uint32_t width, uint32_t height)
{
    Geometry all;
    int w = static_cast<int>(width), h = static_cast<int>(height);
    for (int s = 0; s < kScales; ++s) {
        ScaleGeometry &g = all[s];
        w = (w + 1) / 2;
        h = (h + 1) / 2;
        g.width = w;
        g.height = h;
        g.window = {cropped(w), cropped(h), w - cropped(w), h - cropped(h)};
        const uint32_t log_w = log2_ceil(static_cast<uint64_t>(w));
        g.num_row_shift = log2_ceil(static_cast<uint64_t>(h));
        if (s == 0) {
            const uint32_t log_size = log2_ceil(static_cast<uint64_t>(g.window_size()));
            g.den_row_shift = log_size > 20 ? log_size - 20 : 0;
            g.num_sample_shift = log_w - 4;
        } else {
            g.den_sample_shift = log2_ceil(static_cast<uint64_t>(g.window.right - g.window.left));
            g.den_row_shift = log2_ceil(static_cast<uint64_t>(g.window.bottom - g.window.top));
            g.num_sample_shift = log_w;
        }
    }
    return all;
}

Scores scores_of(const Geometry &geometry, uint32_t width, uint32_t height, const Csf &csf,
                 const ScoreOptions &options, const uint64_t *den, const uint64_t *num)
{
    Scores out;
    double aim = 0;
    for (int s = 0; s < kScales; ++s) {
        const uint64_t *sums = num + static_cast<size_t>(s) * kAdmSums;
        float aim_s = 0;
        if (s == 0 && options.skip_scale0) {
            out.den[s] = 1e-10f;
        } else {
            out.num[s] = numerator(geometry[s], s, options.noise_weight, sums);
            out.den[s] = denominator(geometry[s], s, csf[s], options.noise_weight,
                                     den + static_cast<size_t>(s) * 3);
            if (!options.skip_aim)
                aim_s = numerator(geometry[s], s, 0, sums + 3);
        }
        out.total_num += static_cast<double>(out.num[s]);
        out.total_den += static_cast<double>(out.den[s]);
        aim += static_cast<double>(aim_s);
        out.scale[s] = static_cast<double>(out.num[s]) / static_cast<double>(out.den[s]);
    }

    const double size = static_cast<double>(width) * static_cast<double>(height);
    const double limit = 1e-10 * size / (1920.0 * 1080.0);
    if (out.total_num < limit)
        out.total_num = 0;
    if (out.total_den < limit)
        out.total_den = 0;
    const bool nothing = out.total_den == 0;
    out.adm2 = nothing ? 1 : out.total_num / out.total_den;
    out.aim = nothing ? 0 : aim / out.total_den;
    const double adm3 = out.adm2 * options.dlm_weight + (1 - out.aim) * (1 - options.dlm_weight);
    out.adm3 = adm3 > options.min_val ? adm3 : options.min_val;
    return out;
}

} // namespace vmafx::adm
