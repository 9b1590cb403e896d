/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Pairs of RGB and grey pictures made of integers alone, and what the reference program printed for
 * them.
 */
#ifndef TESTS_SSIMULACRA2_REFERENCE_PICTURES_H
#define TESTS_SSIMULACRA2_REFERENCE_PICTURES_H

#include <string>
#include <vector>

#include "kernels/clip.h"

namespace vmafx_test
{

struct ReferencePair {
    std::string name;
    int width, height;
    bool grey, deep;  /* luma alone; 16 bits */
    int shade;        /* what the light of the scene is divided by */
    double score;     /* of the reference program */
    double allowance; /* how far its rounding may take it from the formulas */
};

const std::vector<ReferencePair> &reference_pairs();

/** Planes G, B, R, or luma, of full range. */
ClipPair clips_of(const ReferencePair &pair);

/** Writes NAME_reference and NAME_distorted as files that the reference program reads. */
void write_pictures(const ReferencePair &pair, const std::string &folder);

} // namespace vmafx_test

#endif
