/* SPDX-License-Identifier: BSD-2-Clause */
#include "hip/device_probe.h"

#include <charconv>
#include <cstring>
#include <memory>

#include "core/failure.h"

namespace vmafx::hip
{

namespace
{

/** Text in a field of fixed size, which may lack its terminator. */
template <size_t Size> std::string field_text(const char (&field)[Size])
{
    return std::string(field, strnlen(field, Size));
}

template <typename Properties, typename Call>
void read_properties(const Runtime &runtime, Call call, const char *name, int ordinal,
                     DeviceFacts &facts)
{
    const auto properties = std::make_unique<Properties>();
    check(runtime, call(properties.get(), ordinal), name);
    facts.target = plain_target(field_text(properties->gcnArchName));
    facts.multiprocessors = static_cast<uint32_t>(properties->multiProcessorCount);
}

/* The layout is in the name from release 6 on; the plain name is the older layout everywhere. */
void read_target(const Runtime &runtime, int ordinal, DeviceFacts &facts)
{
    const EntryPoints &hip = runtime.hip;
    if (hip.hipGetDevicePropertiesR0600)
        return read_properties<DevicePropertiesR0600>(runtime, hip.hipGetDevicePropertiesR0600,
                                                      "hipGetDevicePropertiesR0600", ordinal,
                                                      facts);
    if (hip.hipGetDeviceProperties)
        return read_properties<DevicePropertiesR0000>(runtime, hip.hipGetDeviceProperties,
                                                      "hipGetDeviceProperties", ordinal, facts);
    fail(VMAFX_E_NOTSUP, "desc.runtime",
         "%s has neither hipGetDevicePropertiesR0600 nor hipGetDeviceProperties: the device's "
         "target cannot be told",
         runtime.file.c_str());
}

/** One hexadecimal number of at most `digits` digits; moves text past it. */
bool parse_hex(const char *&text, size_t digits, uint32_t &value)
{
    const char *end = text + strnlen(text, digits);
    const auto result = std::from_chars(text, end, value, 16);
    if (result.ec != std::errc())
        return false;
    text = result.ptr;
    return true;
}

bool skip(const char *&text, char c)
{
    if (*text != c)
        return false;
    text++;
    return true;
}

} // namespace

std::string plain_target(const std::string &target)
{
    return target.substr(0, target.find(':'));
}

bool parse_pci_address(const char *text, PciAddress &address)
{
    PciAddress parsed;
    if (!parse_hex(text, 4, parsed.domain) || !skip(text, ':') || !parse_hex(text, 2, parsed.bus) ||
        !skip(text, ':') || !parse_hex(text, 2, parsed.device))
        return false;
    if (skip(text, '.') && !parse_hex(text, 1, parsed.function))
        return false;
    if (*text || parsed.device > 0x1f || parsed.function > 7)
        return false;
    address = parsed;
    return true;
}

DeviceFacts probe_device(const Runtime &runtime, int ordinal)
{
    if (ordinal < 0 || ordinal >= runtime.device_count)
        fail(VMAFX_E_NOTFOUND, "desc.index",
             "device %d does not exist: the %s runtime has %d, counted from 0", ordinal,
             runtime_kind_name(runtime.kind), runtime.device_count);
    const EntryPoints &hip = runtime.hip;
    DeviceFacts facts;

    char name[256] = "";
    check(runtime, hip.hipDeviceGetName(name, sizeof name, ordinal), "hipDeviceGetName");
    facts.name = field_text(name);

    size_t bytes = 0;
    check(runtime, hip.hipDeviceTotalMem(&bytes, ordinal), "hipDeviceTotalMem");
    facts.memory_total = bytes;

    char address[64] = "";
    check(runtime, hip.hipDeviceGetPCIBusId(address, sizeof address, ordinal),
          "hipDeviceGetPCIBusId");
    const std::string text = field_text(address);
    if (!parse_pci_address(text.c_str(), facts.pci))
        fail(VMAFX_E_DEVICE, "", "hipDeviceGetPCIBusId answered \"%s\", which is no PCI address",
             text.c_str());

    read_target(runtime, ordinal, facts);
    if (facts.name.empty()) /* some integrated GPUs have no marketing name */
        facts.name = facts.target;
    return facts;
}

} // namespace vmafx::hip
