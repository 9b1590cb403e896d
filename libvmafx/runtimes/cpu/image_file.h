/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef VMAFX_CPU_IMAGE_FILE_H
#define VMAFX_CPU_IMAGE_FILE_H

#include "hip/hip_abi.h"

namespace vmafx::cpu
{

/** Copies an x86-64 shared object, whose length is found from its headers, into a file in memory.
 * hipErrorInvalidImage for what is none, hipErrorNoBinaryForGpu for one of another machine. */
hip::hipError_t copy_image_to_file(const void *image, int &fd);

} // namespace vmafx::cpu

#endif
