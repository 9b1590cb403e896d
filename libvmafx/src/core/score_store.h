/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The scores of a session: one column per score name, and values of the whole sequence.
 */
#ifndef VMAFX_CORE_SCORE_STORE_H
#define VMAFX_CORE_SCORE_STORE_H

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace vmafx
{

/** The scores of one name, in the order of frame indices. */
class ScoreColumn
{
  public:
    struct Entry {
        uint64_t index;
        double value;
    };

    explicit ScoreColumn(std::string name);

    const std::string &name() const { return name_; }   /* as it was written */
    const std::string &alias() const { return alias_; } /* as reports show it */
    const std::vector<Entry> &entries() const { return entries_; }
    std::optional<double> at(uint64_t index) const;

    /** Throws E_INVALID if the frame has a score already. */
    void write(uint64_t index, double value);

  private:
    std::string name_, alias_;
    std::vector<Entry> entries_; /* sorted; frames may be far apart, so no array by index */
};

/** Not thread-safe. References to columns and aggregates stay valid as long as the store. */
class ScoreStore
{
  public:
    struct Aggregate {
        std::string name;
        double value;
    };

    /** Throws E_INVALID for a second write of a name at an index. */
    void write(const std::string &name, uint64_t index, double value);
    /** Throws E_INVALID for a second write of a name. */
    void write_aggregate(const std::string &name, double value);

    /** Makes the column of a name that will be written; one that is there stays. */
    void declare(const std::string &name);

    /** In the order of declaration, else of first write. */
    const std::deque<ScoreColumn> &columns() const { return columns_; }
    const std::deque<Aggregate> &aggregates() const { return aggregates_; }

    /** By stored name, else by alias; NULL if there is none. */
    const ScoreColumn *find(const std::string &name) const;
    /** Place in columns() of what find() gives. */
    std::optional<size_t> place_of(const std::string &name) const;
    std::optional<double> find(const std::string &name, uint64_t index) const;
    std::optional<double> find_aggregate(const std::string &name) const;

  private:
    ScoreColumn &column(const std::string &name);

    std::deque<ScoreColumn> columns_;
    std::deque<Aggregate> aggregates_;
    std::unordered_map<std::string, size_t> by_name_, by_alias_;
};

} // namespace vmafx

#endif
