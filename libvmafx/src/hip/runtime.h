/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One loaded HIP runtime: the table of its entry points, and the loader that finds it.
 */
#ifndef VMAFX_HIP_RUNTIME_H
#define VMAFX_HIP_RUNTIME_H

#include <cstdint>
#include <memory>
#include <string>

#include <libvmafx/device.h>

#include "hip/hip_abi.h"

namespace vmafx::hip
{

extern "C" {
#define VMAFX_HIP_ENTRY(name, result, params, need) using name##_fn = result(*) params;
#define VMAFX_HIP_OWN_ENTRY VMAFX_HIP_ENTRY
#include "hip/entry_points.def"
#undef VMAFX_HIP_ENTRY
}

/** The entry points. Those listed as required are never null in a loaded runtime. */
struct EntryPoints {
#define VMAFX_HIP_ENTRY(name, result, params, need) name##_fn name = nullptr;
#include "hip/entry_points.def"
#undef VMAFX_HIP_ENTRY
#undef VMAFX_HIP_OWN_ENTRY
};

/** A runtime stays loaded until the process ends: its threads and exit handlers are its own. */
struct Runtime {
    uint32_t kind = VMAFX_RUNTIME_AUTO; /* never auto once loaded */
    std::string file;                   /* as the dynamic linker found it */
    int device_count = 0;               /* at least 1 */
    int version = 0;                    /* hipRuntimeGetVersion, 0 where it fails */
    EntryPoints hip;
};

struct RuntimeRequest {
    uint32_t kind = VMAFX_RUNTIME_AUTO; /* VMAFX_RUNTIME_* */
    std::string path;                   /* file or soname to load instead of the list; "" = none */
    uint32_t workers = 0;               /* CPU runtime: worker threads, 0 = its default */
};

/**
 * Loads a runtime that has a device. Auto takes ROCm, else CUDA, else the CPU; a named runtime is
 * that one or a failure.
 *
 * The environment variable VMAFX_HIP_LIBRARY names a file or soname to load instead of the list
 * (request.path goes before it; privileged programs ignore it). With a named runtime the file must
 * be of that runtime. With auto it is the only file tried, and it says itself which runtime it is:
 * a file without vmafx_hip_runtime_name() is ROCm's.
 *
 * Throws Failure: VMAFX_E_NOTFOUND with each file tried and its answer; VMAFX_E_INVALID for a
 * request that makes no sense; VMAFX_E_BUSY when the CPU runtime already runs with another number
 * of workers.
 */
std::shared_ptr<const Runtime> load_runtime(const RuntimeRequest &request);

/** "auto", "rocm", "cuda", "cpu"; "unknown" for others. */
const char *runtime_kind_name(uint32_t kind);

/** "hipErrorNoDevice: no ROCm-capable device is detected", for messages. */
std::string describe_error(const EntryPoints &hip, hipError_t error);

/**
 * Throws unless error is hipSuccess: VMAFX_E_NOMEM for hipErrorOutOfMemory, else VMAFX_E_DEVICE.
 * The message names the call and the runtime's error. Clears the thread's last error.
 */
void check(const Runtime &runtime, hipError_t error, const char *call);

/** The status for a call that refused a handle of the caller's: VMAFX_E_INVALID where the runtime
 * says that it is none, else as for check(). */
int32_t status_of_handle(hipError_t error);

/** As check() for places that must not throw: logs a warning. */
void warn(const Runtime &runtime, hipError_t error, const char *call) noexcept;

} // namespace vmafx::hip

#endif
