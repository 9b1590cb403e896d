/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Acquire fences of an import, as seen by the host. An event is the device's to wait for; the host
 * looks only after one that is still to be recorded, which a stream would not wait for.
 */
#include <algorithm>

#include "core/failure.h"
#include "core/frame.h"
#include "hip/planted.h"

namespace vmafx
{

namespace
{

using std::chrono::steady_clock;

constexpr char kFd[] = "desc.acquire.fd";
constexpr char kHandle[] = "desc.acquire.handle";

const VmafxFence &host_fence(const VmafxFrameImport &desc)
{
    return *static_cast<const VmafxFence *>(desc.acquire.handle);
}

hip::hipEvent_t event_of(const VmafxFrameImport &desc)
{
    return static_cast<hip::hipEvent_t>(desc.acquire.handle);
}

FenceState state_of_event(ReleaseEvents::State state)
{
    if (planted(Planted::kBelievedEvent))
        return FenceState::kSignalled;
    if (state == ReleaseEvents::State::kLost)
        fail(VMAFX_E_DEVICE, kHandle,
             "the event is the release fence of an earlier frame, and could not be recorded");
    return state == ReleaseEvents::State::kPending ? FenceState::kPending : FenceState::kSignalled;
}

/** Whether an earlier plane has the same descriptor, and with it the same fences. */
bool fences_asked(const VmafxFrameImport &desc, uint32_t plane)
{
    return std::any_of(desc.plane, desc.plane + plane, [&](const VmafxPlane &earlier) {
        return earlier.fd == desc.plane[plane].fd;
    });
}

FenceState implicit_fences(const VmafxFrameImport &desc, steady_clock::time_point deadline)
{
    if (desc.memory != VMAFX_MEMORY_DMABUF)
        return FenceState::kSignalled;
    for (uint32_t i = 0; i < desc.plane_count; ++i) {
        if (fences_asked(desc, i))
            continue;
        const auto left = std::max<std::chrono::nanoseconds>(deadline - steady_clock::now(),
                                                             std::chrono::nanoseconds(0));
        const std::string subject = format("desc.plane[%u].fd", i);
        if (write_fences_wait(desc.plane[i].fd, left, subject.c_str()) == FenceState::kPending)
            return FenceState::kPending;
    }
    return FenceState::kSignalled;
}

} // namespace

FenceState acquire_state(const Device &device, const VmafxFrameImport &desc)
{
    switch (desc.acquire.kind) {
    case VMAFX_FENCE_HOST:
        return host_fence(desc).signalled() ? FenceState::kSignalled : FenceState::kPending;
    case VMAFX_FENCE_SYNC_FILE:
        return sync_file_state(desc.acquire.fd, kFd);
    case VMAFX_FENCE_HIP_EVENT:
        check_event(device, desc.acquire.handle, kHandle);
        return state_of_event(device.release_events().state(event_of(desc)));
    default:
        return implicit_fences(desc, {});
    }
}

FenceState wait_for_acquire(const Device &device, const VmafxFrameImport &desc,
                            std::chrono::nanoseconds timeout)
{
    const auto deadline = steady_clock::now() + timeout;
    switch (desc.acquire.kind) {
    case VMAFX_FENCE_HOST: {
        auto *fence = static_cast<VmafxFence *>(desc.acquire.handle);
        return fence->wait(timeout) ? FenceState::kSignalled : FenceState::kPending;
    }
    case VMAFX_FENCE_SYNC_FILE:
        return sync_file_wait(desc.acquire.fd, timeout, kFd);
    case VMAFX_FENCE_HIP_EVENT:
        return state_of_event(device.release_events().wait(event_of(desc), timeout));
    default:
        return implicit_fences(desc, deadline);
    }
}

} // namespace vmafx
