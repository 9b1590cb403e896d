/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/options.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>
#include <string_view>

#include "core/failure.h"

namespace vmafx
{

namespace
{

/* Numbers are read and written by <charconv>: the result must not depend on the host's locale. */

constexpr size_t kNameLimit = 255; /* bytes of a score name, as in libvmaf */

bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

std::string_view trim(std::string_view text)
{
    while (!text.empty() && is_space(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && is_space(text.back()))
        text.remove_suffix(1);
    return text;
}

struct Parsed {
    double value;
    std::errc error;
};

/** Reads the whole text as one decimal number of type T; nothing if it is none. */
template <class T> std::optional<Parsed> parse_whole(std::string_view text)
{
    text = trim(text);
    const bool plus = !text.empty() && text.front() == '+';
    if (plus)
        text.remove_prefix(1);
    if (text.empty() || (plus && text.front() == '-'))
        return std::nullopt;
    T value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ptr != text.data() + text.size() || result.ec == std::errc::invalid_argument)
        return std::nullopt;
    return Parsed{static_cast<double>(value), result.ec};
}

std::string general_text(double value)
{
    std::array<char, 64> text;
    const auto result =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 6);
    return std::string(text.data(), result.ptr);
}

std::string known_options(const OptionTable &table)
{
    std::string list;
    for (const OptionSpec &spec : table)
        list += std::string(list.empty() ? "" : ", ") + spec.name;
    return list.empty() ? "none" : list;
}

[[noreturn]] void refuse_value(const OptionSpec &spec, const std::string &text, const char *wanted)
{
    const std::string subject = std::string("options.") + spec.name;
    fail(VMAFX_E_INVALID, subject.c_str(), "value \"%.100s\" of option %s is not %s", text.c_str(),
         spec.name, wanted);
}

double parse_flag(const OptionSpec &spec, const std::string &text)
{
    if (text != "true" && text != "false")
        refuse_value(spec, text, "true or false");
    return text == "true";
}

double check_range(const OptionSpec &spec, const std::string &text, const Parsed &parsed)
{
    const bool inside = parsed.error == std::errc() && parsed.value >= spec.min &&
                        parsed.value <= spec.max; /* false for NaN */
    if (!inside) {
        const std::string subject = std::string("options.") + spec.name;
        fail(VMAFX_E_RANGE, subject.c_str(), "value %.100s of option %s lies outside %s..%s",
             text.c_str(), spec.name, general_text(spec.min).c_str(),
             general_text(spec.max).c_str());
    }
    return parsed.value + 0.0; /* -0 becomes 0 */
}

double parse_value(const OptionSpec &spec, const std::string &text)
{
    if (spec.type == OptionType::kBool)
        return parse_flag(spec, text);
    const bool whole = spec.type == OptionType::kInt;
    const auto parsed = whole ? parse_whole<int>(text) : parse_whole<double>(text);
    if (!parsed)
        refuse_value(spec, text, whole ? "a whole number" : "a number");
    return check_range(spec, text, *parsed);
}

const OptionSpec *find_spec(const OptionTable &table, const std::string &name)
{
    for (const OptionSpec &spec : table)
        if (name == spec.name)
            return &spec;
    return nullptr;
}

std::string default_text(const OptionSpec &spec)
{
    return spec.default_text ? spec.default_text : "";
}

} // namespace

std::string normalise_number(const std::string &text)
{
    const auto single = parse_whole<float>(text);
    if (!single)
        return text;
    if (single->error == std::errc())
        return general_text(single->value);
    /* Out of the range of a float: tiny numbers are 0, huge ones stay for the range check. */
    const auto wide = parse_whole<double>(text);
    return wide && wide->error == std::errc() && std::fabs(wide->value) < 1 ? "0" : text;
}

OptionDict parse_option_list(const std::string &list)
{
    OptionDict options;
    size_t start = 0;
    while (start < list.size()) {
        const size_t end = std::min(list.find(':', start), list.size());
        const std::string item = list.substr(start, end - start);
        const size_t equals = item.find('=');
        if (equals == std::string::npos || equals == 0)
            fail(VMAFX_E_INVALID, "options", "\"%.100s\" is not of the form name=value",
                 item.c_str());
        const std::string name = item.substr(0, equals);
        if (!options.emplace(name, normalise_number(item.substr(equals + 1))).second)
            fail(VMAFX_E_INVALID, ("options." + name).c_str(), "option %.100s is given twice",
                 name.c_str());
        start = end + 1;
    }
    return options;
}

