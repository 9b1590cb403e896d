/* SPDX-License-Identifier: BSD-2-Clause */
#include "hip/objects.h"

#include <memory>

#include "core/failure.h"
#include "hip/planted.h"

namespace vmafx::hip
{

/* ---- current device */

DeviceGuard::DeviceGuard(const Runtime &runtime, int ordinal) : runtime_(runtime)
{
    check(runtime, runtime.hip.hipGetDevice(&previous_), "hipGetDevice");
    if (previous_ == ordinal)
        return;
    check(runtime, runtime.hip.hipSetDevice(ordinal), "hipSetDevice");
    changed_ = true;
}

DeviceGuard::~DeviceGuard()
{
    if (changed_)
        warn(runtime_, runtime_.hip.hipSetDevice(previous_), "hipSetDevice");
}

/* ---- release */

void release_stream(const Runtime &runtime, hipStream_t stream)
{
    warn(runtime, runtime.hip.hipStreamDestroy(stream), "hipStreamDestroy");
}

void release_event(const Runtime &runtime, hipEvent_t event)
{
    warn(runtime, runtime.hip.hipEventDestroy(event), "hipEventDestroy");
}

void release_device_memory(const Runtime &runtime, void *memory)
{
    warn(runtime, runtime.hip.hipFree(memory), "hipFree");
}

void release_pinned_memory(const Runtime &runtime, void *memory)
{
    warn(runtime, runtime.hip.hipHostFree(memory), "hipHostFree");
}

void release_module(const Runtime &runtime, hipModule_t module)
{
    warn(runtime, runtime.hip.hipModuleUnload(module), "hipModuleUnload");
}

void release_external_memory(const Runtime &runtime, hipExternalMemory_t memory)
{
    warn(runtime, runtime.hip.hipDestroyExternalMemory(memory), "hipDestroyExternalMemory");
}

namespace
{

/** Whether work is done, from the answer of a query. */
bool answered_done(const Runtime &runtime, hipError_t error, const char *call)
{
    if (error != hipErrorNotReady) {
        check(runtime, error, call);
        return true;
    }
    /* Pending is no error, yet it is left behind as the thread's last one. */
    (void)runtime.hip.hipGetLastError();
    return false;
}

hipEvent_t create_event(const Runtime &runtime, unsigned int flags)
{
    hipEvent_t event = nullptr;
    check(runtime, runtime.hip.hipEventCreateWithFlags(&event, flags), "hipEventCreateWithFlags");
    return event;
}

hipStream_t create_stream(const Runtime &runtime)
{
    hipStream_t stream = nullptr;
    check(runtime, runtime.hip.hipStreamCreateWithFlags(&stream, stream_non_blocking),
          "hipStreamCreateWithFlags");
    return stream;
}

/* A failed allocation says how much was asked for: that is what the user can change. */
[[noreturn]] void fail_allocation(const Runtime &runtime, hipError_t error, const char *call,
                                  size_t bytes)
{
    (void)runtime.hip.hipGetLastError();
    const int32_t status = error == hipErrorOutOfMemory ? VMAFX_E_NOMEM : VMAFX_E_DEVICE;
    throw Failure(status, "",
                  format("%s of %zu bytes failed: %s", call, bytes,
                         describe_error(runtime.hip, error).c_str()),
                  error);
}

void *allocate_device(const Runtime &runtime, size_t bytes)
{
    void *memory = nullptr;
    const hipError_t error = runtime.hip.hipMalloc(&memory, bytes);
    if (error != hipSuccess)
        fail_allocation(runtime, error, "hipMalloc", bytes);
    return memory;
}

void *allocate_pinned(const Runtime &runtime, size_t bytes)
{
    void *memory = nullptr;
    const hipError_t error = runtime.hip.hipHostMalloc(&memory, bytes, host_malloc_default);
    if (error != hipSuccess)
        fail_allocation(runtime, error, "hipHostMalloc", bytes);
    return memory;
}

hipModule_t load_module(const Runtime &runtime, std::span<const std::byte> image)
{
    hipModule_t module = nullptr;
    check(runtime, runtime.hip.hipModuleLoadData(&module, image.data()), "hipModuleLoadData");
    return module;
}

hipExternalMemory_t import_memory(const Runtime &runtime, int fd, uint64_t size)
{
    hipExternalMemoryHandleDesc desc{};
    desc.type = hipExternalMemoryHandleTypeOpaqueFd;
    desc.handle.fd = fd;
    desc.size = size;
    hipExternalMemory_t memory = nullptr;
    check(runtime, runtime.hip.hipImportExternalMemory(&memory, &desc), "hipImportExternalMemory");
    return memory;
}

void *map_memory(const Runtime &runtime, hipExternalMemory_t memory, uint64_t size)
{
    hipExternalMemoryBufferDesc desc{};
    desc.size = size;
    void *address = nullptr;
    check(runtime, runtime.hip.hipExternalMemoryGetMappedBuffer(&address, memory, &desc),
          "hipExternalMemoryGetMappedBuffer");
    return address;
}

} // namespace

/* ---- events and streams */

Event::Event(const Runtime &runtime, unsigned int flags)
    : Owned(runtime, create_event(runtime, flags))
{
}

void Event::record(hipStream_t stream)
{
    check(runtime(), runtime().hip.hipEventRecord(get(), stream), "hipEventRecord");
}

bool event_done(const Runtime &runtime, hipEvent_t event)
{
    return answered_done(runtime, runtime.hip.hipEventQuery(event), "hipEventQuery");
}

void Event::wait() const
{
    check(runtime(), runtime().hip.hipEventSynchronize(get()), "hipEventSynchronize");
}

Stream::Stream(const Runtime &runtime) : Owned(runtime, create_stream(runtime)) {}

void Stream::wait_for(hipEvent_t event)
{
    check(runtime(), runtime().hip.hipStreamWaitEvent(get(), event, 0), "hipStreamWaitEvent");
}

void Stream::record(hipEvent_t event)
{
    check(runtime(), runtime().hip.hipEventRecord(event, get()), "hipEventRecord");
}

void Stream::submit()
{
    if (runtime().kind != VMAFX_RUNTIME_CUDA && !planted(Planted::kSkippedSubmit))
        (void)idle();
}

bool Stream::idle()
{
    return answered_done(runtime(), runtime().hip.hipStreamQuery(get()), "hipStreamQuery");
}

void Stream::synchronize()
{
    check(runtime(), runtime().hip.hipStreamSynchronize(get()), "hipStreamSynchronize");
}

namespace
{

struct HostCall {
    hipHostFn_t function;
    void *opaque;
};

extern "C" void run_host_call(hipStream_t, hipError_t, void *opaque)
{
    const std::unique_ptr<HostCall> call(static_cast<HostCall *>(opaque));
    call->function(call->opaque);
}

} // namespace

void Stream::call(hipHostFn_t function, void *opaque)
{
    const EntryPoints &hip = runtime().hip;
    if (hip.hipLaunchHostFunc) {
        check(runtime(), hip.hipLaunchHostFunc(get(), function, opaque), "hipLaunchHostFunc");
        return;
    }
    auto call = std::make_unique<HostCall>(HostCall{function, opaque});
    check(runtime(), hip.hipStreamAddCallback(get(), run_host_call, call.get(), 0),
          "hipStreamAddCallback");
    (void)call.release(); /* the callback owns it */
}

/* ---- memory */

DeviceMemory::DeviceMemory(const Runtime &runtime, size_t bytes)
    : Owned(runtime, allocate_device(runtime, bytes)), size_(bytes)
{
}

PinnedMemory::PinnedMemory(const Runtime &runtime, size_t bytes)
    : Owned(runtime, allocate_pinned(runtime, bytes)), size_(bytes)
{
}

ExternalMemory::ExternalMemory(const Runtime &runtime, int fd, uint64_t size)
    : memory_(runtime, import_memory(runtime, fd, size)),
      mapping_(runtime, map_memory(runtime, memory_.get(), size)), size_(size)
{
}

/* ---- code objects */

Module::Module(const Runtime &runtime, std::span<const std::byte> image)
    : Owned(runtime, load_module(runtime, image))
{
}

hipFunction_t Module::find(const char *name) const
{
    hipFunction_t function = nullptr;
    const hipError_t error = runtime().hip.hipModuleGetFunction(&function, get(), name);
    if (error == hipErrorNotFound) {
        (void)runtime().hip.hipGetLastError();
        return nullptr;
    }
    check(runtime(), error, "hipModuleGetFunction");
    return function;
}

hipFunction_t Module::function(const char *name) const
{
    if (const hipFunction_t function = find(name))
        return function;
    throw Failure(VMAFX_E_INTERNAL, "",
                  format("the code object lacks the kernel %s: %s", name,
                         describe_error(runtime().hip, hipErrorNotFound).c_str()),
                  hipErrorNotFound);
}

void launch(const Runtime &runtime, hipFunction_t function, const LaunchShape &shape,
            hipStream_t stream, std::span<const std::byte> arguments)
{
    /* The runtime reads the arguments only; its interface is older than const. */
    size_t bytes = arguments.size();
    void *extra[] = {launch_param_buffer_pointer, const_cast<std::byte *>(arguments.data()),
                     launch_param_buffer_size, &bytes, launch_param_end};
    check(runtime,
          runtime.hip.hipModuleLaunchKernel(function, shape.grid_x, shape.grid_y, shape.grid_z,
                                            shape.threads, 1, 1, 0, stream, nullptr, extra),
          "hipModuleLaunchKernel");
}

} // namespace vmafx::hip
