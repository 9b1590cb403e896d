/* SPDX-License-Identifier: BSD-2-Clause
 *
 * HIP's C interface as a producer calls it that works on the tested device.
 */
#ifndef TESTS_SUPPORT_HIP_CALLS_H
#define TESTS_SUPPORT_HIP_CALLS_H

#include <cstdint>

#include "hip/hip_abi.h"

namespace vmafx::hip
{

/** Every entry point by its name, of the runtime that the library has loaded. */
struct HipCalls {
#define VMAFX_HIP_ENTRY(name, result, parameters, need) result(*name) parameters = nullptr;
#include "hip/entry_points.def"
#undef VMAFX_HIP_ENTRY

    static const HipCalls &get();

  protected:
    HipCalls();
};

/** Throws if a call of a producer failed. */
void hip_must(hipError_t error, const char *what);

} // namespace vmafx::hip

#endif
