/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/adm/adm_csf.h"

#include <cmath>

#include <libvmafx/status.h>

#include "core/failure.h"

namespace vmafx::adm
{

float watson_factor(const Viewing &viewing, int scale, bool diagonal)
{
    constexpr float a = 0.495f, k = 0.466f, f0 = 0.401f;
    constexpr float kAmplitude[2][kScales] = {{0.67234f, 0.41317f, 0.22727f, 0.11792f},
                                              {0.72709f, 0.49428f, 0.28688f, 0.15214f}};
    const double orientation = diagonal ? 0.534f : 1.0f;
    const double frequency = std::ldexp(static_cast<double>(f0), scale + 1) * orientation;
    const float t = static_cast<float>(
        std::log10(frequency / static_cast<double>(viewing.pixels_per_degree())));
    const float kt = k * t;
    const float exponent = kt * t;
    const double step = 2.0 * static_cast<double>(a) *
                        std::pow(10.0, static_cast<double>(exponent)) /
                        static_cast<double>(kAmplitude[diagonal][scale]);
    return 1.0f / static_cast<float>(step);
}

float barten_factor(const Viewing &viewing, int scale, double weight)
{
    /* Parameters at 20 and 150 cd/m^2, interpolated over the logarithm of luminance. */
    constexpr float kAt20[4] = {0.334278f, 3.79542f, 1.07327f, 6.4635f};
    constexpr float kAt150[4] = {0.394533f, 2.7755f, 1.16577f, 7.45665f};
    const float log20 = static_cast<float>(std::log10(20.0));
    const float log150 = static_cast<float>(std::log10(150.0));
    const float log100 = static_cast<float>(std::log10(100.0));
    float p[4];
    for (int j = 0; j < 4; ++j) {
        const float slope = (kAt150[j] - kAt20[j]) / (log150 - log20);
        const float step = slope * (log100 - log20);
        p[j] = kAt20[j] + step;
    }

    const float f = std::ldexp(viewing.pixels_per_degree(), -(scale + 1));
    const auto wide = [](float x) { return static_cast<double>(x); };
    const float pf = p[0] * f;
    const float u = static_cast<float>(1 + std::pow(wide(pf), wide(p[1])));
    const float f7 = f / 7.0f;
    const float z =
        static_cast<float>(1 / std::pow(1 - std::exp(-std::pow(wide(f7), 2.0)), wide(p[2])));
    const float uz = u * z;
    const float numerator = static_cast<float>(wide(p[3]) / std::pow(wide(uz), 0.5));

    /* Optical transfer as a sum of exponentials. */
    constexpr float kAlpha[4] = {0.424838596301290f, 0.572435103936480f, 0.000167576239164937f,
                                 0.00255872352306433f};
    constexpr float kBeta[4] = {0.028f, 0.37f, 37.0f, 360.0f};
    float transfer = 0;
    for (int i = 0; i < 4; ++i) {
        const float bf = kBeta[i] * f;
        transfer = static_cast<float>(wide(transfer) + wide(kAlpha[i]) * std::exp(-wide(bf)));
    }

    constexpr float kRodQuotient = 4.0627f / 100.0f;
    const float rod = static_cast<float>(
        wide(30.162f) * std::pow(std::pow(wide(kRodQuotient), wide(1.6596f)) + 1, wide(-0.2712f)));
    const float sensitivity = numerator * transfer * rod;
    return static_cast<float>(wide(sensitivity) * weight);
}

namespace
{

/** Tabulated blends of Barten and Watson. */
struct Tabulated {
    Viewing viewing;
    float factor[2][kScales];
};

constexpr Tabulated kBlend[] = {
    {{3.0, 1080},
     {{0.01183f, 0.025026f, 0.04295f, 0.058621f}, {0.004302f, 0.011778f, 0.023918f, 0.035901f}}},
    {{1.5, 2160},
     {{0.01183f, 0.025026f, 0.04295f, 0.058621f}, {0.004302f, 0.011778f, 0.023918f, 0.035901f}}},
    {{5.0, 1080},
     {{0.004212f, 0.014809f, 0.029642f, 0.047464f}, {0.000984f, 0.005852f, 0.0146f, 0.027574f}}},
    {{3.0, 2160},
     {{0.00226f, 0.01183f, 0.025026f, 0.04295f}, {0.000479f, 0.004302f, 0.011778f, 0.023918f}}},
    {{5.0, 2160},
     {{0.000092f, 0.004212f, 0.014809f, 0.029642f}, {0.000050f, 0.000984f, 0.005852f, 0.0146f}}},
    {{5.0, 720},
     {{0.010144f, 0.022561f, 0.040309f, 0.05672f}, {0.003463f, 0.010282f, 0.021839f, 0.034641f}}},
};

constexpr Tabulated kBlendMae[] = {
    {{3.0, 1080},
     {{0.011249f, 0.022606f, 0.035930f, 0.045673f}, {0.004097f, 0.010921f, 0.021430f, 0.031313f}}},
    {{1.5, 2160},
     {{0.011249f, 0.022606f, 0.035930f, 0.045673f}, {0.004097f, 0.010921f, 0.021430f, 0.031313f}}},
    {{5.0, 1080},
     {{0.004052f, 0.013939f, 0.026298f, 0.038833f}, {0.000927f, 0.005544f, 0.013415f, 0.024515f}}},
    {{3.0, 2160},
     {{0.002166f, 0.011249f, 0.022606f, 0.035930f}, {0.000447f, 0.004097f, 0.010921f, 0.021430f}}},
    {{5.0, 2160},
     {{0.000077f, 0.004052f, 0.013939f, 0.026298f}, {0.000045f, 0.000927f, 0.005544f, 0.013415f}}},
    {{5.0, 720},
     {{0.009689f, 0.020577f, 0.034162f, 0.044523f}, {0.003302f, 0.009579f, 0.019661f, 0.030318f}}},
};

const Tabulated &tabulated(const Viewing &viewing, int mode)
{
    for (const Tabulated &row : mode == 2 ? kBlend : kBlendMae) {
        if (row.viewing.height == viewing.height && row.viewing.distance == viewing.distance)
            return row;
    }
    fail(VMAFX_E_NOTSUP, "options.adm_csf_mode",
         "adm_csf_mode %d knows no adm_ref_display_height %d with adm_norm_view_dist %g; use 1080 "
         "with 3 or 5, 2160 with 1.5, 3 or 5, 720 with 5, or adm_csf_mode 0",
         mode, viewing.height, viewing.distance);
}

/** Bits that the fixed-point code keeps; a factor that does not fit loses its high bits. */
uint32_t fixed_factor(float factor, int scale, bool diagonal)
{
    if (scale > 0)
        return static_cast<uint32_t>(
            static_cast<int64_t>(static_cast<double>(factor) * 4294967296.0));
    const double scaled = std::ldexp(static_cast<double>(factor), diagonal ? 23 : 21);
    return static_cast<uint16_t>(static_cast<int64_t>(scaled));
}

} // namespace

Csf csf_of(const OptionSet &options)
{
    constexpr double kLeastRows = 3.0 * 1080;
    const Viewing viewing = {options.number("adm_norm_view_dist"),
                             options.integer("adm_ref_display_height")};
    const int mode = options.integer("adm_csf_mode");
    if (viewing.rows() < kLeastRows)
        fail(VMAFX_E_RANGE, "options.adm_norm_view_dist",
             "adm_norm_view_dist %g times adm_ref_display_height %d is %g; it must be at least %g",
             viewing.distance, viewing.height, viewing.rows(), kLeastRows);
    const Tabulated *table = mode >= 2 ? &tabulated(viewing, mode) : nullptr;
    const double weight[2] = {options.number("adm_csf_scale"),
                              options.number("adm_csf_diag_scale")};

    Csf csf;
    for (int scale = 0; scale < kScales; ++scale) {
        for (int diagonal = 0; diagonal < 2; ++diagonal) {
            const float factor = table       ? table->factor[diagonal][scale]
                                 : mode == 1 ? barten_factor(viewing, scale, weight[diagonal])
                                             : watson_factor(viewing, scale, diagonal);
            csf[scale].real[diagonal] = factor;
            csf[scale].fixed[diagonal] = fixed_factor(factor, scale, diagonal);
        }
    }
    /* At the usual distance the fixed-point factors of scale 0 are not those of the formula. */
    if (mode == 0 && std::fabs(viewing.rows() - kLeastRows) < 1e-8)
        csf[0].fixed = {36453, 49417};
    return csf;
}

} // namespace vmafx::adm
