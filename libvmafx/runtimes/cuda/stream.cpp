/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Streams, and functions of the caller on them. The null stream is the legacy one of the thread's
 * device.
 */
#include <memory>

#include "errors.h"

namespace vmafx::cuda
{

namespace
{

struct Callback {
    hip::hipStreamCallback_t function;
    void *opaque;
};

extern "C" void run_callback(hip::hipStream_t stream, CUresult result, void *opaque)
{
    const std::unique_ptr<Callback> callback(static_cast<Callback *>(opaque));
    callback->function(stream, answer(result, "a stream's work"), callback->opaque);
}

} // namespace

} // namespace vmafx::cuda

namespace vmafx::hip
{

using cuda::answer;
using cuda::DriverFunctions;
using cuda::in_context;

extern "C" hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned int flags)
{
    return in_context([&](const DriverFunctions &cu) {
        if (!stream || (flags & ~stream_non_blocking) != 0)
            return hipErrorInvalidValue;
        return answer(cu.cuStreamCreate(stream, flags), "cuStreamCreate");
    });
}

extern "C" hipError_t hipStreamDestroy(hipStream_t stream)
{
    return in_context([&](const DriverFunctions &cu) {
        if (!stream)
            return hipErrorInvalidHandle;
        return answer(cu.cuStreamDestroy(stream), "cuStreamDestroy");
    });
}

extern "C" hipError_t hipStreamQuery(hipStream_t stream)
{
    return in_context([&](const DriverFunctions &cu) {
        return answer(cu.cuStreamQuery(stream), "cuStreamQuery");
    });
}

extern "C" hipError_t hipStreamSynchronize(hipStream_t stream)
{
    return in_context([&](const DriverFunctions &cu) {
        return answer(cu.cuStreamSynchronize(stream), "cuStreamSynchronize");
    });
}

extern "C" hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned int flags)
{
    return in_context([&](const DriverFunctions &cu) {
        if (!event)
            return hipErrorInvalidHandle;
        if (flags != 0)
            return hipErrorInvalidValue;
        return answer(cu.cuStreamWaitEvent(stream, event, flags), "cuStreamWaitEvent");
    });
}

extern "C" hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t *device)
{
    return in_context([&](const DriverFunctions &cu) -> hipError_t {
        if (!device)
            return hipErrorInvalidValue;
        cuda::CUcontext context = nullptr;
        cuda::CUresult result = cu.cuStreamGetCtx(stream, &context);
        if (result == cuda::kSuccess)
            result = cu.cuCtxPushCurrent(context);
        if (result != cuda::kSuccess)
            return answer(result, "cuStreamGetCtx");
        result = cu.cuCtxGetDevice(device);
        cu.cuCtxPopCurrent(&context);
        return answer(result, "cuCtxGetDevice");
    });
}

extern "C" hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t function, void *opaque)
{
    return in_context([&](const DriverFunctions &cu) {
        if (!function)
            return hipErrorInvalidValue;
        return answer(cu.cuLaunchHostFunc(stream, function, opaque), "cuLaunchHostFunc");
    });
}

extern "C" hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback,
                                           void *opaque, unsigned int flags)
{
    return in_context([&](const DriverFunctions &cu) -> hipError_t {
        if (!callback || flags != 0)
            return hipErrorInvalidValue;
        auto owned = std::make_unique<cuda::Callback>(cuda::Callback{callback, opaque});
        const cuda::CUresult result =
            cu.cuStreamAddCallback(stream, cuda::run_callback, owned.get(), 0);
        if (result != cuda::kSuccess)
            return answer(result, "cuStreamAddCallback");
        [[maybe_unused]] const auto *callbacks = owned.release();
        return hipSuccess;
    });
}

} // namespace vmafx::hip
