/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/ssimulacra2/ssimulacra2_score.h"

#include <cmath>

namespace vmafx
{

namespace
{

constexpr size_t kPlanes = kSsimulacra2Planes, kScales = kSsimulacra2Scales;
constexpr size_t kMaps = kSsimulacra2Maps, kNorms = kSsimulacra2Norms;

/* Weights of six scales: those of the means of the three maps, then of their 4-norms. */
constexpr double kWeights[kPlanes * kScales][kNorms * kMaps] = {
    /* clang-format off */
    /* X 0 */ {0, 0.0007376606707406586, 0, 0, 0.0007793481682867309, 0},
    /* X 1 */ {0, 0.0004371155730107379, 0, 1.1041726426657346, 0.00066284834129271, 0.00015231632783718752},
    /* X 2 */ {0, 0.0016406437456599754, 0, 1.8422455520539298, 11.441172603757666, 0},
    /* X 3 */ {0.0007989109436015163, 0.000176816438078653, 0, 1.8787594979546387, 10.94906990605142, 0},
    /* X 4 */ {0.0007289346991508072, 0.9677937080626833, 0, 0.00014003424285435884, 0.9981766977854967, 0.00031949755934435053},
    /* X 5 */ {0.0004550992113792063, 0, 0, 0.0013648766163243398, 0, 0},
    /* Y 0 */ {0, 0, 0, 7.466890328078848, 0, 17.445833984131262},
    /* Y 1 */ {0.0006235601634041466, 0, 0, 6.683678146179332, 0.00037724407979611296, 1.027889937768264},
    /* Y 2 */ {225.20515300849274, 0, 0, 19.213238186143016, 0.0011401524586618361, 0.001237755635509985},
    /* Y 3 */ {176.39317598450694, 0, 0, 24.43300999870476, 0.28520802612117757, 0.0004485436923833408},
    /* Y 4 */ {0, 0, 0, 34.77906344483772, 44.835625328877896, 0},
    /* Y 5 */ {0, 0, 0, 0, 0, 0},
    /* B 0 */ {0, 0.0008680556573291698, 0, 0, 0, 0},
    /* B 1 */ {0, 0.0005313191874358747, 0, 0.00016533814161379112, 0, 0},
    /* B 2 */ {0, 0, 0, 0.0004179171803251336, 0.0017290828234722833, 0},
    /* B 3 */ {0.0020827005846636437, 0, 0, 8.826982764996862, 23.19243343998926, 0},
    /* B 4 */ {95.1080498811086, 0.9863978034400682, 0.9834382792465353, 0.0012286405048278493, 171.2667255897307, 0.9807858872435379},
    /* B 5 */ {0, 0, 0, 0.0005130064588990679, 0, 0.00010854057858411537},
    /* clang-format on */
};

/** Pictures that are too small for six scales take the weights one after the other all the same, so
 *  that those of a plane are not the ones that were meant for it. */
double weight_of(const ErrorMap &map, size_t norm, size_t scales)
{
    return kWeights[map.plane * scales + map.scale][norm * kMaps + map.map];
}

double curve(double sum)
{
    const double t = sum * 0.9562382616834844;
    const double bent =
        2.326765642916932 * t - 0.020884521182843837 * t * t + 6.248496625763138e-05 * t * t * t;
    return bent > 0 ? 100 - 10 * std::pow(bent, 0.6276336467831387) : 100;
}

} // namespace

std::vector<ErrorMap> weighted_maps(size_t scales)
{
    std::vector<ErrorMap> maps;
    for (size_t plane = 0; plane < kPlanes; ++plane) {
        for (size_t scale = 0; scale < scales; ++scale) {
            for (size_t map = 0; map < kMaps; ++map) {
                const ErrorMap one = {plane, scale, map};
                if (scales < kScales || weight_of(one, 0, scales) != 0 ||
                    weight_of(one, 1, scales) != 0)
                    maps.push_back(one);
            }
        }
    }
    return maps;
}

double ssimulacra2_score(size_t scales, const std::vector<MapNorms> &norms)
{
    const std::vector<ErrorMap> maps = weighted_maps(scales);
    double sum = 0;
    for (size_t i = 0; i < maps.size(); ++i)
        for (size_t norm = 0; norm < kNorms; ++norm)
            sum += weight_of(maps[i], norm, scales) * norms[i].norm[norm];
    return curve(sum);
}

} // namespace vmafx
