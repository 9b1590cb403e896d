/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a runtime says of one device.
 */
#ifndef VMAFX_HIP_DEVICE_PROBE_H
#define VMAFX_HIP_DEVICE_PROBE_H

#include <cstdint>
#include <string>

#include "hip/runtime.h"

namespace vmafx::hip
{

struct PciAddress {
    uint32_t domain = 0;
    uint32_t bus = 0;
    uint32_t device = 0;
    uint32_t function = 0;

    bool operator==(const PciAddress &) const = default;
};

struct DeviceFacts {
    std::string name;
    std::string target;           /* "gfx1100", "sm_90", "x86-64-v3"; without feature suffixes */
    PciAddress pci;               /* all 0 for the CPU */
    uint64_t memory_total = 0;    /* bytes */
    uint32_t multiprocessors = 0; /* compute units, SMs, CPUs */
};

/** Throws Failure: VMAFX_E_NOTFOUND "desc.index" for an ordinal the runtime does not have. */
DeviceFacts probe_device(const Runtime &runtime, int ordinal);

/** "dddd:bb:dd.f" or "dddd:bb:dd", hexadecimal. False, and address unchanged, for other texts. */
bool parse_pci_address(const char *text, PciAddress &address);

/** "gfx90a:sramecc+:xnack-" becomes "gfx90a". */
std::string plain_target(const std::string &target);

} // namespace vmafx::hip

#endif
