/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The part of the CUDA driver API that the runtime uses, declared anew so that no CUDA SDK is
 * needed. Numbers and layouts are those of a 64-bit driver, and have not changed since they came.
 *
 * Streams, events, modules, functions and arrays of the driver are handed out as HIP's handles
 * unchanged, and carry HIP's types here too. Flags of streams and events have equal numbers in both
 * interfaces.
 */
#ifndef VMAFX_CUDA_DRIVER_API_H
#define VMAFX_CUDA_DRIVER_API_H

#include "hip/hip_abi.h"

namespace vmafx::cuda
{

using CUresult = int32_t;
using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = struct Context_st *;
using CUexternalMemory = struct DriverMemory_st *;

inline constexpr CUresult kSuccess = 0;
inline constexpr CUresult kNoDevice = 100;
inline constexpr CUresult kStubLibrary = 34;
inline constexpr CUresult kDeviceUnavailable = 46;
inline constexpr CUresult kDeviceNotLicensed = 102;
inline constexpr CUresult kInvalidPtx = 218;
inline constexpr CUresult kJitCompilerNotFound = 221;
inline constexpr CUresult kUnsupportedPtxVersion = 222;
inline constexpr CUresult kJitDisabled = 223;
inline constexpr CUresult kFirstLaunchFault = 714; /* hardware stack error */
inline constexpr CUresult kLastLaunchFault = 719;  /* launch failed */
inline constexpr CUresult kDriverMismatch = 803;
inline constexpr CUresult kCompatNotSupported = 804;

enum class DeviceAttribute : int {
    multiprocessors = 16,
    capability_major = 75,
    capability_minor = 76,
};

enum class PointerAttribute : int {
    device_ordinal = 9,
};

enum class JitOption : int {
    error_log = 5,
    error_log_bytes = 6,
};

inline constexpr unsigned int mem_host_portable = 0x1;
inline constexpr unsigned int mem_host_device_map = 0x2;
inline constexpr unsigned int mem_host_write_combined = 0x4;
inline constexpr unsigned int mem_register_read_only = 0x8;

/* Markers of a launch's `extra` list; the first two are HIP's. */
inline void *const launch_end = nullptr;

enum class MemoryType : unsigned int {
    host = 1,
    device = 2,
    array = 3,
    unified = 4, /* an address says itself what it is of */
};

/** One side of a copy of rows. */
struct CopySide {
    size_t x; /* bytes */
    size_t y;
    MemoryType type;
    const void *host;
    CUdeviceptr device;
    hip::hipArray_t array;
    size_t pitch;
};

struct Copy2D {
    CopySide from;
    CopySide to;
    size_t width; /* bytes */
    size_t height;
};
static_assert(sizeof(CopySide) == 56 && sizeof(Copy2D) == 128);

enum class ArrayFormat : unsigned int {
    unsigned8 = 0x01,
    unsigned16 = 0x02,
    unsigned32 = 0x03,
    signed8 = 0x08,
    signed16 = 0x09,
    signed32 = 0x0a,
    half = 0x10,
    single = 0x20,
};

struct ArrayDescriptor {
    size_t width; /* elements */
    size_t height;
    ArrayFormat format;
    unsigned int channels;
};

inline constexpr unsigned int external_opaque_fd = 1;

struct ExternalMemoryHandleDesc {
    unsigned int type;
    union {
        int fd;
        struct {
            void *handle;
            const void *name;
        } win32;
    } handle;
    unsigned long long size;
    unsigned int flags;
    unsigned int reserved[16];
};
static_assert(sizeof(ExternalMemoryHandleDesc) == 104);

struct ExternalMemoryBufferDesc {
    unsigned long long offset;
    unsigned long long size;
    unsigned int flags;
    unsigned int reserved[16];
};
static_assert(sizeof(ExternalMemoryBufferDesc) == 88);

extern "C" {
using StreamCallback = void (*)(hip::hipStream_t stream, CUresult status, void *opaque);
}

} // namespace vmafx::cuda

#endif
