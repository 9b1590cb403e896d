/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Devices and the runtime as a whole.
 */
#include "abi/device_text.h"
#include "errors.h"

namespace vmafx::cuda
{

namespace
{

using namespace hip;

template <class Properties> hipError_t fill_properties(Properties *properties, int device)
{
    return entry([&](Driver &driver) -> hipError_t {
        if (!properties)
            return hipErrorInvalidValue;
        if (!driver.has(device))
            return hipErrorInvalidDevice;
        const DriverFunctions &cu = driver.cu;
        char name[256] = "";
        size_t memory = 0;
        int multiprocessors = 0, major = 0, minor = 0;
        CUresult result = cu.cuDeviceGetName(name, sizeof(name), device);
        if (result == kSuccess)
            result = cu.cuDeviceTotalMem(&memory, device);
        const auto read = [&](int &value, DeviceAttribute attribute) {
            if (result == kSuccess)
                result = cu.cuDeviceGetAttribute(&value, attribute, device);
        };
        read(multiprocessors, DeviceAttribute::multiprocessors);
        read(major, DeviceAttribute::capability_major);
        read(minor, DeviceAttribute::capability_minor);
        if (result != kSuccess)
            return answer(result, "cuDeviceGetAttribute");
        char target[32];
        std::snprintf(target, sizeof(target), "sm_%d", 10 * major + minor);
        abi::fill_properties(*properties, {name, target, memory, multiprocessors});
        return hipSuccess;
    });
}

} // namespace

} // namespace vmafx::cuda

namespace vmafx::hip
{

using cuda::answer;
using cuda::Driver;
using cuda::entry;

extern "C" const char *vmafx_hip_runtime_name()
{
    return "cuda";
}

extern "C" hipError_t hipInit(unsigned int flags)
{
    return entry([&](Driver &) { return flags == 0 ? hipSuccess : hipErrorInvalidValue; });
}

extern "C" hipError_t hipRuntimeGetVersion(int *version)
{
    return entry([&](Driver &) {
        if (!version)
            return hipErrorInvalidValue;
        *version = abi::kHipVersion;
        return hipSuccess;
    });
}

extern "C" hipError_t hipDriverGetVersion(int *version)
{
    return entry([&](Driver &driver) {
        if (!version)
            return hipErrorInvalidValue;
        return answer(driver.cu.cuDriverGetVersion(version), "cuDriverGetVersion");
    });
}

extern "C" hipError_t hipGetDeviceCount(int *count)
{
    if (count)
        *count = 0;
    return entry([&](Driver &driver) {
        if (!count)
            return hipErrorInvalidValue;
        *count = driver.device_count();
        return hipSuccess;
    });
}

extern "C" hipError_t hipSetDevice(int device)
{
    return entry([&](Driver &driver) {
        if (!driver.has(device))
            return hipErrorInvalidDevice;
        cuda::set_current_device(device);
        return hipSuccess;
    });
}

extern "C" hipError_t hipGetDevice(int *device)
{
    return entry([&](Driver &) {
        if (!device)
            return hipErrorInvalidValue;
        *device = cuda::current_device();
        return hipSuccess;
    });
}

extern "C" hipError_t hipDeviceGetName(char *name, int length, hipDevice_t device)
{
    return entry([&](Driver &driver) -> hipError_t {
        if (!name || length <= 0)
            return hipErrorInvalidValue;
        if (!driver.has(device))
            return hipErrorInvalidDevice;
        return answer(driver.cu.cuDeviceGetName(name, length, device), "cuDeviceGetName");
    });
}

extern "C" hipError_t hipDeviceTotalMem(size_t *bytes, hipDevice_t device)
{
    return entry([&](Driver &driver) -> hipError_t {
        if (!bytes)
            return hipErrorInvalidValue;
        if (!driver.has(device))
            return hipErrorInvalidDevice;
        return answer(driver.cu.cuDeviceTotalMem(bytes, device), "cuDeviceTotalMem");
    });
}

extern "C" hipError_t hipDeviceGetPCIBusId(char *address, int length, int device)
{
    return entry([&](Driver &driver) -> hipError_t {
        if (!address || length <= 0)
            return hipErrorInvalidValue;
        if (!driver.has(device))
            return hipErrorInvalidDevice;
        return answer(driver.cu.cuDeviceGetPCIBusId(address, length, device),
                      "cuDeviceGetPCIBusId");
    });
}

extern "C" hipError_t hipDeviceGetByPCIBusId(int *device, const char *address)
{
    return entry([&](Driver &driver) -> hipError_t {
        if (!device || !address)
            return hipErrorInvalidValue;
        return answer(driver.cu.cuDeviceGetByPCIBusId(device, address), "cuDeviceGetByPCIBusId");
    });
}

extern "C" hipError_t hipGetDeviceProperties(DevicePropertiesR0000 *properties, int device)
{
    return cuda::fill_properties(properties, device);
}

extern "C" hipError_t hipGetDevicePropertiesR0600(DevicePropertiesR0600 *properties, int device)
{
    return cuda::fill_properties(properties, device);
}

extern "C" hipError_t hipMemGetInfo(size_t *free, size_t *total)
{
    return cuda::in_context([&](const cuda::DriverFunctions &cu) {
        if (!free || !total)
            return hipErrorInvalidValue;
        return answer(cu.cuMemGetInfo(free, total), "cuMemGetInfo");
    });
}

extern "C" hipError_t hipDeviceSynchronize()
{
    return cuda::in_context([](const cuda::DriverFunctions &cu) {
        return answer(cu.cuCtxSynchronize(), "cuCtxSynchronize");
    });
}

} // namespace vmafx::hip