OptionSet::OptionSet(const OptionTable &table, const OptionDict &values, bool strict)
    : table_(&table)
{
    for (const OptionSpec &spec : table) {
        const auto given = values.find(spec.name);
        const bool is_text = spec.type == OptionType::kString;
        const bool is_given = given != values.end();
        numbers_.push_back(is_given && !is_text ? parse_value(spec, given->second)
                                                : spec.default_value);
        texts_.push_back(!is_text ? std::string() : is_given ? given->second : default_text(spec));
    }
    if (!strict)
        return;
    for (const auto &[name, value] : values)
        if (!find_spec(table, name))
            fail(VMAFX_E_NOTFOUND, ("options." + name).c_str(),
                 "there is no option \"%.100s\"; known options: %s", name.c_str(),
                 known_options(table).c_str());
}

size_t OptionSet::find(const char *name) const
{
    const OptionSpec *spec = find_spec(*table_, name);
    if (!spec)
        fail(VMAFX_E_INTERNAL, "", "option %s is not in its table", name);
    return static_cast<size_t>(spec - table_->data());
}

bool OptionSet::flag(const char *name) const
{
    return numbers_[find(name)] != 0;
}

int OptionSet::integer(const char *name) const
{
    return static_cast<int>(numbers_[find(name)]);
}

double OptionSet::number(const char *name) const
{
    return numbers_[find(name)];
}

const std::string &OptionSet::text(const char *name) const
{
    return texts_[find(name)];
}

std::string OptionSet::suffix() const
{
    std::vector<size_t> changed;
    for (size_t i = 0; i < table_->size(); i++) {
        const OptionSpec &spec = (*table_)[i];
        const bool differs = spec.type == OptionType::kString ? texts_[i] != default_text(spec)
                                                              : numbers_[i] != spec.default_value;
        if (spec.in_name && differs)
            changed.push_back(i);
    }
    std::sort(changed.begin(), changed.end(), [this](size_t a, size_t b) {
        return std::strcmp((*table_)[a].name, (*table_)[b].name) < 0;
    });

    std::string text;
    for (const size_t i : changed) {
        const OptionSpec &spec = (*table_)[i];
        text += std::string("_") + (spec.alias ? spec.alias : spec.name);
        if (spec.type == OptionType::kInt)
            text += "_" + std::to_string(static_cast<int>(numbers_[i]));
        else if (spec.type == OptionType::kDouble)
            text += "_" + general_text(numbers_[i]);
        else if (spec.type == OptionType::kString)
            text += "_" + texts_[i];
    }
    return text;
}

std::string OptionSet::score_name(const std::string &base) const
{
    const std::string tail = suffix();
    return tail.empty() ? base : (alias_of(base) + tail).substr(0, kNameLimit);
}

std::string OptionSet::identity(const std::string &extractor) const
{
    return score_name(extractor);
}

namespace
{

constexpr std::string_view kAliasedScores[] = {
    "adm2",    "aim",        "adm3",       "motion",     "motion2",
    "motion3", "vif_scale0", "vif_scale1", "vif_scale2", "vif_scale3",
};
constexpr std::string_view kAliasedFloatScores[] = {"adm_scale0", "adm_scale1", "adm_scale2",
                                                    "adm_scale3"};
constexpr std::string_view kSpeedChannels[] = {"u", "v", "uv"};

/** What stands between prefix and "_score", or nothing if the name is not of that form. */
std::string_view middle(std::string_view name, std::string_view prefix)
{
    constexpr std::string_view tail = "_score";
    if (!name.starts_with(prefix) || !name.ends_with(tail) ||
        name.size() < prefix.size() + tail.size())
        return {};
    return name.substr(prefix.size(), name.size() - prefix.size() - tail.size());
}

template <size_t N> bool contains(const std::string_view (&list)[N], std::string_view item)
{
    return std::find(std::begin(list), std::end(list), item) != std::end(list);
}

} // namespace

std::string alias_of(const std::string &name)
{
    if (name == "Cambi_feature_cambi_score")
        return "cambi";
    if (name == "Speed_temporal_feature_speed_temporal_score")
        return "speed_temporal";
    const std::string_view whole = middle(name, "VMAF_integer_feature_");
    if (contains(kAliasedScores, whole))
        return "integer_" + std::string(whole);
    const std::string_view real = middle(name, "VMAF_feature_");
    if (contains(kAliasedScores, real) || contains(kAliasedFloatScores, real))
        return std::string(real);
    const std::string_view speed = middle(name, "Speed_chroma_feature_speed_chroma_");
    if (contains(kSpeedChannels, speed))
        return "speed_chroma_" + std::string(speed);
    return name;
}

} // namespace vmafx
