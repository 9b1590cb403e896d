/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The part of the HIP C ABI that the library uses, declared anew so that neither build nor binary
 * needs ROCm. Values and layouts hold for releases 5, 6 and 7; a test compares them with the
 * official header where one is installed.
 *
 * Types and enumerators carry their HIP names. What is a macro in the official header has a name of
 * our own here, so that both headers can be included in one file.
 */
#ifndef VMAFX_HIP_HIP_ABI_H
#define VMAFX_HIP_HIP_ABI_H

#include <cstddef>
#include <cstdint>

namespace vmafx::hip
{

/* ---- errors: an int on the wire, so that a number of a later release is a value like any other */

using hipError_t = int32_t;
inline constexpr hipError_t hipSuccess = 0;
inline constexpr hipError_t hipErrorInvalidValue = 1;
inline constexpr hipError_t hipErrorOutOfMemory = 2;
inline constexpr hipError_t hipErrorNotInitialized = 3;
inline constexpr hipError_t hipErrorDeinitialized = 4;
inline constexpr hipError_t hipErrorInvalidConfiguration = 9;
inline constexpr hipError_t hipErrorInvalidPitchValue = 12;
inline constexpr hipError_t hipErrorInvalidDevicePointer = 17;
inline constexpr hipError_t hipErrorInvalidMemcpyDirection = 21;
inline constexpr hipError_t hipErrorInsufficientDriver = 35;
inline constexpr hipError_t hipErrorInvalidDeviceFunction = 98;
inline constexpr hipError_t hipErrorNoDevice = 100;
inline constexpr hipError_t hipErrorInvalidDevice = 101;
inline constexpr hipError_t hipErrorInvalidImage = 200;
inline constexpr hipError_t hipErrorInvalidContext = 201;
inline constexpr hipError_t hipErrorMapFailed = 205;
inline constexpr hipError_t hipErrorNoBinaryForGpu = 209;
inline constexpr hipError_t hipErrorFileNotFound = 301;
inline constexpr hipError_t hipErrorSharedObjectInitFailed = 303;
inline constexpr hipError_t hipErrorOperatingSystem = 304;
inline constexpr hipError_t hipErrorInvalidHandle = 400;
inline constexpr hipError_t hipErrorNotFound = 500;
inline constexpr hipError_t hipErrorNotReady = 600;
inline constexpr hipError_t hipErrorIllegalAddress = 700;
inline constexpr hipError_t hipErrorLaunchOutOfResources = 701;
inline constexpr hipError_t hipErrorLaunchTimeOut = 702;
inline constexpr hipError_t hipErrorContextIsDestroyed = 709;
inline constexpr hipError_t hipErrorLaunchFailure = 719;
inline constexpr hipError_t hipErrorNotSupported = 801;
inline constexpr hipError_t hipErrorUnknown = 999;

/* ---- handles */

using hipDevice_t = int;
using hipStream_t = struct Stream_st *;
using hipEvent_t = struct Event_st *;
using hipModule_t = struct Module_st *;
using hipFunction_t = struct Function_st *;
using hipArray_t = struct Array_st *;
using hipArray_const_t = const struct Array_st *;
using hipExternalMemory_t = struct ExternalMemory_st *;

extern "C" {
using hipHostFn_t = void (*)(void *opaque);
using hipStreamCallback_t = void (*)(hipStream_t stream, hipError_t status, void *opaque);
}

/* ---- flags (macros in the official header) */

inline constexpr unsigned int stream_default = 0x0;
inline constexpr unsigned int stream_non_blocking = 0x1;
inline constexpr unsigned int event_default = 0x0;
inline constexpr unsigned int event_blocking_sync = 0x1;
inline constexpr unsigned int event_disable_timing = 0x2;
inline constexpr unsigned int host_malloc_default = 0x0;
inline constexpr unsigned int host_malloc_portable = 0x1;
inline constexpr unsigned int host_malloc_mapped = 0x2;
inline constexpr unsigned int host_malloc_coherent = 0x40000000;
inline constexpr unsigned int array_default = 0x0;
inline constexpr unsigned int external_memory_dedicated = 0x1;

/* Markers in the `extra` argument of hipModuleLaunchKernel: BUFFER_POINTER, address of the packed
 * arguments, BUFFER_SIZE, address of a size_t with their size, END. */
// NOLINTBEGIN(performance-no-int-to-ptr): the ABI has numbers there
inline void *const launch_param_buffer_pointer = reinterpret_cast<void *>(uintptr_t{1});
inline void *const launch_param_buffer_size = reinterpret_cast<void *>(uintptr_t{2});
inline void *const launch_param_end = reinterpret_cast<void *>(uintptr_t{3});
// NOLINTEND(performance-no-int-to-ptr)

/* ---- copies and arrays */

enum hipMemcpyKind : unsigned int {
    hipMemcpyHostToHost = 0,
    hipMemcpyHostToDevice = 1,
    hipMemcpyDeviceToHost = 2,
    hipMemcpyDeviceToDevice = 3,
    hipMemcpyDefault = 4,
};

enum hipChannelFormatKind : unsigned int {
    hipChannelFormatKindSigned = 0,
    hipChannelFormatKindUnsigned = 1,
    hipChannelFormatKindFloat = 2,
    hipChannelFormatKindNone = 3,
};

/** Bits of each component, 0 for one that is absent. */
struct hipChannelFormatDesc {
    int x;
    int y;
    int z;
    int w;
    hipChannelFormatKind f;
};

struct hipExtent {
    size_t width;
    size_t height;
    size_t depth;
};

/* ---- external memory: release 5.2 ends both structs after flags; the reserved words came later
 * and are zero. They are larger than any release's, so that none reads past them. */

enum hipExternalMemoryHandleType : unsigned int {
    hipExternalMemoryHandleTypeOpaqueFd = 1,
};

struct hipExternalMemoryHandleDesc {
    hipExternalMemoryHandleType type;
    union {
        int fd;
        struct {
            void *handle;
            const void *name;
        } win32;
    } handle;
    unsigned long long size;
    unsigned int flags;
    unsigned int reserved[33];
};

struct hipExternalMemoryBufferDesc {
    unsigned long long offset;
    unsigned long long size;
    unsigned int flags;
    unsigned int reserved[33];
};

/* ---- device properties: only what the library reads, at its offset; the rest is room that a
 * runtime may write. Larger than the real structs, so that a longer one of a point release stays
 * inside. A runtime of ours writes no more than the real size. */

inline constexpr size_t device_properties_r0000_size = 792;
inline constexpr size_t device_properties_r0600_size = 1472;

struct DevicePropertiesR0000 {
    char name[256];
    size_t totalGlobalMem;
    unsigned char unread[72];
    int multiProcessorCount;
    unsigned char unread_limits[56];
    char gcnArchName[256];
    unsigned char room[4096 - 652];
};

struct DevicePropertiesR0600 {
    char name[256];
    unsigned char unread_ids[32];
    size_t totalGlobalMem;
    unsigned char unread[92];
    int multiProcessorCount;
    unsigned char unread_limits[768];
    char gcnArchName[256];
    unsigned char room[4096 - 1416];
};

static_assert(offsetof(DevicePropertiesR0000, multiProcessorCount) == 336);
static_assert(offsetof(DevicePropertiesR0000, gcnArchName) == 396);
static_assert(offsetof(DevicePropertiesR0600, multiProcessorCount) == 388);
static_assert(offsetof(DevicePropertiesR0600, gcnArchName) == 1160);

/* ---- the CPU runtime's own: a machine that is as bad as HIP allows, out of one seed */

/* Facts about real devices that the hostile machine has where the bit is set. */
/* A copy does not wait for an event whose record was not submitted when the copy was enqueued.
 */
inline constexpr uint32_t cpu_hostile_overtaken = 1u << 0;
/* hipEventQuery of an event never recorded is success; else "not ready". */
inline constexpr uint32_t cpu_hostile_unrecorded = 1u << 1;
/* hipFree of a mapped buffer waits for the device; else it unmaps at once. */
inline constexpr uint32_t cpu_hostile_free_waits = 1u << 2;
/* Imports of a size beyond the buffer's succeed, with garbage behind the end. */
inline constexpr uint32_t cpu_hostile_any_size = 1u << 3;
/* A fill that an upload of the same thread follows, ahead of any kernel, never runs. */
inline constexpr uint32_t cpu_hostile_lost_clear = 1u << 4;
/* The null stream and non-blocking streams do not wait for each other; else they do. */
inline constexpr uint32_t cpu_hostile_null_stream = 1u << 5;
/* Which commands may be lost; see drops_per_million. */
inline constexpr uint32_t cpu_hostile_drop_kernels = 1u << 6;
inline constexpr uint32_t cpu_hostile_drop_copies = 1u << 7;
inline constexpr uint32_t cpu_hostile_drop_fills = 1u << 8;
/* hipImportExternalSemaphore aborts the process; else it refuses. */
inline constexpr uint32_t cpu_hostile_semaphore_aborts = 1u << 9;
inline constexpr uint32_t cpu_hostile_all_facts = (1u << 10) - 1;

struct CpuHostileOptions {
    uint64_t seed;
    uint32_t facts;             /* cpu_hostile_* */
    uint32_t drops_per_million; /* commands after which a run of them is lost */
    /* How long it takes until work goes on by itself while nobody calls, and how long a function of
     * the caller may keep everything else waiting; 0 = 20. */
    uint32_t patience_ms;
};

} // namespace vmafx::hip

#endif
