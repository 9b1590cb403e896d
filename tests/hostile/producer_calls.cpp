/* SPDX-License-Identifier: BSD-2-Clause */
#include "producer_calls.h"

#include "support/runtime_entry.h"

namespace vmafx::hip
{

ProducerCalls::ProducerCalls()
{
#define VMAFX_HIP_ENTRY(name, result, parameters, need)
#define VMAFX_HIP_CONTROL_ENTRY(name, result, parameters, need) support::resolve(name, #name);
#include "hip/entry_points.def"
#undef VMAFX_HIP_CONTROL_ENTRY
#undef VMAFX_HIP_ENTRY
}

const ProducerCalls &ProducerCalls::get()
{
    static const ProducerCalls calls;
    return calls;
}

} // namespace vmafx::hip
