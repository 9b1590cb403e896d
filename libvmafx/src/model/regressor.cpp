/* SPDX-License-Identifier: BSD-2-Clause */
#include "model/regressor.h"

#include <array>

#include <libvmafx/model.h>

namespace vmafx
{

namespace
{

constexpr size_t kMaxFeatures = 64;

ModelType read_type(const JsonNode &dict)
{
    const auto node = dict.find("model_type");
    if (!node)
        return ModelType::kUnnamed;
    if (node->text() == "LIBSVMNUSVR")
        return ModelType::kSingle;
    if (node->text() == "BOOTSTRAP_LIBSVMNUSVR")
        return ModelType::kBootstrap;
    if (node->text() == "RESIDUEBOOTSTRAP_LIBSVMNUSVR")
        return ModelType::kResidueBootstrap;
    node->refuse("is not LIBSVMNUSVR, BOOTSTRAP_LIBSVMNUSVR or RESIDUEBOOTSTRAP_LIBSVMNUSVR");
}

std::optional<ScoreTransform> read_active_transform(const JsonNode &dict, uint32_t flags)
{
    const auto node = dict.find("score_transform");
    if (!node)
        return std::nullopt;
    ScoreTransform transform = read_transform(*node);
    if (!transform.enabled && !(flags & VMAFX_MODEL_ENABLE_TRANSFORM))
        return std::nullopt;
    return transform;
}

std::vector<double> read_counted_numbers(const JsonNode &node, size_t count)
{
    std::vector<double> list = node.numbers();
    if (list.size() != count)
        node.refuse("has " + std::to_string(list.size()) + " numbers; the score and the features " +
                    "need " + std::to_string(count));
    return list;
}

} // namespace

Regressor::Regressor(const JsonNode &node, uint32_t flags)
{
    const JsonNode dict = node.require("model_dict");
    type_ = read_type(dict);
    read_features(dict);
    read_rescaling(dict);
    if (!(flags & VMAFX_MODEL_DISABLE_CLIP))
        read_clip(dict);
    transform_ = read_active_transform(dict, flags);
    read_chroma_correction(dict);
    svm_.emplace(dict.require("model").text(), features_.size());
}

void Regressor::read_features(const JsonNode &dict)
{
    const JsonNode names = dict.require("feature_names");
    for (const JsonNode &name : names.elements()) {
        if (name.text().empty())
            name.refuse("is empty");
        features_.push_back({name.text(), {}});
    }
    if (features_.empty() || features_.size() > kMaxFeatures)
        names.refuse("has " + std::to_string(features_.size()) + " names; 1 to 64 are possible");

    const auto options = dict.find("feature_opts_dicts");
    if (!options)
        return;
    const std::vector<JsonNode> list = options->elements();
    if (list.size() != features_.size())
        options->refuse("has " + std::to_string(list.size()) + " elements for " +
                        std::to_string(features_.size()) + " features");
    for (size_t i = 0; i < list.size(); i++)
        for (const auto &[name, value] : list[i].members())
            features_[i].options[name] = value.option_text();
}

void Regressor::read_rescaling(const JsonNode &dict)
{
    rescale_.assign(features_.size(), {1, 0});
    const JsonNode type = dict.require("norm_type");
    if (type.text() == "none")
        return;
    if (type.text() != "linear_rescale")
        type.refuse("is not \"linear_rescale\" or \"none\"");
    rescaled_ = true;
    const size_t count = features_.size() + 1;
    const JsonNode slope_node = dict.require("slopes");
    const std::vector<double> slopes = read_counted_numbers(slope_node, count);
    const std::vector<double> intercepts = read_counted_numbers(dict.require("intercepts"), count);
    for (size_t i = 0; i < count; i++)
        if (slopes[i] == 0)
            slope_node.elements()[i].refuse("is 0");
    score_rescale_ = {slopes[0], intercepts[0]};
    for (size_t i = 0; i < features_.size(); i++)
        rescale_[i] = {slopes[i + 1], intercepts[i + 1]};
}

void Regressor::read_clip(const JsonNode &dict)
{
    const auto node = dict.find("score_clip");
    if (!node)
        return;
    const std::vector<double> limits = node->numbers();
    if (limits.size() != 2 || limits[0] > limits[1])
        node->refuse("is not a pair [min, max]");
    clip_ = Clip{limits[0], limits[1]};
}

size_t Regressor::find_feature_like(const JsonNode &parameter, const char *part) const
{
    std::optional<size_t> found;
    for (size_t i = 0; i < features_.size(); i++) {
        if (features_[i].base_name.find(part) == std::string::npos)
            continue;
        if (found)
            parameter.refuse(std::string("needs one feature whose name contains ") + part +
                             ", there are several");
        found = i;
    }
    if (!found)
        parameter.refuse(std::string("needs a feature whose name contains ") + part);
    return *found;
}

void Regressor::read_chroma_correction(const JsonNode &dict)
{
    const auto node = dict.find("chroma_correction_parameter");
    if (!node)
        return;
    const double parameter = node->number();
    if (parameter == 0)
        node->refuse("is 0; leave the member out to have no correction");
    const size_t guide = find_feature_like(*node, "adm3");
    const size_t guided = find_feature_like(*node, "speed_chroma");
    if (guide == guided)
        node->refuse("needs two features, one name contains both adm3 and speed_chroma");
    chroma_ = ChromaCorrection{parameter, guide, guided};
}

void Regressor::set_option(size_t feature, const std::string &option, const std::string &value)
{
    features_[feature].options[option] = value;
}

/** A score without any chroma signal (exactly 0) is replaced by parameter * (1 - adm3). */
void Regressor::correct_chroma(std::span<double> x) const
{
    const Rescale &guide = rescale_[chroma_->guide], &guided = rescale_[chroma_->guided];
    double guide_score = x[chroma_->guide], guided_score = x[chroma_->guided];
    if (rescaled_) {
        guide_score = (guide_score - guide.intercept) / guide.slope;
        guided_score = (guided_score - guided.intercept) / guided.slope;
    }
    if (guided_score != 0.0)
        return;
    const double corrected = -chroma_->parameter * guide_score + chroma_->parameter;
    x[chroma_->guided] = rescaled_ ? guided.slope * corrected + guided.intercept : corrected;
}

double Regressor::predict(std::span<const double> scores) const
{
    std::array<double, kMaxFeatures> values;
    const std::span<double> x(values.data(), features_.size());
    for (size_t i = 0; i < x.size(); i++)
        x[i] = rescaled_ ? rescale_[i].slope * scores[i] + rescale_[i].intercept : scores[i];
    if (chroma_)
        correct_chroma(x);
    const double y = svm_->evaluate(x);
    return rescaled_ ? (y - score_rescale_.intercept) / score_rescale_.slope : y;
}

double Regressor::finish(double score) const
{
    double y = transform_ ? transform_->apply(score) : score;
    if (!clip_)
        return y;
    if (y < clip_->min)
        y = clip_->min;
    if (y > clip_->max)
        y = clip_->max;
    return y;
}

} // namespace vmafx
