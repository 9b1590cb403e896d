/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What follows the argument struct of every kernel: where it leaves its mark. A runtime may drop
 * commands without a word; a kernel whose mark is missing did not run.
 */
#ifndef VMAFX_KERNELS_MARK_H
#define VMAFX_KERNELS_MARK_H

#include <stdint.h>

namespace vx
{

struct Mark {
    uint64_t *word; /* on the device; null: no mark is asked for */
    uint64_t value;
};

/** The arguments of a launch, as the kernel sees them. */
template <class Args> struct Marked {
    static_assert(alignof(Args) <= alignof(Mark), "the host appends the mark at a multiple of 8");
    Args args;
    Mark mark;
};

} // namespace vx

#endif
