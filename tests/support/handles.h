/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Owners of the handles of the public API, and failures of its calls as exceptions.
 */
#ifndef TESTS_SUPPORT_HANDLES_H
#define TESTS_SUPPORT_HANDLES_H

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>

#include <libvmafx/vmafx.h>

namespace support
{

template <class T, void (*Close)(T **)> class Handle
{
  public:
    Handle() = default;
    explicit Handle(T *handle) : handle_(handle) {}
    Handle(Handle &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Handle &operator=(Handle &&other) noexcept
    {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Handle() { Close(&handle_); }

    T *get() const { return handle_; }
    /** For a call that creates the handle. */
    T **out()
    {
        Close(&handle_);
        return &handle_;
    }
    void close() { Close(&handle_); }
    /** The handle was taken by a call. */
    void forget() { handle_ = nullptr; }

  private:
    T *handle_ = nullptr;
};

using Device = Handle<VmafxDevice, vmafx_device_close>;
using Context = Handle<VmafxContext, vmafx_context_close>;
using Frame = Handle<VmafxFrame, vmafx_frame_unref>;
using Model = Handle<VmafxModel, vmafx_model_close>;
using Fence = Handle<VmafxFence, vmafx_fence_close>;

struct CallFailed : std::runtime_error {
    CallFailed(int32_t s, const VmafxError &error)
        : std::runtime_error(std::string(error.function) + ": " + vmafx_status_name(s) + " " +
                             error.subject + ": " + error.message),
          status(s)
    {
    }
    int32_t status;
};

/** Runs a call of the API that takes an error object last and must succeed. */
template <class Function, class... Args> void must(Function function, Args... args)
{
    VmafxError error = VMAFX_ERROR_INIT;
    const int32_t status = function(args..., &error);
    if (status != VMAFX_OK)
        throw CallFailed(status, error);
}

inline Device open_device(uint32_t runtime)
{
    VmafxDeviceDesc desc = VMAFX_DEVICE_DESC_INIT;
    desc.runtime = runtime;
    Device device;
    must(vmafx_device_open, &desc, device.out());
    return device;
}

/** A device of the CPU runtime; the environment chooses level and workers. */
inline Device open_cpu_device()
{
    return open_device(VMAFX_RUNTIME_CPU);
}

/** The runtime that VMAFX_TEST_RUNTIME names: cpu, cuda or rocm; cpu without it. */
inline uint32_t test_runtime()
{
    const char *text = std::getenv("VMAFX_TEST_RUNTIME");
    const std::string name = text ? text : "cpu";
    if (name == "cpu")
        return VMAFX_RUNTIME_CPU;
    if (name == "cuda")
        return VMAFX_RUNTIME_CUDA;
    if (name == "rocm")
        return VMAFX_RUNTIME_ROCM;
    throw std::runtime_error("VMAFX_TEST_RUNTIME is \"" + name + "\"; use cpu, cuda or rocm");
}

/** ROCm's driver imports dma-bufs alone; the others take memfds in their place. */
inline bool takes_memfds()
{
    return test_runtime() != VMAFX_RUNTIME_ROCM;
}

/** A device of that runtime, for tests that any device has to pass. */
inline Device open_test_device()
{
    return open_device(test_runtime());
}

inline VmafxDeviceInfo info_of(const Device &device)
{
    VmafxDeviceInfo info = VMAFX_DEVICE_INFO_INIT;
    must(vmafx_device_get_info, device.get(), &info);
    return info;
}

/** VMAFX_TEST_LANES: the lanes of contexts that do not ask for a number. */
inline Context create_context(const Device &device, const VmafxContextDesc *desc = nullptr)
{
    VmafxContextDesc wanted = VMAFX_CONTEXT_DESC_INIT;
    if (desc)
        wanted = *desc;
    const char *lanes = std::getenv("VMAFX_TEST_LANES");
    if (lanes && !wanted.lanes)
        wanted.lanes = static_cast<uint32_t>(std::strtoul(lanes, nullptr, 10));
    Context context;
    must(vmafx_context_create, device.get(), &wanted, context.out());
    return context;
}

/** Adds a built-in model whose scores are named after its version. */
inline void use_builtin_model(const Context &context, const char *version)
{
    VmafxModelDesc desc = VMAFX_MODEL_DESC_INIT;
    desc.version = version;
    desc.name = version;
    Model model;
    must(vmafx_model_load, &desc, model.out());
    must(vmafx_context_use_model, context.get(), model.get());
}

inline Frame import_frame(const Device &device, const VmafxFrameImport &desc)
{
    Frame frame;
    must(vmafx_frame_import, device.get(), &desc, frame.out());
    return frame;
}

inline VmafxDeviceCounters counters_of(const Device &device)
{
    VmafxDeviceCounters counters = VMAFX_DEVICE_COUNTERS_INIT;
    must(vmafx_device_get_counters, device.get(), &counters);
    return counters;
}

} // namespace support

#endif
