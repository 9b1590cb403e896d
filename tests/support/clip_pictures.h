/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Frames of clips as sample values: cut, and with other chroma and depths.
 */
#ifndef TESTS_SUPPORT_CLIP_PICTURES_H
#define TESTS_SUPPORT_CLIP_PICTURES_H

#include "support/picture.h"
#include "support/y4m_clip.h"

namespace support
{

Picture clip_picture(const Y4mClip &clip, size_t frame);

/** The middle of a picture, of at most that size. */
Picture middle_of(const Picture &picture, uint32_t width, uint32_t height);

/** The picture with another chroma format and depth. Chroma samples are repeated or left out; more
 *  bits are filled with the value's own high bits, so that the low ones vary too. */
Picture converted(const Picture &picture, uint32_t chroma, uint32_t bits);

} // namespace support

#endif
