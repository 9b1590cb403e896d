/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/failure.h"
#include "hip/runtime.h"

namespace vmafx::hip
{

std::string describe_error(const EntryPoints &hip, hipError_t error)
{
    const char *name = hip.hipGetErrorName(error);
    const char *text = hip.hipGetErrorString(error);
    std::string known = name && *name ? name : format("error %d", error);
    if (!text || !*text || known == text)
        return known;
    return known + ": " + text;
}

namespace
{

std::string describe_call(const Runtime &runtime, hipError_t error, const char *call)
{
    return format("%s of the %s runtime failed: %s", call, runtime_kind_name(runtime.kind),
                  describe_error(runtime.hip, error).c_str());
}

} // namespace

namespace
{

int32_t status_of(hipError_t error)
{
    return error == hipErrorOutOfMemory ? VMAFX_E_NOMEM : VMAFX_E_DEVICE;
}

} // namespace

int32_t status_of_handle(hipError_t error)
{
    /* ROCm says so of a stream that it does not know. */
    const bool unknown = error == hipErrorInvalidHandle || error == hipErrorInvalidValue ||
                         error == hipErrorContextIsDestroyed;
    return unknown ? VMAFX_E_INVALID : status_of(error);
}

void check(const Runtime &runtime, hipError_t error, const char *call)
{
    if (error == hipSuccess)
        return;
    /* The last error is the thread's, and shared with the program's own HIP code. */
    (void)runtime.hip.hipGetLastError();
    throw Failure(status_of(error), "", describe_call(runtime, error, call), error);
}

void warn(const Runtime &runtime, hipError_t error, const char *call) noexcept
{
    if (error == hipSuccess)
        return;
    (void)runtime.hip.hipGetLastError();
    try {
        log_message(VMAFX_LOG_WARNING, "%s", describe_call(runtime, error, call).c_str());
    } catch (...) {
        /* No memory for the message; the destructor goes on. */
    }
}

} // namespace vmafx::hip
