/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/float_adm/float_adm_csf.h"

#include <cmath>
#include <string>

#include "features/adm/adm_csf.h"

namespace vmafx::float_adm
{

namespace
{

/** The decoupling paper's own function. */
float native_factor(const adm::Viewing &viewing, int scale, bool diagonal)
{
    const float straight = std::ldexp(viewing.pixels_per_degree(), -(scale + 1));
    const float u = diagonal ? static_cast<float>(static_cast<double>(straight) / 0.7) : straight;
    const double wide = static_cast<double>(u);
    return static_cast<float>((0.31 + 0.69 * wide) * std::exp(-0.29 * wide));
}

} // namespace

Csf csf_of(const OptionSet &options)
{
    const adm::Viewing viewing = {options.number("adm_norm_view_dist"),
                                  options.integer("adm_ref_display_height")};
    const int mode = options.integer("adm_csf_mode");
    const double weight[2] = {options.number("adm_csf_scale"),
                              options.number("adm_csf_diag_scale")};
    Csf csf;
    for (int scale = 0; scale < kScales; ++scale) {
        for (int diagonal = 0; diagonal < 2; ++diagonal) {
            const std::string name = (diagonal ? "adm_f2s" : "adm_f1s") + std::to_string(scale);
            const double given = options.number(name.c_str());
            csf[scale][diagonal] = given >= 0 ? static_cast<float>(given)
                                   : mode == 1
                                       ? adm::barten_factor(viewing, scale, weight[diagonal])
                                   : mode == 2 ? native_factor(viewing, scale, diagonal)
                                               : adm::watson_factor(viewing, scale, diagonal);
        }
    }
    return csf;
}

} // namespace vmafx::float_adm
