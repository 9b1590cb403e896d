/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Pairs of pictures and their scores as uploads, which imports of the same samples must get too.
 */
#ifndef TESTS_IMPORT_PICTURE_PAIRS_H
#define TESTS_IMPORT_PICTURE_PAIRS_H

#include <vector>

#include "support/picture.h"
#include "support/scores.h"
#include "support/shared_memory.h"

struct PicturePair {
    support::Picture reference, distorted;
};

/** A few frames of one format: natural and random ones. */
inline std::vector<PicturePair> picture_pairs(uint32_t chroma, uint32_t bits, uint32_t width,
                                              uint32_t height, uint32_t seed = 1)
{
    using namespace support;
    std::vector<PicturePair> pairs;
    for (uint32_t i = 0; i < 2; ++i) {
        const Picture natural = natural_picture(chroma, bits, width, height, seed + i);
        pairs.push_back({natural, distorted(natural, seed + 50 + i)});
    }
    pairs.push_back({random_picture(chroma, bits, width, height, seed + 7),
                     random_picture(chroma, bits, width, height, seed + 8)});
    return pairs;
}

/** Scores pairs of imports, each made by `import_one(picture)`, which returns a Frame. */
template <class ImportOne>
support::AllScores score_pairs(const support::Device &device, const std::vector<PicturePair> &pairs,
                               ImportOne import_one)
{
    using namespace support;
    const Context context = create_context(device);
    use_everything(context);
    for (size_t i = 0; i < pairs.size(); ++i) {
        const Frame reference = import_one(pairs[i].reference);
        const Frame distorted = import_one(pairs[i].distorted);
        submit(context, reference, distorted, i);
    }
    must(vmafx_context_flush, context.get());
    return all_scores(context, pairs.size());
}

inline support::AllScores score_uploaded(const support::Device &device,
                                         const std::vector<PicturePair> &pairs,
                                         const support::LayoutFacts &layout)
{
    return score_pairs(device, pairs, [&](const support::Picture &picture) {
        return support::import_frame(device, support::HostPicture(picture, layout).desc());
    });
}

#endif
