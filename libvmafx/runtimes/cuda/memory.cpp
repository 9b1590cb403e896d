/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Device memory, stream-ordered memory and pinned memory.
 */
#include "errors.h"
#include "pointers.h"

namespace vmafx::cuda
{

namespace
{

using namespace hip;

/** The pinned memory flags of HIP's header. */
constexpr unsigned int kHostMallocFlags = 0xe0000007u;

/** The device that memory belongs to; the thread's where the driver cannot tell. */
int device_of(const Driver &driver, const void *memory)
{
    int device = -1;
    const CUresult result =
        driver.cu.cuPointerGetAttribute(&device, PointerAttribute::device_ordinal, address(memory));
    return result == kSuccess && driver.has(device) ? device : current_device();
}

/** Like HIP's, it waits for everything the device has been given. */
hipError_t release(Driver &driver, void *memory)
{
    const CurrentContext context(driver, device_of(driver, memory));
    if (context.result() != kSuccess)
        return answer(context.result(), "cuDevicePrimaryCtxRetain");
    const hipError_t error = answer(driver.cu.cuCtxSynchronize(), "cuCtxSynchronize");
    if (driver.mapped_files.take(memory))
        return error;
    const hipError_t freed = answer(driver.cu.cuMemFree(address(memory)), "cuMemFree");
    return error != hipSuccess ? error : freed;
}

} // namespace

} // namespace vmafx::cuda

namespace vmafx::hip
{

using cuda::address;
using cuda::answer;
using cuda::Driver;
using cuda::DriverFunctions;
using cuda::in_context;

extern "C" hipError_t hipMalloc(void **memory, size_t bytes)
{
    return in_context([&](const DriverFunctions &cu) -> hipError_t {
        if (!memory)
            return hipErrorInvalidValue;
        *memory = nullptr;
        if (bytes == 0)
            return hipSuccess;
        cuda::CUdeviceptr made = 0;
        const hipError_t error = answer(cu.cuMemAlloc(&made, bytes), "cuMemAlloc");
        if (error == hipSuccess)
            *memory = cuda::pointer(made);
        return error;
    });
}

extern "C" hipError_t hipFree(void *memory)
{
    return cuda::entry([&](Driver &driver) -> hipError_t {
        return memory ? cuda::release(driver, memory) : hipSuccess;
    });
}

extern "C" hipError_t hipMallocAsync(void **memory, size_t bytes, hipStream_t stream)
{
    return in_context([&](const DriverFunctions &cu) -> hipError_t {
        if (!memory)
            return hipErrorInvalidValue;
        *memory = nullptr;
        if (!cu.cuMemAllocAsync || !cu.cuMemFreeAsync)
            return hipErrorNotSupported;
        if (bytes == 0)
            return hipSuccess;
        cuda::CUdeviceptr made = 0;
        const hipError_t error =
            answer(cu.cuMemAllocAsync(&made, bytes, stream), "cuMemAllocAsync");
        if (error == hipSuccess)
            *memory = cuda::pointer(made);
        return error;
    });
}

extern "C" hipError_t hipFreeAsync(void *memory, hipStream_t stream)
{
    return in_context([&](const DriverFunctions &cu) -> hipError_t {
        if (!cu.cuMemFreeAsync)
            return hipErrorNotSupported;
        if (!memory)
            return hipSuccess;
        return answer(cu.cuMemFreeAsync(address(memory), stream), "cuMemFreeAsync");
    });
}

extern "C" hipError_t hipHostMalloc(void **memory, size_t bytes, unsigned int flags)
{
    return in_context([&](const DriverFunctions &cu) -> hipError_t {
        if (!memory || (flags & ~cuda::kHostMallocFlags) != 0)
            return hipErrorInvalidValue;
        *memory = nullptr;
        if (bytes == 0)
            return hipSuccess;
        /* HIP's pinned memory is known to all devices whatever the flags are. */
        const unsigned int wanted = cuda::mem_host_portable | cuda::mem_host_device_map |
                                    (flags & cuda::mem_host_write_combined);
        return answer(cu.cuMemHostAlloc(memory, bytes, wanted), "cuMemHostAlloc");
    });
}

extern "C" hipError_t hipHostFree(void *memory)
{
    return in_context([&](const DriverFunctions &cu) -> hipError_t {
        if (!memory)
            return hipSuccess;
        const hipError_t error = answer(cu.cuCtxSynchronize(), "cuCtxSynchronize");
        const hipError_t freed = answer(cu.cuMemFreeHost(memory), "cuMemFreeHost");
        return error != hipSuccess ? error : freed;
    });
}

} // namespace vmafx::hip
