/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/predictor.h"

#include "core/failure.h"

namespace vmafx
{

Predictor::Predictor(std::shared_ptr<const Model> model) : model_(std::move(model))
{
    for (const RequiredFeature &required : model_->required_features()) {
        const FeatureDescription *feature = find_provider(required.base_name);
        if (!feature)
            fail(VMAFX_E_NOTFOUND, "model",
                 "model \"%s\" needs the feature %s%s%s, which this library does not have",
                 model_->name().c_str(), required.base_name.c_str(),
                 required.extractor.empty() ? "" : " of extractor ", required.extractor.c_str());
        OptionSet options(*feature->options, required.options, true);
        names_.push_back(options.score_name(required.base_name));
        inputs_.push_back({feature, std::move(options)});
    }
    features_.resize(names_.size());
    scores_.resize(model_->score_names().size());
}

bool Predictor::fetch(const ScoreStore &scores, uint64_t index)
{
    for (size_t i = 0; i < names_.size(); ++i) {
        const auto score = scores.find(names_[i], index);
        if (!score)
            return false;
        features_[i] = *score;
    }
    return true;
}

void Predictor::store_first(ScoreStore &scores, uint64_t index)
{
    model_->predict(features_, scores_);
    scores.write(model_->name(), index, scores_.front());
}

void Predictor::store_rest(ScoreStore &scores, uint64_t index) const
{
    for (size_t i = 1; i < scores_.size(); ++i)
        scores.write(model_->score_names()[i], index, scores_[i]);
}

} // namespace vmafx
