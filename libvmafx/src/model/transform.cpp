/* SPDX-License-Identifier: BSD-2-Clause */
#include "model/transform.h"

#include <cmath>

namespace vmafx
{

namespace
{

constexpr size_t kMaxKnots = 10;

double polynomial(const ScoreTransform &transform, double u)
{
    double y = 0;
    if (transform.p0)
        y += *transform.p0;
    if (transform.p1)
        y += *transform.p1 * u;
    if (transform.p2)
        y += *transform.p2 * u * u;
    return y;
}

/** The line through a and b at x. A horizontal piece and one from x = 0 have forms of their own, as
 *  the last bits depend on it. */
double line(const Knot &a, const Knot &b, double x)
{
    if (a.y == b.y)
        return a.y;
    if (a.x == 0) {
        const double slope = (b.y - a.y) / b.x;
        return slope * x + a.y;
    }
    const double slope = (b.y - a.y) / (b.x - a.x);
    const double offset = a.y - a.x * slope;
    return slope * x + offset;
}

/** The map ends at the first piece that does not rise; without any piece it gives 0. */
double piecewise_linear(const std::vector<Knot> &knots, double x)
{
    if (knots.size() < 2)
        return x;
    double y = 0;
    const size_t pieces = knots.size() - 1;
    for (size_t i = 0; i < pieces; i++) {
        const Knot &a = knots[i], &b = knots[i + 1];
        if (!(a.x < b.x && a.y <= b.y))
            break;
        const bool inside = a.x <= x && x <= b.x;
        const bool before = i == 0 && x < a.x;
        const bool after = i == pieces - 1 && x > b.x;
        if (inside || before || after)
            y = line(a, b, x);
    }
    return y;
}

/** A flag that model files spell as a string. */
bool text_flag(const JsonNode &node, const char *member)
{
    const auto found = node.find(member);
    return found && found->text() == "true";
}

std::optional<double> optional_number(const JsonNode &node, const char *member)
{
    const auto found = node.find(member);
    return found ? std::optional(found->number()) : std::nullopt;
}

} // namespace

double ScoreTransform::apply(double score) const
{
    double y = p0 || p1 || p2 ? polynomial(*this, score) : score;
    if (has_knots)
        y = piecewise_linear(knots, y);
    if (out_lte_in && y > score)
        y = score;
    if (out_gte_in && y < score)
        y = score;
    return y;
}

ScoreTransform read_transform(const JsonNode &node)
{
    ScoreTransform transform;
    const auto enabled = node.find("enabled");
    transform.enabled = enabled && enabled->flag();
    transform.p0 = optional_number(node, "p0");
    transform.p1 = optional_number(node, "p1");
    transform.p2 = optional_number(node, "p2");
    transform.out_lte_in = text_flag(node, "out_lte_in");
    transform.out_gte_in = text_flag(node, "out_gte_in");
    const auto knots = node.find("knots");
    if (!knots)
        return transform;
    transform.has_knots = true;
    for (const JsonNode &element : knots->elements()) {
        const std::vector<double> point = element.numbers();
        if (point.size() != 2)
            element.refuse("is not a pair [x, y]");
        transform.knots.push_back({point[0], point[1]});
    }
    if (transform.knots.size() > kMaxKnots)
        knots->refuse("has more than 10 knots");
    return transform;
}

} // namespace vmafx
