/* SPDX-License-Identifier: BSD-2-Clause
 *
 * HIP as the producers of a program call it, and the switches of the CPU runtime.
 */
#ifndef TESTS_HOSTILE_PRODUCER_CALLS_H
#define TESTS_HOSTILE_PRODUCER_CALLS_H

#include "support/hip_calls.h"

namespace vmafx::hip
{

struct ProducerCalls : HipCalls {
#define VMAFX_HIP_ENTRY(name, result, parameters, need)
#define VMAFX_HIP_CONTROL_ENTRY(name, result, parameters, need) result(*name) parameters = nullptr;
#include "hip/entry_points.def"
#undef VMAFX_HIP_CONTROL_ENTRY
#undef VMAFX_HIP_ENTRY

    static const ProducerCalls &get();

  private:
    ProducerCalls();
};

} // namespace vmafx::hip

#endif
