/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What host and kernel of the clear share. It opens a frame's work: it sets the results to zero and
 * brings home the stamps of what the frame is going to read, as they are at that moment.
 */
#ifndef VMAFX_KERNELS_CLEAR_KERNELS_H
#define VMAFX_KERNELS_CLEAR_KERNELS_H

#include <stdint.h>

constexpr int kClearStamps = 24;
constexpr int kClearWords = 4096; /* of a work-group */
constexpr int kClearThreads = 256;

struct ClearArgs {
    uint64_t *words;
    uint64_t count;                      /* of words */
    const uint64_t *stamp[kClearStamps]; /* to[i] = *stamp[i] for i < stamps */
    uint64_t *to;
    int32_t stamps;
};

#endif
