/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A model in a context: where its features stand in the score store, and its scores per frame.
 */
#ifndef VMAFX_CORE_PREDICTOR_H
#define VMAFX_CORE_PREDICTOR_H

#include <memory>
#include <string>
#include <vector>

#include "core/score_store.h"
#include "features/feature.h"
#include "model/model.h"

namespace vmafx
{

class Predictor
{
  public:
    /** A feature of the model, found. */
    struct Input {
        const FeatureDescription *feature;
        OptionSet options;
    };

    /** Throws E_NOTFOUND naming a feature that this library does not have, E_INVALID or E_RANGE for
     * an option of the model. */
    explicit Predictor(std::shared_ptr<const Model> model);

    const Model &model() const { return *model_; }
    const std::vector<Input> &inputs() const { return inputs_; }

    /** Stored names of the features. */
    const std::vector<std::string> &feature_names() const { return names_; }

    /** true if all features of the frame are in the store; keeps them for store_first(). */
    bool fetch(const ScoreStore &scores, uint64_t index);
    /** Predicts the fetched frame and stores the score of the model proper. */
    void store_first(ScoreStore &scores, uint64_t index);
    /** Stores what a bootstrap set has besides. */
    void store_rest(ScoreStore &scores, uint64_t index) const;

  private:
    std::shared_ptr<const Model> model_;
    std::vector<Input> inputs_;
    std::vector<std::string> names_; /* stored names of the features */
    std::vector<double> features_;
    std::vector<double> scores_;
};

} // namespace vmafx

#endif
