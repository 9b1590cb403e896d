/* SPDX-License-Identifier: BSD-2-Clause
 *
 * HIP as the producers of a program call it, and the switches of the CPU runtime.
 */
#ifndef TESTS_HOSTILE_PRODUCER_CALLS_H
#define TESTS_HOSTILE_PRODUCER_CALLS_H

#include <cstdint>

#include "hip/hip_abi.h"

namespace vmafx::hip
{

/** Every entry point by its name, of the runtime that the library has loaded. */
struct ProducerCalls {
#define VMAFX_HIP_ENTRY(name, result, parameters, need) result(*name) parameters = nullptr;
#define VMAFX_HIP_CONTROL_ENTRY(name, result, parameters, need) result(*name) parameters = nullptr;
#include "hip/entry_points.def"
#undef VMAFX_HIP_CONTROL_ENTRY
#undef VMAFX_HIP_ENTRY

    static const ProducerCalls &get();

  private:
    ProducerCalls();
};

/** Throws if a call of a producer failed. */
void hip_must(hipError_t error, const char *what);

} // namespace vmafx::hip

#endif
