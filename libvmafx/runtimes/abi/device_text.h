/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How runtimes hand out what they know of a device.
 */
#ifndef VMAFX_ABI_DEVICE_TEXT_H
#define VMAFX_ABI_DEVICE_TEXT_H

#include <cstdio>
#include <cstring>

#include "hip/hip_abi.h"

namespace vmafx::abi
{

/* Release 7 of HIP is what the calls behave like. */
constexpr int kHipVersion = 70000000;

struct DeviceDescription {
    const char *name;
    const char *target;
    size_t memory;       /* bytes */
    int multiprocessors; /* whatever runs work-groups */
};

/* The caller's struct may be no larger than the official one: only that much is written. */
constexpr size_t official_size(const hip::DevicePropertiesR0000 &)
{
    return hip::device_properties_r0000_size;
}
constexpr size_t official_size(const hip::DevicePropertiesR0600 &)
{
    return hip::device_properties_r0600_size;
}

/** The layouts differ, the fields do not. */
template <class Properties>
void fill_properties(Properties &properties, const DeviceDescription &device)
{
    std::memset(static_cast<void *>(&properties), 0, official_size(properties));
    std::snprintf(properties.name, sizeof(properties.name), "%s", device.name);
    std::snprintf(properties.gcnArchName, sizeof(properties.gcnArchName), "%s", device.target);
    properties.totalGlobalMem = device.memory;
    properties.multiProcessorCount = device.multiprocessors;
}

/** Copies a text into a buffer of the caller's, cut to its length. */
inline hip::hipError_t copy_text(char *to, int length, const char *text)
{
    if (!to || length <= 0)
        return hip::hipErrorInvalidValue;
    std::snprintf(to, static_cast<size_t>(length), "%s", text);
    return hip::hipSuccess;
}

} // namespace vmafx::abi

#endif
