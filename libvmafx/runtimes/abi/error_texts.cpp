/* SPDX-License-Identifier: BSD-2-Clause */
#include "abi/error_texts.h"

namespace vmafx::abi
{

namespace
{

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
    TEXT(hipErrorNotInitialized, "the runtime could not start"),
    TEXT(hipErrorDeinitialized, "the runtime has shut down"),
    TEXT(hipErrorInvalidConfiguration, "invalid grid or block of a launch"),
    TEXT(hipErrorInvalidPitchValue, "pitch is smaller than the width"),
    TEXT(hipErrorInvalidDevicePointer, "invalid device pointer"),
    TEXT(hipErrorInvalidMemcpyDirection, "invalid copy direction"),
    TEXT(hipErrorInsufficientDriver, "driver too old for the runtime"),
    TEXT(hipErrorInvalidDeviceFunction, "invalid device function"),
    TEXT(hipErrorNoDevice, "no device"),
    TEXT(hipErrorInvalidDevice, "invalid device index"),
    TEXT(hipErrorInvalidImage, "not an image of kernels for this runtime"),
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

bool is_known_error(hip::hipError_t error)
{
    return find(error) != nullptr;
}

const char *error_name(hip::hipError_t error)
{
    const ErrorText *known = find(error);
    return known ? known->name : "hipErrorUnknown";
}

const char *error_text(hip::hipError_t error)
{
    const ErrorText *known = find(error);
    return known ? known->text : "unrecognised error code";
}

} // namespace vmafx::abi
