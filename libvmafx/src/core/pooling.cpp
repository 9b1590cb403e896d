/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/pooling.h"

#include <algorithm>
#include <cinttypes>

#include <libvmafx/score.h>

#include "core/failure.h"

namespace vmafx
{

double PooledScore::get(uint32_t method) const
{
    switch (method) {
    case VMAFX_POOL_MIN:
        return min;
    case VMAFX_POOL_MAX:
        return max;
    case VMAFX_POOL_MEAN:
        return mean;
    case VMAFX_POOL_HARMONIC_MEAN:
        return harmonic_mean;
    default:
        fail(VMAFX_E_INVALID, "method", "there is no pooling method %u; use VMAFX_POOL_*", method);
    }
}

void check_method(uint32_t method)
{
    PooledScore{0, 0, 0, 0}.get(method);
}

std::optional<uint64_t> first_missing(const ScoreColumn &column, const PoolRange &range)
{
    const uint64_t step = std::max<uint32_t>(range.n_subsample, 1);
    const uint64_t rest = range.first % step;
    uint64_t next = rest ? step - rest : 0; /* relative to the first */
    if (range.first > range.last || next > range.last - range.first)
        return std::nullopt;
    next += range.first;
    for (const ScoreColumn::Entry &entry : column.entries()) {
        if (entry.index < next)
            continue;
        if (entry.index > next)
            return next;
        if (range.last - next < step)
            return std::nullopt;
        next += step;
    }
    return next;
}

PooledScore pool(const ScoreColumn &column, const PoolRange &range)
{
    const uint64_t step = std::max<uint32_t>(range.n_subsample, 1);
    const uint64_t rest = range.first % step;
    const uint64_t skipped = rest ? step - rest : 0; /* frames before the first one taken */
    if (range.first > range.last || skipped > range.last - range.first)
        fail(VMAFX_E_RANGE, "first", "no frame of %" PRIu64 "..%" PRIu64 " is scored", range.first,
             range.last);

    const auto &entries = column.entries();
    auto entry = std::lower_bound(
        entries.begin(), entries.end(), range.first + skipped,
        [](const ScoreColumn::Entry &e, uint64_t index) { return e.index < index; });

    /* As in libvmaf, minimum and maximum start from the score of the very first frame of the range;
     * if subsampling skips that one they start from 0. */
    PooledScore pooled = {0, 0, 0, 0};
    if (!skipped && entry != entries.end())
        pooled.min = pooled.max = entry->value;
    double sum = 0, inverse_sum = 0;
    uint64_t count = 0;
    for (uint64_t index = range.first + skipped;; index += step) {
        while (entry != entries.end() && entry->index < index)
            ++entry;
        if (entry == entries.end() || entry->index != index)
            fail(VMAFX_E_NOTFOUND, "name", "frame %" PRIu64 " has no score %s", index,
                 column.alias().c_str());
        const double score = entry->value;
        sum += score;
        inverse_sum += 1.0 / (score + 1.0);
        if (score < pooled.min)
            pooled.min = score;
        if (score > pooled.max)
            pooled.max = score;
        count++;
        if (range.last - index < step)
            break;
    }
    pooled.mean = sum / static_cast<double>(count);
    pooled.harmonic_mean = static_cast<double>(count) / inverse_sum - 1.0;
    return pooled;
}

} // namespace vmafx
