/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/hip_calls.h"

#include <stdexcept>
#include <string>

#include "support/runtime_entry.h"

namespace vmafx::hip
{

HipCalls::HipCalls()
{
#define RESOLVE_required(name) support::resolve(name, #name)
#define RESOLVE_optional(name)                                                                     \
    name = reinterpret_cast<decltype(name)>(support::find_runtime_entry(#name))
#define VMAFX_HIP_ENTRY(name, result, parameters, need) RESOLVE_##need(name);
#include "hip/entry_points.def"
#undef VMAFX_HIP_ENTRY
#undef RESOLVE_optional
#undef RESOLVE_required
}

const HipCalls &HipCalls::get()
{
    static const HipCalls calls;
    return calls;
}

void hip_must(hipError_t error, const char *what)
{
    if (error != hipSuccess)
        throw std::runtime_error(std::string(what) +
                                 " of a producer failed: " + std::to_string(error));
}

} // namespace vmafx::hip
