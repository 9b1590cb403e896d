/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How an entry point starts and ends: the driver is up, its answers become HIP's codes, and what it
 * said is kept for hipGetErrorString.
 */
#ifndef VMAFX_CUDA_ERRORS_H
#define VMAFX_CUDA_ERRORS_H

#include <new>

#include "abi/entry_points.h"
#include "driver.h"

namespace vmafx::cuda
{

/** HIP's code of a driver's answer. Unless it is a success or "not ready", the thread's
 * hipGetErrorString tells the call, the driver's number and text, and the detail. */
hip::hipError_t answer(CUresult result, const char *call, const char *detail = "");

/** Before and after the body of an entry point. */
void begin_entry();
hip::hipError_t end_entry(hip::hipError_t error);

/** Runs the body of an entry point that needs a device: body(driver). */
template <class Body> hip::hipError_t entry(Body &&body) noexcept
{
    try {
        begin_entry();
        Driver &driver = Driver::get();
        if (driver.state() != hip::hipSuccess)
            return end_entry(driver.state());
        return end_entry(body(driver));
    } catch (const std::bad_alloc &) {
        return end_entry(hip::hipErrorOutOfMemory);
    } catch (...) {
        return end_entry(hip::hipErrorUnknown);
    }
}

/** The same inside the context of the thread's device: body(functions). */
template <class Body> hip::hipError_t in_context(Body &&body) noexcept
{
    return entry([&](Driver &driver) -> hip::hipError_t {
        const CurrentContext context(driver, current_device());
        if (context.result() != kSuccess)
            return answer(context.result(), "cuDevicePrimaryCtxRetain");
        return body(driver.cu);
    });
}

} // namespace vmafx::cuda

#endif
