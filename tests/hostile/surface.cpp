/* SPDX-License-Identifier: BSD-2-Clause */
#include "surface.h"

#include <cstring>
#include <stdexcept>

#include "producer_calls.h"

using namespace support;
using namespace vmafx::hip;

namespace
{

constexpr uint64_t kBoundNs = UINT64_C(20'000'000'000);

void refuse_early(const VmafxFrameImport &desc, const Device &device)
{
    VmafxError error = VMAFX_ERROR_INIT;
    Frame early;
    const int32_t status = vmafx_frame_import(device.get(), &desc, early.out(), &error);
    if (status != VMAFX_E_BUSY || std::strcmp(error.subject, "desc.acquire") != 0)
        throw std::runtime_error("an import ahead of its fence is answered " +
                                 std::string(vmafx_status_name(status)) + " " + error.subject);
}

} // namespace

Surface::Surface(Producer &producer, Ledger &ledger, const Format &format, const Habits &habits,
                 Random &random)
    : producer_(producer), ledger_(ledger), habits_(habits), random_(random),
      memory_(format, habits.memory, random)
{
}

Surface::~Surface()
{
    /* Not every answer that a producer got says that its own copies are done. */
    (void)ProducerCalls::get().hipStreamSynchronize(producer_.stream());
}

bool Surface::released() const
{
    if (!entry_)
        return true;
    if (released_.get() && vmafx_fence_query(released_.get(), nullptr) != VMAFX_OK)
        return false;
    return entry_->calls != 0;
}

bool Surface::reclaim()
{
    if (!entry_)
        return true;
    producer_.submit();
    switch (habits_.release) {
    case Release::kCallback:
        return entry_->calls != 0;
    case Release::kHostFence:
        return vmafx_fence_query(released_.get(), nullptr) == VMAFX_OK;
    default:
        return reclaim_event();
    }
}

bool Surface::reclaim_event()
{
    const ProducerCalls &hip = ProducerCalls::get();
    VmafxError error = VMAFX_ERROR_INIT;
    int32_t status = VMAFX_OK;
    switch (habits_.release) {
    case Release::kEventQuery:
        status = vmafx_device_query_release_event(device_->get(), read_[turn_].get(), &error);
        break;
    case Release::kEventWait:
        status = vmafx_device_wait_release_event(device_->get(), read_[turn_].get(),
                                                 entry_->calls != 0 ? kBoundNs : 0, &error);
        break;
    default:
        if (entry_->calls == 0)
            return false;
        hip_must(hip.hipStreamWaitEvent(producer_.stream(), read_[turn_].get(), 0),
                 "hipStreamWaitEvent");
        if (habits_.waits_for_copies)
            producer_.finish();
        return true;
    }
    if (status == VMAFX_PENDING || (status == VMAFX_E_TIMEOUT && entry_->calls == 0))
        return false;
    if (status != VMAFX_OK)
        throw CallFailed(status, error);
    return true;
}

void Surface::try_early(const Surface &other, const Device &device) const
{
    const Release release = other.habits_.release;
    const bool pending = other.entry_ && other.entry_->accepted && other.entry_->calls == 0 &&
                         release != Release::kCallback && release != Release::kHostFence;
    if (!pending || habits_.memory == VMAFX_MEMORY_HOST || &device != other.device_)
        return;
    VmafxFrameImport desc = memory_.desc();
    desc.acquire = other.read_[other.turn_].fence();
    refuse_early(desc, device);
}

Frame Surface::fill_and_import(const std::vector<PackedPlane> &planes, const Device &device)
{
    fill(planes);
    Frame frame = import(device);
    memory_.scribble();
    return frame;
}

void Surface::fill(const std::vector<PackedPlane> &planes)
{
    if (habits_.waits_for_copies)
        memory_.write_now(planes);
    else
        memory_.write_later(planes, producer_.stream(), random_.one_in(2));
    if (habits_.acquire == Acquire::kNone)
        producer_.finish();
    if (habits_.acquire != Acquire::kEvent)
        return;
    hip_must(ProducerCalls::get().hipEventRecord(written_.get(), producer_.stream()),
             "hipEventRecord");
    producer_.submit(); /* what is not handed over may be overtaken */
}

Frame Surface::import(const Device &device)
{
    VmafxFrameImport desc = memory_.desc();
    entry_ = nullptr;
    device_ = &device;
    if (habits_.memory != VMAFX_MEMORY_HOST) {
        entry_ = &ledger_.open();
        desc.release = Ledger::callback;
        desc.release_opaque = entry_;
        if (habits_.release == Release::kHostFence) {
            must(vmafx_fence_create, released_.out());
            desc.release_fence = {VMAFX_FENCE_HOST, 0, released_.get()};
        } else if (habits_.release != Release::kCallback) {
            turn_ ^= 1;
            desc.release_fence = read_[turn_].fence();
        }
    }
    if (habits_.acquire == Acquire::kEvent)
        desc.acquire = written_.fence();
    Frame frame = habits_.acquire == Acquire::kHost ? import_after_fence(desc, device)
                                                    : import_frame(device, desc);
    if (entry_)
        entry_->accepted = true;
    return frame;
}

/** The host tells when the writes are done. */
Frame Surface::import_after_fence(VmafxFrameImport desc, const Device &device)
{
    Fence done;
    must(vmafx_fence_create, done.out());
    desc.acquire = {VMAFX_FENCE_HOST, 0, done.get()};
    refuse_early(desc, device);
    producer_.finish();
    must(vmafx_fence_signal, done.get());
    return import_frame(device, desc);
}
