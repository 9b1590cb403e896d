/* SPDX-License-Identifier: BSD-2-Clause */
#include "supply.h"

#include <algorithm>
#include <stdexcept>

#include "import/pool_producer.h"
#include "producer_calls.h"
#include "surface.h"

using namespace support;
using namespace vmafx::hip;

namespace
{

constexpr uint64_t kBoundNs = UINT64_C(20'000'000'000);

class Ring final : public Supply
{
  public:
    Ring(Producer &producer, Ledger &ledger, const Format &format, const Habits &habits,
         Random &random)
        : random_(random), newest_first_(habits.newest_first)
    {
        for (uint32_t i = 0; i < habits.frames; ++i)
            surfaces_.push_back(
                std::make_unique<Surface>(producer, ledger, format, habits, random));
    }

    Frame next(const std::vector<PackedPlane> &planes, const Device &device,
               const Nudge &nudge) override
    {
        Surface &surface = take(nudge);
        const Surface &other = *random_.pick(surfaces_);
        if (random_.one_in(4) && &other != &surface)
            surface.try_early(other, device);
        return surface.fill_and_import(planes, device);
    }

    void settle(const Nudge &nudge) override
    {
        for (uint32_t round = kPatientNudges; !all_released(); ++round) {
            if (round > kNudges)
                throw std::runtime_error("a surface is not released");
            nudge(round);
        }
    }

  private:
    Surface &take(const Nudge &nudge)
    {
        for (uint32_t round = 0; round <= kNudges; ++round) {
            if (Surface *surface = find())
                return *surface;
            nudge(round);
        }
        throw std::runtime_error("no surface comes back");
    }
    /** The list is in the order of last use. */
    Surface *find()
    {
        for (size_t i = 0; i < surfaces_.size(); ++i) {
            const auto at = surfaces_.begin() + static_cast<std::ptrdiff_t>(
                                                    newest_first_ ? surfaces_.size() - 1 - i : i);
            if (!(*at)->reclaim())
                continue;
            std::rotate(at, at + 1, surfaces_.end());
            return surfaces_.back().get();
        }
        return nullptr;
    }
    bool all_released() const
    {
        for (const auto &surface : surfaces_)
            if (!surface->released())
                return false;
        return true;
    }

    Random &random_;
    const bool newest_first_;
    std::vector<std::unique_ptr<Surface>> surfaces_;
};

class PoolSupply final : public Supply
{
  public:
    PoolSupply(Producer &producer, const Device &device, const Format &format, const Habits &habits,
               Random &random)
        : producer_(producer), habits_(habits), random_(random),
          pool_(create_pool(device, Sequence::get(format, 0).picture(false, 0), format.facts(),
                            habits.frames))
    {
    }

    /** The frame is of the pool's device, whatever the other one is. */
    Frame next(const std::vector<PackedPlane> &planes, const Device &, const Nudge &nudge) override
    {
        if (random_.one_in(8))
            take(nudge).close();
        PoolFrame memory = take(nudge);
        fill(memory, planes);
        return hand_over(memory);
    }

    void settle(const Nudge &) override { pool_.close(); }

  private:
    PoolFrame take(const Nudge &nudge)
    {
        for (uint32_t round = 0; round <= kNudges; ++round) {
            PoolFrame frame;
            VmafxError error = VMAFX_ERROR_INIT;
            const int32_t status = vmafx_frame_pool_acquire(pool_.get(), frame.out(), &error);
            if (status == VMAFX_OK)
                return frame;
            if (status != VMAFX_E_BUSY)
                throw CallFailed(status, error);
            nudge(round);
        }
        throw std::runtime_error("no frame comes back to its pool");
    }

    void fill(const PoolFrame &memory, const std::vector<PackedPlane> &planes)
    {
        const ProducerCalls &hip = ProducerCalls::get();
        const VmafxPoolFrameInfo info = info_of(memory);
        const bool now = habits_.waits_for_copies;
        if (now || random_.one_in(4))
            must(vmafx_pool_frame_wait, memory.get(), kBoundNs);
        else if (info.writable.kind == VMAFX_FENCE_HIP_EVENT)
            hip_must(hip.hipStreamWaitEvent(producer_.stream(),
                                            static_cast<hipEvent_t>(info.writable.handle), 0),
                     "hipStreamWaitEvent");
        const hipMemcpyKind kind =
            now || random_.one_in(2) ? hipMemcpyHostToDevice : hipMemcpyDeviceToDevice;
        for (uint32_t i = 0; i < info.plane_count; ++i) {
            const VmafxPlane &to = info.plane[i];
            const PackedPlane &from = planes.at(i);
            hip_must(now ? hip.hipMemcpy2D(to.address, to.pitch, from.bytes.data(), from.row_bytes,
                                           from.row_bytes, from.rows, kind)
                         : hip.hipMemcpy2DAsync(to.address, to.pitch, from.bytes.data(),
                                                from.row_bytes, from.row_bytes, from.rows, kind,
                                                producer_.stream()),
                     "hipMemcpy2D");
        }
    }

    Frame hand_over(PoolFrame &memory)
    {
        if (habits_.acquire == Acquire::kNone) {
            producer_.finish();
            return submit_ready(memory);
        }
        if (habits_.acquire == Acquire::kHost)
            return hand_over_after_fence(memory);
        const Point written;
        hip_must(ProducerCalls::get().hipEventRecord(written.get(), producer_.stream()),
                 "hipEventRecord");
        producer_.submit();
        const VmafxFenceDesc ready = written.fence();
        return submit_ready(memory, &ready);
    }

    Frame hand_over_after_fence(PoolFrame &memory)
    {
        Fence done;
        must(vmafx_fence_create, done.out());
        const VmafxFenceDesc ready = {VMAFX_FENCE_HOST, 0, done.get()};
        VmafxPoolFrame *handle = memory.get();
        VmafxFrame *early = nullptr;
        VmafxError error = VMAFX_ERROR_INIT;
        const int32_t status = vmafx_pool_frame_submit(&handle, &ready, &early, &error);
        if (status != VMAFX_E_BUSY || early || !handle)
            throw std::runtime_error("a frame ahead of its fence is answered " +
                                     std::string(vmafx_status_name(status)));
        producer_.finish();
        must(vmafx_fence_signal, done.get());
        return submit_ready(memory, &ready);
    }

    Producer &producer_;
    const Habits habits_;
    Random &random_;
    Pool pool_;
};

constexpr uint32_t kMemories[] = {VMAFX_MEMORY_HOST,         VMAFX_MEMORY_DEVICE_POINTER,
                                  VMAFX_MEMORY_DMABUF,       VMAFX_MEMORY_DMABUF,
                                  VMAFX_MEMORY_DEVICE_ARRAY, kPoolMemory};
constexpr Acquire kAcquires[] = {Acquire::kNone, Acquire::kHost, Acquire::kEvent, Acquire::kEvent};
constexpr Release kReleases[] = {Release::kCallback, Release::kHostFence, Release::kEventOnStream,
                                 Release::kEventQuery, Release::kEventWait};

} // namespace

Habits Habits::draw(Random &random, uint32_t fewest, bool lossy)
{
    Habits habits;
    habits.memory = random.pick(kMemories);
    habits.acquire = random.pick(kAcquires);
    habits.release = random.pick(kReleases);
    habits.waits_for_copies = lossy || random.one_in(4);
    if (lossy && habits.memory == VMAFX_MEMORY_DEVICE_ARRAY)
        habits.memory = VMAFX_MEMORY_DEVICE_POINTER;
    habits.newest_first = !random.one_in(3);
    habits.frames = random.between(fewest, 6);
    const bool host = habits.memory == VMAFX_MEMORY_HOST;
    if (host || habits.memory == VMAFX_MEMORY_DEVICE_ARRAY)
        habits.waits_for_copies = true; /* there is no other way */
    if (host && habits.acquire == Acquire::kEvent)
        habits.acquire = Acquire::kNone;
    return habits;
}

std::string Habits::text() const
{
    static constexpr const char *kAcquireNames[] = {"none", "host", "event"};
    static constexpr const char *kReleaseNames[] = {"callback", "host", "event on stream",
                                                    "queried event", "awaited event"};
    const char *name = memory == VMAFX_MEMORY_HOST             ? "host"
                       : memory == VMAFX_MEMORY_DEVICE_POINTER ? "pointer"
                       : memory == VMAFX_MEMORY_DMABUF         ? "dma-buf"
                       : memory == VMAFX_MEMORY_DEVICE_ARRAY   ? "array"
                                                               : "pool";
    return std::to_string(frames) + " x " + name + ", acquire " +
           kAcquireNames[static_cast<int>(acquire)] + ", release " +
           kReleaseNames[static_cast<int>(release)] + (waits_for_copies ? ", waits" : "") +
           (newest_first ? ", newest first" : "");
}

std::unique_ptr<Supply> make_ring(Producer &producer, Ledger &ledger, const Format &format,
                                  const Habits &habits, Random &random)
{
    return std::make_unique<Ring>(producer, ledger, format, habits, random);
}

std::unique_ptr<Supply> make_pool(Producer &producer, const Device &device, const Format &format,
                                  const Habits &habits, Random &random)
{
    return std::make_unique<PoolSupply>(producer, device, format, habits, random);
}
