/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/release.h"

#include <utility>

#include "core/failure.h"

namespace vmafx
{

namespace
{

constexpr char kHandle[] = "desc.release_fence.handle";

} // namespace

void check_event(const Device &device, const void *event, const char *subject)
{
    try {
        (void)event_done(device.runtime(), as_event(event));
    } catch (const Failure &failure) {
        throw Failure(hip::status_of_handle(static_cast<hip::hipError_t>(failure.native())),
                      subject, format("%p is not taken as an event: %s", event, failure.what()),
                      failure.native());
    }
}

std::unique_ptr<Release> Release::promise(Device &device, const VmafxFrameImport &desc)
{
    if (desc.release_fence.kind == VMAFX_FENCE_NONE && !desc.release)
        return nullptr;
    std::unique_ptr<Release> owed(new Release(device, desc));
    if (desc.release_fence.kind != VMAFX_FENCE_HIP_EVENT)
        return owed;
    check_event(device, desc.release_fence.handle, kHandle);
    const hip::hipEvent_t event = as_event(desc.release_fence.handle);
    if (!device.release_events().hand_over(event))
        fail(VMAFX_E_BUSY, kHandle,
             "event %p is the release fence of another frame that is alive; use one event per "
             "frame",
             desc.release_fence.handle);
    owed->event_ = event;
    return owed;
}

Release::Release(Device &device, const VmafxFrameImport &desc)
    : device_(device), callback_(desc.release), opaque_(desc.release_opaque)
{
    if (desc.release_fence.kind == VMAFX_FENCE_HOST)
        fence_ = FenceRef(static_cast<VmafxFence *>(desc.release_fence.handle));
}

Release::~Release()
{
    if (event_)
        device_.release_events().withdraw(event_);
}

void Release::settle(std::unique_ptr<Release> owed) noexcept
{
    if (!owed)
        return;
    /* With a fence the callback need not wait: the fence tells when the reads are done. */
    const bool fenced = owed->event_ || owed->fence_.get();
    const VmafxReleaseCallback now = fenced ? std::exchange(owed->callback_, nullptr) : nullptr;
    void *opaque = owed->opaque_;
    if (owed->event_) {
        owed->record_event();
    } else {
        Device &device = owed->device_;
        device.after_stream(run, owed.release());
    }
    if (now)
        now(opaque);
}

void Release::settle_read(std::unique_ptr<Release> owed) noexcept
{
    if (owed && !owed->event_)
        run(owed.release());
    else
        settle(std::move(owed));
}

void Release::record_event() noexcept
{
    const hip::hipEvent_t event = std::exchange(event_, nullptr);
    ReleaseEvents &events = device_.release_events();
    try {
        hip::DeviceGuard guard(device_.runtime(), device_.ordinal());
        device_.stream().record(event);
    } catch (const std::exception &e) {
        log_message(VMAFX_LOG_WARNING, "a release event was not recorded and is waited for: %s",
                    e.what());
        /* Once nothing is left to do, an event never recorded tells the truth. */
        if (device_.drain())
            events.recorded(event);
        else
            events.lost(event);
        return;
    }
    events.recorded(event);
    device_.submit();
}

void Release::run(void *release)
{
    const std::unique_ptr<Release> owed(static_cast<Release *>(release));
    if (owed->fence_.get())
        owed->fence_.get()->signal();
    if (owed->callback_)
        owed->callback_(owed->opaque_);
}

} // namespace vmafx
