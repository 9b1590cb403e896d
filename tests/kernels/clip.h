/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Clips in host memory, for tests: taken from y4m files or made by a generator.
 */
#ifndef VMAFX_TESTS_CLIP_H
#define VMAFX_TESTS_CLIP_H

#include <cstdint>
#include <vector>

#include "features/feature.h"
#include "support/y4m_clip.h"

namespace vmafx_test
{

/** One picture, tightly packed planes. */
struct Picture {
    std::vector<uint8_t> plane[3];
    vmafx::PictureView view(const vmafx::PictureFormat &format) const;
};

/** Appends a sample of so many bits to a plane. */
inline void append(std::vector<uint8_t> &plane, int value, uint32_t bits)
{
    plane.push_back(static_cast<uint8_t>(value));
    if (bits > 8)
        plane.push_back(static_cast<uint8_t>(value >> 8));
}

struct Clip {
    vmafx::PictureFormat format;
    std::vector<Picture> pictures;
    vmafx::ColourTags colour = {};
};

/** The first frames of a clip. */
Clip read_clip(const support::Y4mClip &source, size_t frames = SIZE_MAX);

/** The same pictures of 8 bits with more bits: zeros are added below. */
Clip deepened(const Clip &clip, uint32_t bits);

/** The reference and distorted clips of the generator in the specification of VMAF's core: a noisy
 *  ramp, a moving disc and a checked half, the distorted one quantised in stripes. Luma only. */
struct ClipPair {
    Clip reference, distorted;
};
ClipPair generated_clips(uint32_t width, uint32_t height, uint32_t bits, int frames);

} // namespace vmafx_test

#endif
