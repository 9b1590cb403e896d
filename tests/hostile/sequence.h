/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The pictures that programs score, and the scores that they have to get.
 */
#ifndef TESTS_HOSTILE_SEQUENCE_H
#define TESTS_HOSTILE_SEQUENCE_H

#include <cstdint>
#include <vector>

#include "support/picture.h"
#include "support/scores.h"

/** Size and layout, at most as large as its memory. */
struct Format {
    const char *name;
    uint32_t layout, bits, width, height;

    const support::LayoutFacts &facts() const { return support::facts_of(layout); }
};

const std::vector<Format> &all_formats();

/** A few pairs of pictures of one format. Lives as long as the process. */
class Sequence
{
  public:
    static constexpr uint32_t kPairs = 10;
    static constexpr uint32_t kVariants = 2;
    static const Sequence &get(const Format &format, uint32_t variant);

    const Format &format() const { return format_; }
    const support::Picture &picture(bool distorted, uint32_t i) const;
    const std::vector<support::PackedPlane> &planes(bool distorted, uint32_t i) const;

  private:
    Sequence(const Format &format, uint32_t variant);

    const Format &format_;
    std::vector<support::Picture> pictures_[2];
    std::vector<std::vector<support::PackedPlane>> planes_[2];
};

/** What a context is asked for. */
struct Wish {
    bool everything; /* else psnr and motion */
    uint32_t n_subsample;

    void register_on(const support::Context &context) const;
};

/** The scores of the first pairs as uploads. The first time they are computed, for which the
 * machine has to be the plain one. */
const support::AllScores &expected_scores(const Sequence &sequence, const Wish &wish,
                                          uint32_t pairs);

#endif
