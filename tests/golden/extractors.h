/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the golden set has scores of: extractors with the options that were used, the metrics that
 * are theirs, and what options the suffixes of metrics mean.
 */
#ifndef TESTS_GOLDEN_EXTRACTORS_H
#define TESTS_GOLDEN_EXTRACTORS_H

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

/* On smaller clips there is no float_adm. */
constexpr uint32_t kLeastForFloats = 17;

struct Extractor {
    const char *name;
    const char *options;              /* of the golden run: all outputs */
    std::vector<const char *> starts; /* of the names of its metrics */
    const char *suffixed;             /* the metric whose suffix tells a model's options */
    /* On smaller clips libvmaf reads beside its planes: what it gives there is no score. */
    uint32_t least = 1;
};

const std::vector<Extractor> &extractors();

/** Built-in models that have golden scores. */
const std::vector<const char *> &golden_models();

/** Option lists ("adm_csf_mode=2:adm_noise_weight=0.02") of the extractor's metrics with a suffix.
 */
std::set<std::string> options_in_names(const Extractor &extractor, const nlohmann::json &metrics);

#endif
