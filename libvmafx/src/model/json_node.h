/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A JSON value together with its place in the file, so that every complaint says where.
 */
#ifndef VMAFX_MODEL_JSON_NODE_H
#define VMAFX_MODEL_JSON_NODE_H

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace vmafx
{

using Json = nlohmann::ordered_json;

/** All accessors throw E_INVALID, naming the place, if the value is of another type. */
class JsonNode
{
  public:
    JsonNode(const Json &value, std::string place) : value_(&value), place_(std::move(place)) {}

    const std::string &place() const { return place_; }
    bool is_object() const;

    std::optional<JsonNode> find(const char *member) const;
    JsonNode require(const char *member) const;
    std::vector<std::pair<std::string, JsonNode>> members() const;

    std::vector<JsonNode> elements() const;
    double number() const;
    bool flag() const;
    const std::string &text() const;
    std::vector<double> numbers() const;
    /** Text of a scalar as option value: numbers are normalised, strings stay as they are. */
    std::string option_text() const;

    /** Throws E_INVALID with the place in front. */
    [[noreturn]] void refuse(const std::string &what) const;

  private:
    const Json *value_;
    std::string place_;
};

struct JsonDeleter {
    void operator()(Json *json) const;
};
using JsonDocument = std::unique_ptr<Json, JsonDeleter>;

/** Parses a text. Throws E_INVALID for broken JSON, members given twice and excessive nesting. */
JsonDocument parse_json(std::string_view text);

} // namespace vmafx

#endif
