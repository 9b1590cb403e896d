/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/score_store.h"

#include <algorithm>
#include <cinttypes>

#include "core/failure.h"
#include "features/options.h"

namespace vmafx
{

namespace
{

bool entry_before(const ScoreColumn::Entry &entry, uint64_t index)
{
    return entry.index < index;
}

} // namespace

ScoreColumn::ScoreColumn(std::string name) : name_(std::move(name)), alias_(alias_of(name_)) {}

std::optional<double> ScoreColumn::at(uint64_t index) const
{
    const auto found = std::lower_bound(entries_.begin(), entries_.end(), index, entry_before);
    if (found == entries_.end() || found->index != index)
        return std::nullopt;
    return found->value;
}

void ScoreColumn::write(uint64_t index, double value)
{
    if (entries_.empty() || entries_.back().index < index) {
        entries_.push_back({index, value});
        return;
    }
    const auto place = std::lower_bound(entries_.begin(), entries_.end(), index, entry_before);
    if (place->index == index)
        fail(VMAFX_E_INVALID, name_.c_str(), "frame %" PRIu64 " has a score %s already", index,
             name_.c_str());
    entries_.insert(place, {index, value});
}

ScoreColumn &ScoreStore::column(const std::string &name)
{
    const auto [place, is_new] = by_name_.try_emplace(name, columns_.size());
    if (is_new) {
        columns_.emplace_back(name);
        by_alias_.try_emplace(columns_.back().alias(), place->second);
    }
    return columns_[place->second];
}

void ScoreStore::declare(const std::string &name)
{
    column(name);
}

void ScoreStore::write(const std::string &name, uint64_t index, double value)
{
    column(name).write(index, value);
}

void ScoreStore::write_aggregate(const std::string &name, double value)
{
    if (find_aggregate(name))
        fail(VMAFX_E_INVALID, name.c_str(), "there is an aggregate %s already", name.c_str());
    aggregates_.push_back({name, value});
}

std::optional<size_t> ScoreStore::place_of(const std::string &name) const
{
    if (const auto found = by_name_.find(name); found != by_name_.end())
        return found->second;
    if (const auto found = by_alias_.find(name); found != by_alias_.end())
        return found->second;
    return std::nullopt;
}

const ScoreColumn *ScoreStore::find(const std::string &name) const
{
    const auto place = place_of(name);
    return place ? &columns_[*place] : nullptr;
}

std::optional<double> ScoreStore::find(const std::string &name, uint64_t index) const
{
    const ScoreColumn *column = find(name);
    return column ? column->at(index) : std::nullopt;
}

std::optional<double> ScoreStore::find_aggregate(const std::string &name) const
{
    for (const Aggregate &aggregate : aggregates_)
        if (aggregate.name == name)
            return aggregate.value;
    return std::nullopt;
}

} // namespace vmafx
