/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The clips of formulas for which the specification lists scores: 192x176, 4:2:0, three pictures of
 * 8 or 10 bits.
 */
#ifndef VMAFX_TESTS_VECTOR_CLIPS_H
#define VMAFX_TESTS_VECTOR_CLIPS_H

#include "kernels/clip.h"

namespace vmafx_test
{

ClipPair vector_clips(uint32_t bits);

} // namespace vmafx_test

#endif
