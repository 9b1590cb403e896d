/* SPDX-License-Identifier: BSD-2-Clause */
#include "producer_calls.h"

#include <stdexcept>
#include <string>

#include "support/runtime_entry.h"

namespace vmafx::hip
{

ProducerCalls::ProducerCalls()
{
#define VMAFX_HIP_ENTRY(name, result, parameters, need)                                            \
    name = reinterpret_cast<decltype(name)>(support::find_runtime_entry(#name));
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

void hip_must(hipError_t error, const char *what)
{
    if (error != hipSuccess)
        throw std::runtime_error(std::string(what) +
                                 " of a producer failed: " + std::to_string(error));
}

} // namespace vmafx::hip
