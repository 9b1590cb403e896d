/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One score for a range of frames.
 */
#ifndef VMAFX_CORE_POOLING_H
#define VMAFX_CORE_POOLING_H

#include <cstdint>
#include <optional>

#include "core/score_store.h"

namespace vmafx
{

struct PooledScore {
    double min, max, mean, harmonic_mean;

    /** method: VMAFX_POOL_*. Throws E_INVALID for another number. */
    double get(uint32_t method) const;
};

/** Frames first..last (inclusive) of which those are taken whose index is a multiple of n_subsample
 *  (0 and 1: all). */
struct PoolRange {
    uint64_t first, last;
    uint32_t n_subsample;
};

/** Throws E_INVALID unless method is one of VMAFX_POOL_*. */
void check_method(uint32_t method);

/** The first frame that the range takes and that has no score; nothing if all have one, or if the
 *  range takes none. */
std::optional<uint64_t> first_missing(const ScoreColumn &column, const PoolRange &range);

/** Throws E_NOTFOUND if a frame of the range has no score, E_RANGE if no frame is in the range. */
PooledScore pool(const ScoreColumn &column, const PoolRange &range);

} // namespace vmafx

#endif
