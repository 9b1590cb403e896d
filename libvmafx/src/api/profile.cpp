/* SPDX-License-Identifier: BSD-2-Clause */
#include <libvmafx/profile.h>

#include <cinttypes>
#include <cstdio>

#include "api/boundary.h"
#include "api/handles.h"
#include "core/context.h"
#include "core/failure.h"

using namespace vmafx;

namespace
{

Profiler &profiler_of(Device &device)
{
    if (!device.profiler())
        fail(VMAFX_E_NOTSUP, "desc.flags",
             "device %s was opened without VMAFX_DEVICE_PROFILING in desc.flags",
             device.facts().name.c_str());
    return *device.profiler();
}

void write_entry(const ProfileTable &table, uint32_t number, VmafxProfileEntry *out)
{
    const auto count = static_cast<uint32_t>(table.entries().size());
    if (number >= count)
        fail(VMAFX_E_NOTFOUND, "entry", "there is no entry %u; there are %u, numbered from 0",
             number, count);
    const ProfileTable::Entry &from = table.entries()[number];
    VmafxProfileEntry entry = VMAFX_PROFILE_ENTRY_INIT;
    entry.kind = static_cast<uint32_t>(from.kind);
    entry.entries = count;
    entry.count = from.count;
    entry.untimed = from.untimed;
    entry.time_ns = from.time_ns;
    std::snprintf(entry.name, sizeof entry.name, "%s", from.name);
    write_struct(out, entry, "out");
}

} // namespace

extern "C" {

int32_t vmafx_context_profile_at(VmafxContext *context, uint64_t index, uint32_t entry,
                                 VmafxProfileEntry *out, VmafxError *error)
{
    return guard("vmafx_context_profile_at", error, [&]() -> int32_t {
        check_not_null(context, "context");
        check_not_null(out, "out");
        profiler_of(*context->device());
        context->collect_finished();
        const FrameProfiles &profiles = context->profiles();
        if (const ProfileTable *table = profiles.find(index)) {
            write_entry(*table, entry, out);
            return VMAFX_OK;
        }
        if (context->running() && profiles.pending(index))
            return VMAFX_PENDING;
        fail(VMAFX_E_NOTFOUND, "index",
             "there are no times of frame %" PRIu64
             ": it was not submitted or not finished, or it is older than the last %d",
             index, VMAFX_PROFILE_FRAMES);
    });
}

int32_t vmafx_device_profile_sum(const VmafxDevice *device, uint32_t entry, VmafxProfileEntry *out,
                                 VmafxError *error)
{
    return guard("vmafx_device_profile_sum", error, [&] {
        check_not_null(device, "device");
        check_not_null(out, "out");
        write_entry(profiler_of(*device->device).sum(), entry, out);
    });
}

} // extern "C"
