/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How an entry point starts and ends: the engine is up, exceptions become codes, the code is kept
 * for hipGetLastError.
 */
#ifndef VMAFX_CPU_ERRORS_H
#define VMAFX_CPU_ERRORS_H

#include <new>
#include <system_error>

/* The functions under their exported names are the gate's; see gate.h. */
#define VMAFX_ABI_SYMBOL(name) __asm__("inner_" #name)
#include "abi/entry_points.h"

namespace vmafx::cpu
{

/** Keeps the code for the thread's hipGetLastError and returns it. */
hip::hipError_t remember(hip::hipError_t error);

/** Whether the engine can serve calls: hipSuccess, hipErrorNotInitialized or hipErrorDeinitialized.
 */
hip::hipError_t engine_state();

/** Runs the body of an entry point that needs the engine. */
template <class Body> hip::hipError_t entry(Body &&body) noexcept
{
    try {
        if (const hip::hipError_t state = engine_state(); state != hip::hipSuccess)
            return remember(state);
        return remember(body());
    } catch (const std::bad_alloc &) {
        return remember(hip::hipErrorOutOfMemory);
    } catch (const std::system_error &) {
        return remember(hip::hipErrorOperatingSystem);
    } catch (...) {
        return remember(hip::hipErrorUnknown);
    }
}

} // namespace vmafx::cpu

#endif
