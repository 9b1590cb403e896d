/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Computed pictures for tests of ADM, and a plan run over one pair of them.
 */
#ifndef VMAFX_TESTS_ADM_PICTURES_H
#define VMAFX_TESTS_ADM_PICTURES_H

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "features/registry.h"
#include "kernels/clip.h"
#include "kernels/plan_scores.h"

namespace vmafx_test
{

/** One frame whose samples are sample(x, y). */
template <class Sample>
Clip clip_of(uint32_t width, uint32_t height, uint32_t bits, const Sample &sample)
{
    Clip clip;
    clip.format.width = width;
    clip.format.height = height;
    clip.format.bits = bits;
    clip.format.chroma = vmafx::Chroma::k400;
    Picture picture;
    for (uint32_t y = 0; y < height; ++y) {
        for (uint32_t x = 0; x < width; ++x) {
            const auto value =
                static_cast<uint16_t>(sample(static_cast<int>(x), static_cast<int>(y)));
            picture.plane[0].push_back(static_cast<uint8_t>(value));
            if (bits > 8)
                picture.plane[0].push_back(static_cast<uint8_t>(value >> 8));
        }
    }
    clip.pictures.push_back(std::move(picture));
    return clip;
}

inline uint32_t scrambled(int x, int y)
{
    uint32_t s = static_cast<uint32_t>(x) * 0x9e3779b1u + static_cast<uint32_t>(y) * 0x85ebca77u;
    s ^= s >> 15;
    s *= 0x2c1b3c6du;
    return s ^ (s >> 13);
}

/** Ramps with noise; the distorted one is darker and noisier in every other square. */
inline ClipPair noisy_pair(uint32_t width, uint32_t height, uint32_t bits)
{
    const uint64_t most = (1u << bits) - 1;
    const auto reference = [=](int x, int y) {
        const uint64_t ramp = static_cast<uint64_t>((x * 5 + y * 3) % 97) * most / 140;
        return ramp + (scrambled(x, y) & 0xffff) * (most / 4) / 65536;
    };
    const auto distorted = [=](int x, int y) {
        const uint64_t r = reference(x, y);
        const bool kept = ((x / 8 + y / 8) & 1) != 0;
        return kept ? r : r * 7 / 8 + (scrambled(x, y) >> 16) * (most / 8) / 65536;
    };
    return {clip_of(width, height, bits, reference), clip_of(width, height, bits, distorted)};
}

/** Black and white noise against its negative in parts: the largest coefficients there are. */
inline ClipPair hard_pair(uint32_t width, uint32_t height, uint32_t bits)
{
    const uint32_t most = (1u << bits) - 1;
    const auto reference = [=](int x, int y) { return scrambled(x, y) & 1 ? most : 0; };
    const auto distorted = [=](int x, int y) {
        const uint32_t r = reference(x, y);
        return scrambled(y, x) & 6 ? r : most - r;
    };
    return {clip_of(width, height, bits, reference), clip_of(width, height, bits, distorted)};
}

/** Scores of the one frame, by their names in reports, for each option set. */
inline std::vector<std::map<std::string, double>>
adm_scores(DirectRunner &runner, const std::vector<vmafx::OptionDict> &sets, const ClipPair &pair)
{
    std::vector<std::map<std::string, double>> result;
    for (const Scores &scores :
         score_clips(runner, *vmafx::adm_feature(), sets, pair.reference, pair.distorted)) {
        result.emplace_back();
        for (const auto &[name, values] : scores.frames)
            result.back()[vmafx::alias_of(name)] = values.at(0);
    }
    return result;
}

/** The sums of the one frame: denominators [4][3], then per variant numerators [4][6]. */
inline std::vector<uint64_t>
adm_sums(DirectRunner &runner, const std::vector<vmafx::OptionDict> &sets, const ClipPair &pair)
{
    const auto plan = vmafx::adm_feature()->create();
    for (const vmafx::OptionDict &dict : sets)
        plan->add_instance(vmafx::OptionSet(*vmafx::adm_feature()->options, dict, true));
    plan->prepare(runner, pair.reference.format);
    std::vector<uint64_t> results(plan->result_words());
    vmafx::FrameJob job;
    job.stream = &runner;
    job.reference = pair.reference.pictures[0].view(pair.reference.format);
    job.distorted = pair.distorted.pictures[0].view(pair.distorted.format);
    job.results = results.data();
    plan->enqueue(job);
    return results;
}

} // namespace vmafx_test

#endif
