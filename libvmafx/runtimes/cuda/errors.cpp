/* SPDX-License-Identifier: BSD-2-Clause */
#include "errors.h"

#include <cstdio>

#include "abi/error_texts.h"

namespace vmafx::cuda
{

namespace
{

using namespace hip;

struct Reason {
    hipError_t code = hipSuccess;
    bool fresh = false; /* told since the entry point began */
    char text[1024] = {};
};

thread_local Reason reason;
thread_local hipError_t last_error = hipSuccess;

/** The two interfaces number alike where they have the same errors. */
hipError_t hip_code(CUresult result)
{
    switch (result) {
    case kInvalidPtx:
    case kJitCompilerNotFound:
    case kUnsupportedPtxVersion:
    case kJitDisabled:
        return hipErrorInvalidImage;
    case kStubLibrary:
    case kDriverMismatch:
    case kCompatNotSupported:
        return hipErrorInsufficientDriver;
    case kDeviceUnavailable:
    case kDeviceNotLicensed:
        return hipErrorInvalidDevice;
    default:
        break;
    }
    if (result >= kFirstLaunchFault && result <= kLastLaunchFault)
        return hipErrorLaunchFailure;
    return abi::is_known_error(result) ? result : hipErrorUnknown;
}

} // namespace

hipError_t answer(CUresult result, const char *call, const char *detail)
{
    if (result == kSuccess || result == hipErrorNotReady)
        return result;
    const char *text = nullptr;
    if (Driver::get().cu.cuGetErrorString(result, &text) != kSuccess || !text)
        text = "unknown error";
    reason.code = hip_code(result);
    reason.fresh = true;
    std::snprintf(reason.text, sizeof(reason.text), "%s (%s, CUDA error %d)%s%s", text, call,
                  result, *detail ? ": " : "", detail);
    return reason.code;
}

void begin_entry()
{
    reason.fresh = false;
}

hipError_t end_entry(hipError_t error)
{
    if (error == hipSuccess || error == hipErrorNotReady)
        return error;
    if (!reason.fresh)
        reason.code = hipSuccess;
    last_error = error;
    return error;
}

} // namespace vmafx::cuda

namespace vmafx::hip
{

using cuda::Driver;

extern "C" const char *hipGetErrorName(hipError_t error)
{
    return abi::error_name(error);
}

extern "C" const char *hipGetErrorString(hipError_t error)
{
    const Driver &driver = Driver::get();
    if (error != hipSuccess && error == driver.state())
        return driver.state_text();
    if (error != hipSuccess && error == cuda::reason.code)
        return cuda::reason.text;
    return abi::error_text(error);
}

extern "C" hipError_t hipGetLastError()
{
    const hipError_t error = cuda::last_error;
    cuda::last_error = hipSuccess;
    return error;
}

} // namespace vmafx::hip
