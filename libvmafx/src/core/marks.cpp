/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/marks.h"

#include "core/failure.h"

namespace vmafx
{

void MarkList::start(uint64_t value)
{
    value_ = value;
    expected_.clear();
}

uint64_t *MarkList::take(size_t count)
{
    if (count > capacity_ - expected_.size())
        fail(VMAFX_E_INTERNAL, "", "a frame has more kernels than the %zu marks that were counted",
             capacity_);
    return words_ + expected_.size();
}

vx::Mark MarkList::next()
{
    uint64_t *word = take(1);
    expected_.push_back(value_);
    return {word, value_};
}

uint64_t *MarkList::expect(std::span<const Stamp> stamps)
{
    uint64_t *words = take(stamps.size());
    for (const Stamp &stamp : stamps)
        expected_.push_back(stamp.value);
    return words;
}

size_t MarkList::missing(const uint64_t *words) const
{
    size_t count = 0;
    for (size_t i = 0; i < expected_.size(); ++i)
        count += words[i] != expected_[i];
    return count;
}

std::vector<uint64_t> MarkList::stamps(const uint64_t *words, bool seen) const
{
    std::vector<uint64_t> values;
    for (size_t i = 0; i < expected_.size(); ++i)
        if (expected_[i] != value_ && (words[i] == expected_[i]) == seen)
            values.push_back(expected_[i]);
    return values;
}

std::vector<uint64_t> MarkList::missing_stamps(const uint64_t *words) const
{
    return stamps(words, false);
}

std::vector<uint64_t> MarkList::stamps_seen(const uint64_t *words) const
{
    return stamps(words, true);
}

} // namespace vmafx
