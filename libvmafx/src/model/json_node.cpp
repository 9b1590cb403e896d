/* SPDX-License-Identifier: BSD-2-Clause */
#include "model/json_node.h"

#include <set>

#include <nlohmann/json.hpp>

#include "core/failure.h"
#include "features/options.h"

namespace vmafx
{

namespace
{

/* Far above what a model file has; they bound the work that a hostile file can cause. */
constexpr int kMaxDepth = 16;
constexpr size_t kMaxMembers = 4096;

/** Watches a parse: what the tree of values cannot tell any more is refused here. */
class ParseWatch
{
  public:
    bool operator()(int depth, Json::parse_event_t event, const Json &value)
    {
        if (event == Json::parse_event_t::object_start)
            objects_.emplace_back();
        else if (event == Json::parse_event_t::object_end)
            objects_.pop_back();
        else if (event == Json::parse_event_t::key)
            add_member(value.get_ref<const std::string &>());
        if (depth > kMaxDepth)
            fail(VMAFX_E_INVALID, "model", "nested deeper than %d levels", kMaxDepth);
        return true;
    }

  private:
    void add_member(const std::string &name)
    {
        if (!objects_.back().insert(name).second)
            fail(VMAFX_E_INVALID, "model", "member \"%.80s\" is given twice", name.c_str());
        if (objects_.back().size() > kMaxMembers)
            fail(VMAFX_E_INVALID, "model", "an object has more than %zu members", kMaxMembers);
    }

    std::vector<std::set<std::string>> objects_;
};

/** The library's messages begin with "[json.exception...] ", which tells a user nothing. */
std::string plain_message(const std::string &what)
{
    const size_t end = what.find("] ");
    return what.starts_with("[json.") && end != std::string::npos ? what.substr(end + 2) : what;
}

} // namespace

void JsonDeleter::operator()(Json *json) const
{
    delete json;
}

JsonDocument parse_json(std::string_view text)
{
    try {
        ParseWatch watch;
        Json root = Json::parse(text.begin(), text.end(),
                                [&watch](int depth, Json::parse_event_t event, Json &value) {
                                    return watch(depth, event, value);
                                });
        return JsonDocument(std::make_unique<Json>(std::move(root)).release());
    } catch (const Json::exception &exception) {
        fail(VMAFX_E_INVALID, "model", "%s", plain_message(exception.what()).c_str());
    }
}

void JsonNode::refuse(const std::string &what) const
{
    fail(VMAFX_E_INVALID, "model", "%.200s %s", place_.empty() ? "the file" : place_.c_str(),
         what.c_str());
}

bool JsonNode::is_object() const
{
    return value_->is_object();
}

std::optional<JsonNode> JsonNode::find(const char *member) const
{
    if (!is_object())
        refuse("is not an object");
    const auto found = value_->find(member);
    if (found == value_->end())
        return std::nullopt;
    return JsonNode(*found, place_.empty() ? member : place_ + "." + member);
}

JsonNode JsonNode::require(const char *member) const
{
    auto found = find(member);
    if (!found)
        refuse(std::string("has no member \"") + member + "\"");
    return *found;
}

std::vector<std::pair<std::string, JsonNode>> JsonNode::members() const
{
    if (!is_object())
        refuse("is not an object");
    std::vector<std::pair<std::string, JsonNode>> list;
    for (const auto &[name, value] : value_->items())
        list.emplace_back(name, JsonNode(value, place_.empty() ? name : place_ + "." + name));
    return list;
}

std::vector<JsonNode> JsonNode::elements() const
{
    if (!value_->is_array())
        refuse("is not an array");
    std::vector<JsonNode> list;
    for (const Json &value : *value_)
        list.emplace_back(value, place_ + "[" + std::to_string(list.size()) + "]");
    return list;
}

double JsonNode::number() const
{
    if (!value_->is_number())
        refuse("is not a number");
    return value_->get<double>();
}

bool JsonNode::flag() const
{
    if (!value_->is_boolean())
        refuse("is not true or false");
    return value_->get<bool>();
}

const std::string &JsonNode::text() const
{
    if (!value_->is_string())
        refuse("is not a string");
    return value_->get_ref<const std::string &>();
}

std::vector<double> JsonNode::numbers() const
{
    std::vector<double> list;
    for (const JsonNode &element : elements())
        list.push_back(element.number());
    return list;
}

std::string JsonNode::option_text() const
{
    if (value_->is_string())
        return text();
    if (value_->is_boolean())
        return flag() ? "true" : "false";
    if (!value_->is_number())
        refuse("is not a number, a string, true or false");
    return normalise_number(value_->dump());
}

} // namespace vmafx
