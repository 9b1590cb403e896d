/* SPDX-License-Identifier: BSD-2-Clause */
#include "trial.h"

#include <chrono>
#include <thread>

#include "hip/hip_abi.h"
#include "support/runtime_calls.h"

using namespace support;
using namespace vmafx::hip;

namespace
{

constexpr std::chrono::seconds kReleaseBound{10};

/** Whether a call has to answer so when the fault is its cause. */
bool is_expected(int32_t status, const Fault &fault, const std::string &function)
{
    /* The loader passes over a runtime that does not answer. */
    const bool opens = function == "vmafx_device_open";
    if (opens && (fault.lasting || fault.entry == "hipGetDeviceCount"))
        return status == VMAFX_E_NOTFOUND || (fault.lasting && status == VMAFX_E_DEVICE);
    return status == (fault.error == hipErrorOutOfMemory ? VMAFX_E_NOMEM : VMAFX_E_DEVICE);
}

void release(void *counter)
{
    static_cast<std::atomic<unsigned> *>(counter)->fetch_add(1);
}

bool signalled_in_time(const Fence &fence)
{
    return vmafx_fence_wait(fence.get(), 10'000'000, nullptr) == VMAFX_OK;
}

} // namespace

std::string describe(const Fault &fault)
{
    if (fault.entry.empty())
        return "no fault";
    return fault.entry + " #" + std::to_string(fault.n) + " fails with " +
           std::to_string(fault.error);
}

void Trial::check_refusal(int32_t status, const VmafxError &error)
{
    const std::string where = std::string(error.function) + ": " + error.message + ": ";
    if (RuntimeCalls::get().failed() == 0)
        complain(where + "fails without a fault");
    if (!is_expected(status, fault_, error.function))
        complain(where + "is " + vmafx_status_name(status));
    if (error.status != status)
        complain(where + "the error object has another status");
    if (error.native_code != fault_.error)
        complain(where + "native_code is " + std::to_string(error.native_code));
    if (error.message[0] == '\0' || error.function[0] == '\0')
        complain("a failure without words");
}

void Trial::attempt(const std::function<int32_t(VmafxError *)> &call, bool may_end)
{
    VmafxError first = VMAFX_ERROR_INIT, second = VMAFX_ERROR_INIT;
    const int32_t status = call(&first);
    if (status == VMAFX_OK)
        return;
    check_refusal(status, first);
    const int32_t again = call(&second);
    if (again == VMAFX_OK && !fault_.lasting)
        return;
    if (fault_.lasting)
        check_refusal(again, second);
    else if (!may_end)
        complain(std::string(second.function) + " fails once more: " + second.message);
    else if (again != status || std::string(first.message) != second.message)
        complain(std::string(first.message) + ", and then: " + second.message);
    throw SessionOver();
}

Device Trial::open(const VmafxDeviceDesc *desc)
{
    VmafxDeviceDesc cpu = VMAFX_DEVICE_DESC_INIT;
    cpu.runtime = VMAFX_RUNTIME_CPU;
    return create<Device>(vmafx_device_open, desc ? desc : &cpu);
}

Frame Trial::import(const Device &device, const VmafxFrameImport &desc, bool fenced,
                    const Context *context)
{
    Frame frame;
    attempt(
        [&](VmafxError *error) {
            Import &import = imports_.emplace_back();
            VmafxFrameImport watched = desc;
            watched.release = release;
            watched.release_opaque = &import.released;
            if (fenced && desc.memory != VMAFX_MEMORY_HOST) {
                must(vmafx_fence_create, import.fence.out());
                watched.release_fence = {VMAFX_FENCE_HOST, 0, import.fence.get()};
            }
            const int32_t status =
                context
                    ? vmafx_context_import_frame(context->get(), &watched, 0, frame.out(), error)
                    : vmafx_frame_import(device.get(), &watched, frame.out(), error);
            import.accepted = status == VMAFX_OK && desc.memory != VMAFX_MEMORY_HOST;
            if ((status == VMAFX_OK) != (frame.get() != nullptr))
                complain("status and frame disagree");
            return status;
        },
        false);
    return frame;
}

void Trial::submit(const Context &context, const Frame &reference, const Frame &distorted,
                   uint64_t index)
{
    call_session(vmafx_context_submit, context.get(), reference.get(), distorted.get(), index);
}

void Trial::finish(const Context &context, size_t frames)
{
    call_session(vmafx_context_flush, context.get());
    scores_.push_back(all_scores(context, frames));
}

void Trial::check_releases()
{
    const auto deadline = std::chrono::steady_clock::now() + kReleaseBound;
    for (Import &import : imports_)
        while (import.accepted && import.released == 0 &&
               std::chrono::steady_clock::now() < deadline)
            std::this_thread::yield();
    for (const Import &import : imports_) {
        if (import.released != (import.accepted ? 1u : 0u))
            complain("the callback of an import that was " +
                     std::string(import.accepted ? "accepted" : "refused") + " ran " +
                     std::to_string(import.released) + " times");
        const bool signalled = import.fence.get() && signalled_in_time(import.fence);
        if (import.fence.get() && signalled != import.accepted)
            complain(signalled ? "the release fence of a refused import is signalled"
                               : "a release fence is not signalled");
    }
}
