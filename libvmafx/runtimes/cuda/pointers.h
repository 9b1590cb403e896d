/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The driver's addresses are numbers, HIP's are pointers.
 */
#ifndef VMAFX_CUDA_POINTERS_H
#define VMAFX_CUDA_POINTERS_H

#include <bit>

#include "driver_api.h"

namespace vmafx::cuda
{

inline CUdeviceptr address(const void *pointer)
{
    return reinterpret_cast<uintptr_t>(pointer);
}

inline void *pointer(CUdeviceptr address)
{
    return std::bit_cast<void *>(address);
}

} // namespace vmafx::cuda

#endif
