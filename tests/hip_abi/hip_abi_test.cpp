/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The library's declarations of the HIP ABI against the official header: a difference does not
 * compile.
 */
#include "hip/hip_abi.h"
#include "hip/runtime.h"

/* The official header has macros of the names of entry points: it goes last. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wignored-attributes"
#include <hip/hip_runtime_api.h>
#pragma GCC diagnostic pop

#include <cstdio>
#include <type_traits>

namespace own = vmafx::hip;

/* ---- entry points */

template <typename T> constexpr bool is_number = std::is_integral_v<T> || std::is_enum_v<T>;

/* How a value travels: by the same class of register and in the same size. */
template <typename A, typename B> constexpr bool same_class()
{
    if constexpr (std::is_pointer_v<A>)
        return std::is_pointer_v<B>;
    else if constexpr (std::is_floating_point_v<A>)
        return std::is_floating_point_v<B> && sizeof(A) == sizeof(B);
    else if constexpr (std::is_void_v<A> || std::is_void_v<B>)
        return std::is_void_v<A> && std::is_void_v<B>;
    else if constexpr (!is_number<A> || !is_number<B>)
        return false;
    else
        return sizeof(A) == sizeof(B);
}

/* What a pointer leads to, where both sides spell it as a number. */
template <typename A, typename B> constexpr bool same_parameter()
{
    if constexpr (std::is_pointer_v<A> && std::is_pointer_v<B>) {
        using To = std::remove_cv_t<std::remove_pointer_t<A>>;
        using From = std::remove_cv_t<std::remove_pointer_t<B>>;
        if constexpr ((std::is_arithmetic_v<To> || std::is_pointer_v<To>) && !std::is_void_v<From>)
            return same_class<To, From>();
        else
            return true;
    } else {
        return same_class<A, B>();
    }
}

template <typename Own, typename Official> struct Same : std::false_type {
};

template <typename R, typename... A, typename S, typename... B>
struct Same<R (*)(A...), S (*)(B...)> : std::bool_constant<same_class<R, S>() && [] {
    if constexpr (sizeof...(A) == sizeof...(B))
        return (same_parameter<A, B>() && ... && true);
    return false;
}()> {
};

/* The comparison itself can fail. */
static_assert(!Same<int (*)(int), int (*)(int, int)>::value);
static_assert(!Same<int (*)(int), int (*)(long)>::value);
static_assert(!Same<int (*)(int *), int (*)(size_t *)>::value);
static_assert(!Same<int (*)(void *), int (*)(size_t)>::value);
static_assert(!Same<int (*)(float), int (*)(int)>::value);
static_assert(Same<int (*)(void *, unsigned), ::hipError_t (*)(char **, int)>::value);

/* Later releases deprecate what all of them have. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static int compared = 0;

#define COMPARE(name)                                                                              \
    static_assert(Same<own::name##_fn, decltype(&::name)>::value, #name " differs");               \
    compared++;
#define COMPARE_required(name) COMPARE(name)
#define COMPARE_optional(name) ABI_IF_##name(COMPARE(name))
#define VMAFX_HIP_ENTRY(name, result, params, need) COMPARE_##need(name)

static void compare_entry_points()
{
#include "hip/entry_points.def"
    using Allocate = ::hipError_t (*)(void **, size_t, ::hipStream_t);
    using Allocate_found = decltype(static_cast<Allocate>(&::hipMallocAsync)); /* overloaded */
    static_assert(Same<own::hipMallocAsync_fn, Allocate_found>::value);
    compared++;
}

/* Callbacks are the other way round: HIP calls them. */
static_assert(Same<own::hipHostFn_t, ::hipHostFn_t>::value);
static_assert(Same<own::hipStreamCallback_t, ::hipStreamCallback_t>::value);

/* ---- constants */

#define SAME_VALUE(name) static_assert(static_cast<long>(own::name) == static_cast<long>(::name))
#define SAME_FLAG(name, official) static_assert(own::name == static_cast<unsigned>(official))

SAME_VALUE(hipSuccess);
SAME_VALUE(hipErrorInvalidValue);
SAME_VALUE(hipErrorOutOfMemory);
SAME_VALUE(hipErrorNotInitialized);
SAME_VALUE(hipErrorDeinitialized);
SAME_VALUE(hipErrorInvalidConfiguration);
SAME_VALUE(hipErrorInvalidPitchValue);
SAME_VALUE(hipErrorInvalidDevicePointer);
SAME_VALUE(hipErrorInvalidMemcpyDirection);
SAME_VALUE(hipErrorInsufficientDriver);
SAME_VALUE(hipErrorInvalidDeviceFunction);
SAME_VALUE(hipErrorNoDevice);
SAME_VALUE(hipErrorInvalidDevice);
SAME_VALUE(hipErrorInvalidImage);
SAME_VALUE(hipErrorInvalidContext);
SAME_VALUE(hipErrorMapFailed);
SAME_VALUE(hipErrorNoBinaryForGpu);
SAME_VALUE(hipErrorFileNotFound);
SAME_VALUE(hipErrorSharedObjectInitFailed);
SAME_VALUE(hipErrorOperatingSystem);
SAME_VALUE(hipErrorInvalidHandle);
SAME_VALUE(hipErrorNotFound);
SAME_VALUE(hipErrorNotReady);
SAME_VALUE(hipErrorIllegalAddress);
SAME_VALUE(hipErrorLaunchOutOfResources);
SAME_VALUE(hipErrorLaunchTimeOut);
SAME_VALUE(hipErrorContextIsDestroyed);
SAME_VALUE(hipErrorLaunchFailure);
SAME_VALUE(hipErrorNotSupported);
SAME_VALUE(hipErrorUnknown);

