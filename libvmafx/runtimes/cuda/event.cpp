/* SPDX-License-Identifier: BSD-2-Clause */
#include "errors.h"

namespace vmafx::hip
{

using cuda::answer;
using cuda::DriverFunctions;
using cuda::in_context;

namespace
{

constexpr unsigned int kEventFlags = event_blocking_sync | event_disable_timing;

} // namespace

extern "C" hipError_t hipEventCreateWithFlags(hipEvent_t *event, unsigned int flags)
{
    return in_context([&](const DriverFunctions &cu) {
        if (!event || (flags & ~kEventFlags) != 0)
            return hipErrorInvalidValue;
        return answer(cu.cuEventCreate(event, flags), "cuEventCreate");
    });
}

extern "C" hipError_t hipEventDestroy(hipEvent_t event)
{
    return in_context([&](const DriverFunctions &cu) {
        if (!event)
            return hipErrorInvalidHandle;
        return answer(cu.cuEventDestroy(event), "cuEventDestroy");
    });
}

extern "C" hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream)
{
    return in_context([&](const DriverFunctions &cu) {
        if (!event)
            return hipErrorInvalidHandle;
        return answer(cu.cuEventRecord(event, stream), "cuEventRecord");
    });
}

extern "C" hipError_t hipEventQuery(hipEvent_t event)
{
    return in_context([&](const DriverFunctions &cu) {
        if (!event)
            return hipErrorInvalidHandle;
        return answer(cu.cuEventQuery(event), "cuEventQuery");
    });
}

extern "C" hipError_t hipEventSynchronize(hipEvent_t event)
{
    return in_context([&](const DriverFunctions &cu) {
        if (!event)
            return hipErrorInvalidHandle;
        return answer(cu.cuEventSynchronize(event), "cuEventSynchronize");
    });
}

extern "C" hipError_t hipEventElapsedTime(float *milliseconds, hipEvent_t start, hipEvent_t stop)
{
    return in_context([&](const DriverFunctions &cu) {
        if (!milliseconds)
            return hipErrorInvalidValue;
        if (!start || !stop)
            return hipErrorInvalidHandle;
        return answer(cu.cuEventElapsedTime(milliseconds, start, stop), "cuEventElapsedTime");
    });
}

} // namespace vmafx::hip
