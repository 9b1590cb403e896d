/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The exported functions, declared from the one list, so that a definition that differs from it
 * does not compile.
 */
#ifndef VMAFX_ABI_ENTRY_POINTS_H
#define VMAFX_ABI_ENTRY_POINTS_H

#include "hip/hip_abi.h"

/* A runtime that puts something in front of its functions gives them other symbols. */
#ifndef VMAFX_ABI_SYMBOL
#define VMAFX_ABI_SYMBOL(name)
#endif

namespace vmafx::hip
{

// clang-format off
#define VMAFX_HIP_ENTRY(name, result, parameters, need)                                            \
    extern "C" __attribute__((visibility("default"))) result name parameters VMAFX_ABI_SYMBOL(name);
#define VMAFX_HIP_OWN_ENTRY(name, result, parameters, need)                                        \
    VMAFX_HIP_ENTRY(name, result, parameters, need)
#define VMAFX_HIP_CONTROL_ENTRY(name, result, parameters, need)                                    \
    extern "C" __attribute__((visibility("default"))) result name parameters;
#include "hip/entry_points.def"
#undef VMAFX_HIP_CONTROL_ENTRY
#undef VMAFX_HIP_OWN_ENTRY
#undef VMAFX_HIP_ENTRY
// clang-format on

} // namespace vmafx::hip

#endif
