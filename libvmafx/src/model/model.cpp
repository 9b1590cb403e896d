/* SPDX-License-Identifier: BSD-2-Clause */
#include "model/model.h"

#include <algorithm>
#include <cmath>

#include "core/failure.h"
#include "model/provider.h"

namespace vmafx
{

namespace
{

constexpr size_t kMaxSet = 100; /* models of a bootstrap set; shipped ones have 20 */

/** Models "0", "1", …; other members are skipped, as libvmaf does. */
std::vector<Regressor> read_set(const JsonNode &root, uint32_t flags)
{
    std::vector<Regressor> list;
    for (const auto &[key, node] : root.members()) {
        if (key != std::to_string(list.size()))
            continue;
        if (list.size() > kMaxSet)
            node.refuse("is one model too many; at most 100 are read");
        list.emplace_back(node, flags);
        const ModelType type = list.back().type();
        if (type != ModelType::kBootstrap && type != ModelType::kResidueBootstrap)
            node.refuse("is part of a set but its model_type is not a bootstrap type");
        if (type != list.front().type())
            node.refuse("has another model_type than model 0");
    }
    return list;
}

/** Percentile of sorted values by linear interpolation. */
double percentile(std::span<const double> sorted, double percent)
{
    const double position = percent * (static_cast<double>(sorted.size()) - 1) / 100;
    const double left = std::floor(position), right = std::ceil(position);
    const double low = sorted[static_cast<size_t>(left)];
    if (left == right)
        return low;
    return low * (right - position) + sorted[static_cast<size_t>(right)] * (position - left);
}

double mean_of(std::span<const double> values)
{
    double sum = 0;
    for (const double value : values)
        sum += value;
    return sum / static_cast<double>(values.size());
}

double deviation_of(std::span<const double> values, double mean)
{
    double sum = 0;
    for (const double value : values)
        sum += (value - mean) * (value - mean);
    return std::sqrt(sum / static_cast<double>(values.size()));
}

} // namespace

Model::Model(std::string_view json, const std::string &name, uint32_t flags)
{
    const JsonDocument document = parse_json(json);
    const JsonNode root(*document, "");
    if (root.find("model_dict"))
        regressors_.emplace_back(root, flags);
    else
        regressors_ = read_set(root, flags);
    if (regressors_.empty())
        root.refuse("has neither \"model_dict\" nor a set of models \"0\", \"1\", …");
    if (regressors_.size() == 1 && !root.find("model_dict"))
        root.refuse("is a set of models that has only model 0");

    score_names_.push_back(name);
    for (size_t i = 1; i < regressors_.size(); i++)
        score_names_.push_back(format("%s_%04zu", name.c_str(), i));
    if (is_set())
        for (const char *tail : {"_bagging", "_stddev", "_ci_p95_lo", "_ci_p95_hi"})
            score_names_.push_back(name + tail);
    find_required();
}

void Model::find_required()
{
    required_.clear();
    inputs_.clear();
    for (const Regressor &regressor : regressors_) {
        std::vector<size_t> &inputs = inputs_.emplace_back();
        for (const ModelFeature &feature : regressor.features()) {
            const auto found =
                std::find_if(required_.begin(), required_.end(), [&](const RequiredFeature &known) {
                    return known.base_name == feature.base_name && known.options == feature.options;
                });
            inputs.push_back(static_cast<size_t>(found - required_.begin()));
            if (found == required_.end())
                required_.push_back(
                    {provider_of(feature.base_name), feature.base_name, feature.options});
        }
    }
}

std::vector<RequiredFeature> Model::required_features() const
{
    return required_;
}

void Model::set_option(const std::string &extractor, const std::string &option,
                       const std::string &value)
{
    const bool any = std::any_of(required_.begin(), required_.end(), [&](const auto &feature) {
        return !extractor.empty() && feature.extractor == extractor;
    });
    if (!any)
        fail(VMAFX_E_NOTFOUND, "extractor", "no feature of model %.100s comes from \"%.100s\"",
             name().c_str(), extractor.c_str());
    for (Regressor &regressor : regressors_)
        for (size_t i = 0; i < regressor.features().size(); i++)
            if (provider_of(regressor.features()[i].base_name) == extractor)
                regressor.set_option(i, option, value);
    find_required();
}

double Model::predict_one(size_t regressor, std::span<const double> features) const
{
    std::vector<double> inputs;
    inputs.reserve(inputs_[regressor].size());
    for (const size_t input : inputs_[regressor])
        inputs.push_back(features[input]);
    return regressors_[regressor].predict(inputs);
}

void Model::predict(std::span<const double> features, std::span<double> scores) const
{
    scores[0] = regressors_[0].finish(predict_one(0, features));
    if (is_set())
        predict_set(features, scores.subspan(1));
}

/** Statistics are taken of the raw predictions; transform and clip act on the statistics. */
void Model::predict_set(std::span<const double> features, std::span<double> scores) const
{
    const size_t count = regressors_.size() - 1;
    const Regressor &first = regressors_[1];
    std::vector<double> raw;
    for (size_t i = 0; i < count; i++) {
        raw.push_back(predict_one(i + 1, features));
        scores[i] = regressors_[i + 1].finish(raw.back());
    }
    const double mean = mean_of(raw);
    const double deviation = deviation_of(raw, mean);
    std::sort(raw.begin(), raw.end(),
              [](double a, double b) { return std::isnan(b) ? !std::isnan(a) : a < b; });

    constexpr double delta = 0.01;
    const double slope = (first.finish(mean + delta) - first.finish(mean - delta)) / (2.0 * delta);
    scores[count] = first.finish(mean);
    scores[count + 1] = deviation * slope;
    scores[count + 2] = first.finish(percentile(raw, 2.5));
    scores[count + 3] = first.finish(percentile(raw, 97.5));
}

} // namespace vmafx
