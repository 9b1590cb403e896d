/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Devices and the runtime as a whole.
 */
#include <algorithm>
#include <cstdio>
#include <cstring>

#include <sys/sysinfo.h>

#include "abi/device_text.h"
#include "engine.h"
#include "errors.h"

namespace vmafx::cpu
{

namespace
{

using namespace hip;

thread_local int device_of_thread = 0;

bool known(int device)
{
    return device >= 0 && device < Engine::get().settings().devices;
}

/** Domain, bus, device and function of no real device; the number tells devices apart. */
void pci_address(int device, char (&text)[16])
{
    std::snprintf(text, sizeof(text), "0000:00:%02x.0", static_cast<unsigned int>(device) & 0x1f);
}

size_t total_memory()
{
    struct sysinfo info = {};
    return sysinfo(&info) == 0 ? info.totalram * info.mem_unit : 0;
}

template <class Properties> hipError_t fill_properties(Properties *properties, int device)
{
    if (!properties)
        return hipErrorInvalidValue;
    if (!known(device))
        return hipErrorInvalidDevice;
    const Settings &settings = Engine::get().settings();
    char target[16];
    std::snprintf(target, sizeof(target), "x86-64-v%d", settings.level);
    abi::fill_properties(*properties, {settings.device_name, target, total_memory(),
                                       static_cast<int>(Engine::get().scheduler.workers())});
    return hipSuccess;
}

} // namespace

int current_device()
{
    return device_of_thread;
}

} // namespace vmafx::cpu

namespace vmafx::hip
{

using cpu::Engine;
using cpu::entry;

extern "C" const char *vmafx_hip_runtime_name()
{
    return "cpu";
}

extern "C" hipError_t vmafx_cpu_set_workers(uint32_t workers)
{
    return entry([&] {
        if (workers > cpu::kMaxWorkers)
            return hipErrorInvalidValue;
        return Engine::get().scheduler.set_workers(workers ? workers : cpu::allowed_cpus());
    });
}

extern "C" hipError_t hipInit(unsigned int flags)
{
    return entry([&] { return flags == 0 ? hipSuccess : hipErrorInvalidValue; });
}

extern "C" hipError_t hipRuntimeGetVersion(int *version)
{
    return entry([&] {
        if (!version)
            return hipErrorInvalidValue;
        *version = abi::kHipVersion;
        return hipSuccess;
    });
}

extern "C" hipError_t hipDriverGetVersion(int *version)
{
    return hipRuntimeGetVersion(version);
}

extern "C" hipError_t hipGetDeviceCount(int *count)
{
    return entry([&] {
        if (!count)
            return hipErrorInvalidValue;
        *count = Engine::get().settings().devices;
        return hipSuccess;
    });
}

extern "C" hipError_t hipSetDevice(int device)
{
    return entry([&] {
        if (!cpu::known(device))
            return hipErrorInvalidDevice;
        cpu::device_of_thread = device;
        return hipSuccess;
    });
}

extern "C" hipError_t hipGetDevice(int *device)
{
    return entry([&] {
        if (!device)
            return hipErrorInvalidValue;
        *device = cpu::device_of_thread;
        return hipSuccess;
    });
}

extern "C" hipError_t hipDeviceGetName(char *name, int length, hipDevice_t device)
{
    return entry([&] {
        if (!cpu::known(device))
            return hipErrorInvalidDevice;
        return abi::copy_text(name, length, Engine::get().settings().device_name);
    });
}

extern "C" hipError_t hipDeviceTotalMem(size_t *bytes, hipDevice_t device)
{
    return entry([&] {
        if (!bytes)
            return hipErrorInvalidValue;
        if (!cpu::known(device))
            return hipErrorInvalidDevice;
        *bytes = cpu::total_memory();
        return hipSuccess;
    });
}

extern "C" hipError_t hipDeviceGetPCIBusId(char *address, int length, int device)
{
    return entry([&] {
        if (!cpu::known(device))
            return hipErrorInvalidDevice;
        char text[16];
        cpu::pci_address(device, text);
        return abi::copy_text(address, length, text);
    });
}

extern "C" hipError_t hipDeviceGetByPCIBusId(int *device, const char *address)
{
    return entry([&] {
        if (!device || !address)
            return hipErrorInvalidValue;
        unsigned int domain = 0, bus = 0, slot = 0, function = 0;
        int end = 0;
        if (std::sscanf(address, "%4x:%2x:%2x.%1x%n", &domain, &bus, &slot, &function, &end) != 4 ||
            address[end] != '\0')
            return hipErrorInvalidValue;
        if (domain != 0 || bus != 0 || function != 0 || !cpu::known(static_cast<int>(slot)))
            return hipErrorInvalidDevice;
        *device = static_cast<int>(slot);
        return hipSuccess;
    });
}

extern "C" hipError_t hipGetDeviceProperties(DevicePropertiesR0000 *properties, int device)
{
    return entry([&] { return cpu::fill_properties(properties, device); });
}

extern "C" hipError_t hipGetDevicePropertiesR0600(DevicePropertiesR0600 *properties, int device)
{
    return entry([&] { return cpu::fill_properties(properties, device); });
}

extern "C" hipError_t hipDeviceSynchronize()
{
    return entry([] { return Engine::get().scheduler.wait_device(cpu::current_device()); });
}

} // namespace vmafx::hip
