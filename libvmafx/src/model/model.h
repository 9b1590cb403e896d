/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A model as a context uses it: a single model or a bootstrap set under one name.
 */
#ifndef VMAFX_MODEL_MODEL_H
#define VMAFX_MODEL_MODEL_H

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/regressor.h"

namespace vmafx
{

/** A feature that a model needs. */
struct RequiredFeature {
    std::string extractor; /* "adm"; empty: no extractor is known to provide it */
    std::string base_name; /* "VMAF_integer_feature_adm2_score" */
    OptionDict options;    /* the model's options for it, overloads merged */
};

class Model
{
  public:
    /** Reads a JSON text. flags: VMAFX_MODEL_*. Throws E_INVALID, E_NOTSUP. */
    Model(std::string_view json, const std::string &name, uint32_t flags);

    const std::string &name() const { return score_names_.front(); }
    bool is_set() const { return regressors_.size() > 1; }

    /** All features needed, each once, in the order of the model's file. */
    std::vector<RequiredFeature> required_features() const;

    /** Sets an option of all features of an extractor. Throws E_NOTFOUND if there are none. */
    void set_option(const std::string &extractor, const std::string &option,
                    const std::string &value);

    /**
     * Names of the scores of a frame. The first is name(), the model trained on all data. A set has
     * further NAME_0001, …, then NAME_bagging, NAME_stddev, NAME_ci_p95_lo, NAME_ci_p95_hi.
     * libvmaf stores the first names of all models before the rest of the sets.
     */
    const std::vector<std::string> &score_names() const { return score_names_; }

    /**
     * Predicts one frame.
     * @param features one score per element of required_features(), in its order
     * @param scores one per element of score_names()
     */
    void predict(std::span<const double> features, std::span<double> scores) const;

  private:
    void find_required();
    double predict_one(size_t regressor, std::span<const double> features) const;
    void predict_set(std::span<const double> features, std::span<double> scores) const;

    std::vector<Regressor> regressors_; /* [0]: on all data; the rest: the bootstrap set */
    std::vector<std::string> score_names_;
    std::vector<RequiredFeature> required_;
    std::vector<std::vector<size_t>> inputs_; /* per regressor: its features in required_ */
};

/** Loads a built-in model. Throws E_NOTFOUND listing the built-in ones. */
std::shared_ptr<Model> load_builtin_model(const std::string &version, const std::string &name,
                                          uint32_t flags);

/** Loads a file: absolute, relative, or in a folder of VMAFX_MODEL_PATH. Throws E_NOTFOUND, E_IO,
 *  E_INVALID. */
std::shared_ptr<Model> load_model_file(const std::string &path, const std::string &name,
                                       uint32_t flags);

} // namespace vmafx

#endif
