/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef VMAFX_CPU_ARRAY_H
#define VMAFX_CPU_ARRAY_H

#include "hip/hip_abi.h"
#include "worker_memory.h"

namespace vmafx::cpu
{

/** A 2-D (or with height 0 a 1-D) array of elements. */
struct Array {
    hip::hipChannelFormatDesc format;
    size_t width;     /* elements */
    size_t height;    /* rows, 0 for a 1-D array */
    size_t row_bytes; /* of the elements of a row */
    size_t pitch;     /* bytes, more than row_bytes: nothing may rely on packed rows */
    int device;
    AlignedMemory memory;
};

} // namespace vmafx::cpu

#endif
