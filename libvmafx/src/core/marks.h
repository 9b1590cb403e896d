/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How lost commands are found. Every kernel leaves a mark, every upload carries a stamp; both are
 * numbers that the device has not used before (Device::new_stamp), so that an old one never passes.
 */
#ifndef VMAFX_CORE_MARKS_H
#define VMAFX_CORE_MARKS_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/mark.h"

namespace vmafx
{

/** A number that a command writes at the end of the memory that it fills. */
struct Stamp {
    const uint64_t *word = nullptr; /* on the device */
    uint64_t value = 0;
};

/** The marks of one run of a frame: words on the device, and what they have to hold. */
class MarkList
{
  public:
    MarkList() = default;
    MarkList(uint64_t *words, size_t capacity) : words_(words), capacity_(capacity)
    {
        expected_.reserve(capacity);
    }

    /** Forgets what was expected; launches from here on leave this value. */
    void start(uint64_t value);
    /** The mark of the next launch. Throws E_INTERNAL when there is no word left. */
    vx::Mark next();
    /** Words one after the other where a kernel will copy the stamps to. */
    uint64_t *expect(std::span<const Stamp> stamps);

    size_t size() const { return expected_.size(); }
    /** How many of size() words, copied to the host, do not hold what they have to. */
    size_t missing(const uint64_t *words) const;
    /** The stamps among those, and among the others. */
    std::vector<uint64_t> missing_stamps(const uint64_t *words) const;
    std::vector<uint64_t> stamps_seen(const uint64_t *words) const;

  private:
    std::vector<uint64_t> stamps(const uint64_t *words, bool seen) const;
    uint64_t *take(size_t count);

    uint64_t *words_ = nullptr;
    size_t capacity_ = 0;
    uint64_t value_ = 0;
    std::vector<uint64_t> expected_;
};

} // namespace vmafx

#endif
