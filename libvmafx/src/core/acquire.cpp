/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Acquire fences of an import, as seen by the host.
 */
#include <algorithm>

#include "core/failure.h"
#include "core/frame.h"

namespace vmafx
{

namespace
{

constexpr char kFd[] = "desc.acquire.fd";
constexpr char kHandle[] = "desc.acquire.handle";

VmafxFence &host_fence(const VmafxFrameImport &desc)
{
    if (!desc.acquire.handle)
        fail(VMAFX_E_INVALID, kHandle, "acquire fence of kind HOST has no handle");
    return *static_cast<VmafxFence *>(desc.acquire.handle);
}

[[noreturn]] void refuse(uint32_t kind)
{
    if (kind == VMAFX_FENCE_HIP_EVENT || kind == VMAFX_FENCE_GL_SYNC)
        fail(VMAFX_E_NOTSUP, "desc.acquire.kind",
             "acquire fence kind %u is not taken; use NONE, HOST or SYNC_FILE", kind);
    fail(VMAFX_E_INVALID, "desc.acquire.kind", "acquire.kind is %u; see VMAFX_FENCE_*", kind);
}

FenceState implicit_fences(const VmafxFrameImport &desc,
                           std::chrono::steady_clock::time_point deadline)
{
    if (desc.memory != VMAFX_MEMORY_DMABUF)
        return FenceState::kSignalled;
    for (uint32_t i = 0; i < desc.plane_count; ++i) {
        const auto left = std::max<std::chrono::nanoseconds>(
            deadline - std::chrono::steady_clock::now(), std::chrono::nanoseconds(0));
        const std::string subject = format("desc.plane[%u].fd", i);
        if (write_fences_wait(desc.plane[i].fd, left, subject.c_str()) == FenceState::kPending)
            return FenceState::kPending;
    }
    return FenceState::kSignalled;
}

} // namespace

FenceState acquire_state(const VmafxFrameImport &desc)
{
    switch (desc.acquire.kind) {
    case VMAFX_FENCE_NONE:
        return implicit_fences(desc, {});
    case VMAFX_FENCE_HOST:
        return host_fence(desc).signalled() ? FenceState::kSignalled : FenceState::kPending;
    case VMAFX_FENCE_SYNC_FILE:
        return sync_file_state(desc.acquire.fd, kFd);
    default:
        refuse(desc.acquire.kind);
    }
}

FenceState wait_for_acquire(const VmafxFrameImport &desc, std::chrono::nanoseconds timeout)
{
    using namespace std::chrono;
    const auto deadline = steady_clock::now() + timeout;
    const auto left = [&] { return std::max<nanoseconds>(deadline - steady_clock::now(), 0ns); };
    switch (desc.acquire.kind) {
    case VMAFX_FENCE_NONE:
        return implicit_fences(desc, deadline);
    case VMAFX_FENCE_HOST:
        return host_fence(desc).wait(left()) ? FenceState::kSignalled : FenceState::kPending;
    case VMAFX_FENCE_SYNC_FILE:
        return sync_file_wait(desc.acquire.fd, left(), kFd);
    default:
        refuse(desc.acquire.kind);
    }
}

} // namespace vmafx
