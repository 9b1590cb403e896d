/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One trained model: feature scores in, one score out.
 */
#ifndef VMAFX_MODEL_REGRESSOR_H
#define VMAFX_MODEL_REGRESSOR_H

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "features/options.h"
#include "model/json_node.h"
#include "model/svm.h"
#include "model/transform.h"

namespace vmafx
{

enum class ModelType { kUnnamed, kSingle, kBootstrap, kResidueBootstrap };

struct ModelFeature {
    std::string base_name; /* "VMAF_integer_feature_adm2_score" */
    OptionDict options;    /* values as texts, normalised */
};

class Regressor
{
  public:
    /** Reads the object that holds "model_dict". flags: VMAFX_MODEL_*. Throws E_INVALID, E_NOTSUP.
     */
    Regressor(const JsonNode &node, uint32_t flags);

    ModelType type() const { return type_; }
    const std::vector<ModelFeature> &features() const { return features_; }
    void set_option(size_t feature, const std::string &option, const std::string &value);

    /** The value before transform and clip; one score per feature, in the order of features(). */
    double predict(std::span<const double> scores) const;

    /** Transform, if it is in force, and clip. */
    double finish(double score) const;

  private:
    struct Rescale {
        double slope, intercept;
    };
    struct Clip {
        double min, max;
    };
    struct ChromaCorrection {
        double parameter;
        size_t guide, guided; /* features */
    };

    void read_features(const JsonNode &dict);
    void read_rescaling(const JsonNode &dict);
    void read_clip(const JsonNode &dict);
    void read_chroma_correction(const JsonNode &dict);
    size_t find_feature_like(const JsonNode &parameter, const char *part) const;
    void correct_chroma(std::span<double> x) const;

    ModelType type_;
    std::vector<ModelFeature> features_;
    bool rescaled_ = false;
    Rescale score_rescale_ = {1, 0};
    std::vector<Rescale> rescale_; /* per feature */
    std::optional<Clip> clip_;
    std::optional<ScoreTransform> transform_;
    std::optional<ChromaCorrection> chroma_;
    std::optional<Svm> svm_; /* always there after construction */
};

} // namespace vmafx

#endif