SAME_VALUE(hipMemcpyHostToHost);
SAME_VALUE(hipMemcpyHostToDevice);
SAME_VALUE(hipMemcpyDeviceToHost);
SAME_VALUE(hipMemcpyDeviceToDevice);
SAME_VALUE(hipMemcpyDefault);
SAME_VALUE(hipChannelFormatKindSigned);
SAME_VALUE(hipChannelFormatKindUnsigned);
SAME_VALUE(hipChannelFormatKindFloat);
SAME_VALUE(hipChannelFormatKindNone);
SAME_VALUE(hipExternalMemoryHandleTypeOpaqueFd);

SAME_FLAG(stream_default, hipStreamDefault);
SAME_FLAG(stream_non_blocking, hipStreamNonBlocking);
SAME_FLAG(event_default, hipEventDefault);
SAME_FLAG(event_blocking_sync, hipEventBlockingSync);
SAME_FLAG(event_disable_timing, hipEventDisableTiming);
SAME_FLAG(host_malloc_default, hipHostMallocDefault);
SAME_FLAG(host_malloc_portable, hipHostMallocPortable);
SAME_FLAG(host_malloc_mapped, hipHostMallocMapped);
SAME_FLAG(host_malloc_coherent, hipHostMallocCoherent);
SAME_FLAG(array_default, hipArrayDefault);
#ifdef hipExternalMemoryDedicated
SAME_FLAG(external_memory_dedicated, hipExternalMemoryDedicated);
#endif

/* ---- structs */

#define SAME_FIELD(type, field)                                                                    \
    static_assert(offsetof(own::type, field) == offsetof(::type, field) &&                         \
                  sizeof(own::type::field) == sizeof(::type::field))

static_assert(sizeof(own::hipChannelFormatDesc) == sizeof(::hipChannelFormatDesc));
SAME_FIELD(hipChannelFormatDesc, x);
SAME_FIELD(hipChannelFormatDesc, y);
SAME_FIELD(hipChannelFormatDesc, z);
SAME_FIELD(hipChannelFormatDesc, w);
SAME_FIELD(hipChannelFormatDesc, f);

static_assert(sizeof(own::hipExtent) == sizeof(::hipExtent));
SAME_FIELD(hipExtent, width);
SAME_FIELD(hipExtent, height);
SAME_FIELD(hipExtent, depth);

/* Read by the runtime: ours may be longer, never shorter. */
static_assert(sizeof(own::hipExternalMemoryHandleDesc) >= sizeof(::hipExternalMemoryHandleDesc));
SAME_FIELD(hipExternalMemoryHandleDesc, type);
SAME_FIELD(hipExternalMemoryHandleDesc, handle);
SAME_FIELD(hipExternalMemoryHandleDesc, handle.fd);
SAME_FIELD(hipExternalMemoryHandleDesc, handle.win32.handle);
SAME_FIELD(hipExternalMemoryHandleDesc, handle.win32.name);
SAME_FIELD(hipExternalMemoryHandleDesc, size);
SAME_FIELD(hipExternalMemoryHandleDesc, flags);

static_assert(sizeof(own::hipExternalMemoryBufferDesc) >= sizeof(::hipExternalMemoryBufferDesc));
SAME_FIELD(hipExternalMemoryBufferDesc, offset);
SAME_FIELD(hipExternalMemoryBufferDesc, size);
SAME_FIELD(hipExternalMemoryBufferDesc, flags);

/* Written by the runtime. */
#if HIP_VERSION_MAJOR < 6
using OwnProperties = own::DevicePropertiesR0000;
static_assert(sizeof(::hipDeviceProp_t) == own::device_properties_r0000_size);
#else
using OwnProperties = own::DevicePropertiesR0600;
static_assert(sizeof(::hipDeviceProp_t) == own::device_properties_r0600_size);
#endif
static_assert(sizeof(OwnProperties) >= sizeof(::hipDeviceProp_t));

#define SAME_PROPERTY(field)                                                                       \
    static_assert(offsetof(OwnProperties, field) == offsetof(::hipDeviceProp_t, field) &&          \
                  sizeof(OwnProperties::field) == sizeof(::hipDeviceProp_t::field))
SAME_PROPERTY(name);
SAME_PROPERTY(totalGlobalMem);
SAME_PROPERTY(multiProcessorCount);
SAME_PROPERTY(gcnArchName);

int main()
{
    compare_entry_points();
    std::printf("%d entry points compared with HIP %d.%d\n", compared, HIP_VERSION_MAJOR,
                HIP_VERSION_MINOR);
    return compared > 40 ? 0 : 1;
}
