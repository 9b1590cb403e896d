/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A HIP runtime for the tests of loader, probe and owners. It answers what is below and refuses the
 * rest. Built several times:
 *   FAKE_NAME     what vmafx_hip_runtime_name() says; without it the library passes for ROCm's
 *   FAKE_DEVICES  number of devices
 *   FAKE_TARGET   code object target of each
 *   FAKE_MODERN   has the entry points that came after release 5.2
 */
#include <atomic>
#include <cstdio>
#include <cstring>

#include "fake_runtime.h"
#include "hip/hip_abi.h"

#ifndef FAKE_DEVICES
#define FAKE_DEVICES 2
#endif
#ifndef FAKE_TARGET
#define FAKE_TARGET "gfx90a:sramecc+:xnack-"
#endif

namespace vmafx::hip
{

namespace
{

thread_local int current_device = 0;
thread_local hipError_t last_error = hipSuccess;
std::atomic<int> live_objects = 0;
std::atomic<uint32_t> workers = 0;
char memory[64]; /* the address of every allocation; nobody writes there */

hipError_t answer(hipError_t error)
{
    if (error != hipSuccess)
        last_error = error;
    return error;
}

template <typename Handle> hipError_t create(Handle *handle)
{
    live_objects++;
    *handle = reinterpret_cast<Handle>(memory);
    return hipSuccess;
}

hipError_t destroy()
{
    live_objects--;
    return hipSuccess;
}

template <typename Properties> void describe(Properties *properties, int device, size_t size)
{
    std::memset(properties, 0xa5, size); /* as far as a real runtime writes */
    properties->multiProcessorCount = 40 + device;
    std::snprintf(properties->gcnArchName, sizeof properties->gcnArchName, FAKE_TARGET);
}

} // namespace

extern "C" {

int fake_live_objects()
{
    return live_objects;
}
unsigned fake_workers()
{
    return workers;
}

const char *hipGetErrorName(hipError_t error)
{
    switch (error) {
    case hipErrorNoDevice:
        return "hipErrorNoDevice";
    case hipErrorOutOfMemory:
        return "hipErrorOutOfMemory";
    case hipErrorInvalidDevice:
        return "hipErrorInvalidDevice";
    case hipErrorNotReady:
        return "hipErrorNotReady";
    default:
        return nullptr;
    }
}

const char *hipGetErrorString(hipError_t error)
{
    return error == hipErrorOutOfMemory ? "out of memory" : nullptr;
}

hipError_t hipGetLastError()
{
    const hipError_t error = last_error;
    last_error = hipSuccess;
    return error;
}

hipError_t hipRuntimeGetVersion(int *version)
{
    *version = 50221153;
    return hipSuccess;
}

hipError_t hipGetDeviceCount(int *count)
{
    *count = FAKE_DEVICES;
    return answer(FAKE_DEVICES ? hipSuccess : hipErrorNoDevice);
}

hipError_t hipGetDevice(int *device)
{
    *device = current_device;
    return hipSuccess;
}

hipError_t hipSetDevice(int device)
{
    if (device < 0 || device >= FAKE_DEVICES)
        return answer(hipErrorInvalidDevice);
    current_device = device;
    return hipSuccess;
}

hipError_t hipDeviceGetName(char *name, int length, hipDevice_t device)
{
    std::snprintf(name, static_cast<size_t>(length), device ? "" : "Fake Instinct");
    return hipSuccess;
}

hipError_t hipDeviceTotalMem(size_t *bytes, hipDevice_t device)
{
    *bytes = (size_t{6} + static_cast<size_t>(device)) << 30;
    return hipSuccess;
}

hipError_t hipDeviceGetPCIBusId(char *address, int length, int device)
{
    std::snprintf(address, static_cast<size_t>(length), device ? "nowhere" : "0001:c3:1F.0");
    return hipSuccess;
}

hipError_t hipGetDeviceProperties(DevicePropertiesR0000 *properties, int device)
{
    describe(properties, device, device_properties_r0000_size);
    return hipSuccess;
}

hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned int flags)
{
    return flags == stream_non_blocking ? create(stream) : answer(hipErrorInvalidValue);
}

hipError_t hipStreamDestroy(hipStream_t)
{
    return destroy();
}

hipError_t hipStreamQuery(hipStream_t)
{
    return answer(hipErrorNotReady);
}

hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback, void *opaque,
                                unsigned int)
{
    callback(stream, hipSuccess, opaque);
    return hipSuccess;
}

hipError_t hipEventCreateWithFlags(hipEvent_t *event, unsigned int)
{
    return create(event);
}

hipError_t hipEventDestroy(hipEvent_t)
{
    return destroy();
}

hipError_t hipEventQuery(hipEvent_t)
{
    return hipSuccess;
}

hipError_t hipMalloc(void **address, size_t bytes)
{
    return bytes > sizeof memory ? answer(hipErrorOutOfMemory) : create(address);
}

hipError_t hipFree(void *)
{
    return destroy();
}

hipError_t hipImportExternalMemory(hipExternalMemory_t *handle,
                                   const hipExternalMemoryHandleDesc *desc)
{
    if (desc->type != hipExternalMemoryHandleTypeOpaqueFd || desc->handle.fd < 0 || desc->flags)
        return answer(hipErrorInvalidValue);
    for (const unsigned int word : desc->reserved)
        if (word)
            return answer(hipErrorInvalidValue);
    return create(handle);
}

hipError_t hipExternalMemoryGetMappedBuffer(void **address, hipExternalMemory_t,
                                            const hipExternalMemoryBufferDesc *desc)
{
    return desc->size > sizeof memory ? answer(hipErrorInvalidValue) : create(address);
}

hipError_t hipDestroyExternalMemory(hipExternalMemory_t)
{
    return destroy();
}

#ifdef FAKE_MODERN
hipError_t hipGetDevicePropertiesR0600(DevicePropertiesR0600 *properties, int device)
{
    describe(properties, device, device_properties_r0600_size);
    return hipSuccess;
}

hipError_t hipLaunchHostFunc(hipStream_t, hipHostFn_t function, void *opaque)
{
    function(opaque);
    return hipSuccess;
}
#endif

#ifdef FAKE_NAME
const char *vmafx_hip_runtime_name()
{
    return FAKE_NAME;
}

hipError_t vmafx_cpu_set_workers(uint32_t count)
{
    if (count > 64)
        return answer(hipErrorInvalidValue);
    if (workers && workers != count)
        return answer(hipErrorNotSupported);
    workers = count;
    return hipSuccess;
}
#endif

} // extern "C"

} // namespace vmafx::hip
