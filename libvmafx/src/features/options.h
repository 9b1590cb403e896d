/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Options of feature extractors and the score names that follow from them, as libvmaf forms them.
 */
#ifndef VMAFX_FEATURES_OPTIONS_H
#define VMAFX_FEATURES_OPTIONS_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace vmafx
{

enum class OptionType { kBool, kInt, kDouble, kString };

struct OptionSpec {
    const char *name;
    const char *alias; /* in score names; nullptr: the full name */
    OptionType type;
    double default_value;               /* bool: 0 or 1 */
    double min, max;                    /* inclusive; unused for bool and string */
    bool in_name;                       /* part of score names when it differs from the default */
    const char *default_text = nullptr; /* strings only */
};

using OptionTable = std::vector<OptionSpec>;

/** Option texts as they were given: option name -> value text. */
using OptionDict = std::map<std::string, std::string>;

/** Rewrites a numeric text as libvmaf does: strtof, then "%g". Other texts stay untouched. */
std::string normalise_number(const std::string &text);

/** Splits "name=value:name=value" and normalises the values. Throws E_INVALID. */
OptionDict parse_option_list(const std::string &list);

/** Parsed values of one extractor instance. */
class OptionSet
{
  public:
    /** Throws E_NOTFOUND for an unknown option (listing the known ones) if strict, E_INVALID or
     *  E_RANGE for a bad value; the subject is "options.NAME". */
    OptionSet(const OptionTable &table, const OptionDict &values, bool strict);

    /** Whether it was parsed by this table, which may be equal to another one. */
    bool is_of(const OptionTable &table) const { return table_ == &table; }

    bool flag(const char *name) const;
    int integer(const char *name) const;
    double number(const char *name) const;
    const std::string &text(const char *name) const;

    /** The stored name of a score with this base name: unchanged, or alias plus suffix. */
    std::string score_name(const std::string &base) const;

    bool operator==(const OptionSet &) const = default;

    /** Equal for two sets whose name-forming options agree. */
    std::string identity(const std::string &extractor) const;

  private:
    const OptionTable *table_;
    std::vector<double> numbers_;
    std::vector<std::string> texts_;
    size_t find(const char *name) const;
    std::string suffix() const;
};

/** The name under which reports show a base name ("VMAF_integer_feature_adm2_score" ->
 *  "integer_adm2"); other names are returned unchanged. */
std::string alias_of(const std::string &name);

} // namespace vmafx

#endif
