/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Support vector regression with an RBF kernel, as read from libsvm's text format.
 */
#ifndef VMAFX_MODEL_SVM_H
#define VMAFX_MODEL_SVM_H

#include <span>
#include <string_view>
#include <vector>

namespace vmafx
{

class Svm
{
  public:
    /**
     * Reads a text whose vectors have up to `dimensions` components. Throws E_INVALID with the line
     * at fault, E_NOTSUP for another kind of machine or kernel.
     */
    Svm(std::string_view text, size_t dimensions);

    size_t vector_count() const { return coefficients_.size(); }

    /** The decision value at x. Every sum is in file order: the result is exact to the last bit. */
    double evaluate(std::span<const double> x) const;

  private:
    size_t dimensions_;
    double gamma_ = 0;
    double rho_ = 0;
    std::vector<double> coefficients_;
    std::vector<double> vectors_; /* dimensions_ per vector, absent components are 0 */
};

} // namespace vmafx

#endif
