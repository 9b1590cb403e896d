/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Computed clips for SpEED: blocks that move by two samples a frame, quantised in two thirds of the
 * distorted picture.
 */
#ifndef TESTS_SPEED_PICTURES_H
#define TESTS_SPEED_PICTURES_H

#include "kernels/clip.h"

namespace vmafx_test
{

/** bits: 8, 10, 12 or 16; those above 10 are the 10-bit clip shifted. */
ClipPair speed_clips(const vmafx::PictureFormat &format, int frames);

} // namespace vmafx_test

#endif
