/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a model does to the predicted value: a polynomial, a piecewise-linear map, rectification.
 */
#ifndef VMAFX_MODEL_TRANSFORM_H
#define VMAFX_MODEL_TRANSFORM_H

#include <optional>
#include <vector>

#include "model/json_node.h"

namespace vmafx
{

struct Knot {
    double x, y;
};

struct ScoreTransform {
    bool enabled = false;
    std::optional<double> p0, p1, p2;
    std::vector<Knot> knots;
    bool has_knots = false;
    bool out_lte_in = false; /* the result is at most the input */
    bool out_gte_in = false; /* the result is at least the input */

    double apply(double score) const;
};

ScoreTransform read_transform(const JsonNode &node);

} // namespace vmafx

#endif
