/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Every required entry point, as a weak function that refuses.
 */
#include <type_traits>

#include "hip/hip_abi.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

namespace vmafx::hip
{

template <typename T> static T refuse()
{
    if constexpr (std::is_pointer_v<T>)
        return nullptr;
    else
        return hipErrorNotSupported;
}

extern "C" {

#define DEFINE_required(name, result, params)                                                      \
    __attribute__((weak)) result name params                                                       \
    {                                                                                              \
        return refuse<result>();                                                                   \
    }
#define DEFINE_optional(name, result, params)
#define VMAFX_HIP_ENTRY(name, result, params, need) DEFINE_##need(name, result, params)
#include "hip/entry_points.def"
}

} // namespace vmafx::hip
