/* SPDX-License-Identifier: BSD-2-Clause */
#include "errors.h"

#include "engine.h"

namespace vmafx::cpu
{

namespace
{

thread_local hip::hipError_t last_error = hip::hipSuccess;

struct ErrorText {
    hip::hipError_t code;
    const char *name;
    const char *text;
};

#define TEXT(name, text) {hip::name, #name, text}
constexpr ErrorText kErrors[] = {
    TEXT(hipSuccess, "no error"),
    TEXT(hipErrorInvalidValue, "invalid argument"),
    TEXT(hipErrorOutOfMemory, "out of memory"),
    TEXT(hipErrorNotInitialized, "the CPU runtime could not start"),
    TEXT(hipErrorDeinitialized, "the CPU runtime has shut down"),
    TEXT(hipErrorInvalidConfiguration, "invalid grid or block of a launch"),
    TEXT(hipErrorInvalidPitchValue, "pitch is smaller than the width"),
    TEXT(hipErrorInvalidDevicePointer, "invalid device pointer"),
    TEXT(hipErrorInvalidMemcpyDirection, "invalid copy direction"),
    TEXT(hipErrorInsufficientDriver, "driver too old for the runtime"),
    TEXT(hipErrorInvalidDeviceFunction, "invalid device function"),
    TEXT(hipErrorNoDevice, "no device"),
    TEXT(hipErrorInvalidDevice, "invalid device index"),
    TEXT(hipErrorInvalidImage, "not an image of kernels for the CPU runtime"),
    TEXT(hipErrorInvalidContext, "invalid context"),
    TEXT(hipErrorMapFailed, "memory could not be mapped"),
    TEXT(hipErrorNoBinaryForGpu, "image has code for another kind of device"),
    TEXT(hipErrorFileNotFound, "file not found"),
    TEXT(hipErrorSharedObjectInitFailed, "shared object could not be loaded"),
    TEXT(hipErrorOperatingSystem, "a system call failed"),
    TEXT(hipErrorInvalidHandle, "invalid handle"),
    TEXT(hipErrorNotFound, "name not found"),
    TEXT(hipErrorNotReady, "work has not finished"),
    TEXT(hipErrorIllegalAddress, "illegal address"),
    TEXT(hipErrorLaunchOutOfResources, "launch needs more resources than the device has"),
    TEXT(hipErrorLaunchTimeOut, "launch timed out"),
    TEXT(hipErrorContextIsDestroyed, "context is destroyed"),
    TEXT(hipErrorLaunchFailure, "launch failed"),
    TEXT(hipErrorNotSupported, "not supported"),
    TEXT(hipErrorUnknown, "unknown error"),
};
#undef TEXT

const ErrorText *find(hip::hipError_t code)
{
    for (const ErrorText &error : kErrors) {
        if (error.code == code)
            return &error;
    }
    return nullptr;
}

} // namespace

hip::hipError_t remember(hip::hipError_t error)
{
    /* "Not ready" is an answer of a query, not an error. */
    if (error != hip::hipSuccess && error != hip::hipErrorNotReady)
        last_error = error;
    return error;
}

hip::hipError_t engine_state()
{
    return Engine::get().state();
}

} // namespace vmafx::cpu

namespace vmafx::hip
{

extern "C" const char *hipGetErrorName(hipError_t error)
{
    const cpu::ErrorText *known = cpu::find(error);
    return known ? known->name : "hipErrorUnknown";
}

extern "C" const char *hipGetErrorString(hipError_t error)
{
    /* A runtime that could not start says why; there is no other way to hand out the reason. */
    if (error == hipErrorNotInitialized && cpu::Engine::get().settings().error[0] != '\0')
        return cpu::Engine::get().settings().error;
    const cpu::ErrorText *known = cpu::find(error);
    return known ? known->text : "unrecognised error code";
}

extern "C" hipError_t hipGetLastError()
{
    const hipError_t error = cpu::last_error;
    cpu::last_error = hipSuccess;
    return error;
}

} // namespace vmafx::hip
