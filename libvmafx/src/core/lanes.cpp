/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/lanes.h"

#include <algorithm>
#include <thread>

#include "core/failure.h"

namespace vmafx
{

namespace
{

constexpr uint32_t kMaxLanes = 16;
constexpr uint32_t kMaxInFlight = 64;
constexpr uint32_t kDefaultInFlight = 4;
constexpr uint32_t kInFlightPerLane = 2; /* so that a lane that is done finds the next pair */
constexpr uint32_t kLanesOfCuda = 4;
constexpr uint32_t kLanesOfRocm = 2; /* with the streams of the library, of four hardware queues */

/** What the device gains from. */
uint32_t default_lanes(const VmafxContextDesc &desc, Device &device)
{
    /* One may order by the stream that is his own; times of kernels that overlap tell little; and
     * where releases follow the enqueuing, each pair would wait for the one before. */
    if (device.stream_is_callers() || device.profiler() ||
        (desc.flags & VMAFX_CONTEXT_RELEASE_EARLY))
        return 1;
    switch (device.runtime().kind) {
    case VMAFX_RUNTIME_CUDA:
        return kLanesOfCuda;
    case VMAFX_RUNTIME_ROCM:
        return kLanesOfRocm;
    default:
        return 1; /* the workers of the CPU take the work of any stream */
    }
}

} // namespace

Overlap Overlap::choose(const VmafxContextDesc &desc, Device &device)
{
    if (desc.frames_in_flight > kMaxInFlight)
        fail(VMAFX_E_RANGE, "desc.frames_in_flight", "frames_in_flight is %u; at most %u",
             desc.frames_in_flight, kMaxInFlight);
    if (desc.lanes > kMaxLanes)
        fail(VMAFX_E_RANGE, "desc.lanes", "lanes is %u; at most %u", desc.lanes, kMaxLanes);
    if (desc.reserved)
        fail(VMAFX_E_INVALID, "desc.reserved", "reserved is %u; it must be 0", desc.reserved);
    const uint32_t lanes = desc.lanes ? desc.lanes : default_lanes(desc, device);
    if (!desc.frames_in_flight)
        return {lanes, std::max(kDefaultInFlight, kInFlightPerLane * lanes)};
    return {std::min(lanes, desc.frames_in_flight), desc.frames_in_flight};
}

void Lanes::prepare(PlanSet &plans, const PictureFormat &format)
{
    for (size_t i = 1; i < count_; ++i)
        more_plans_.push_back(std::make_unique<PlanSet>(plans.again()));
    for (size_t i = 0; i < count_; ++i) {
        /* One lane alone needs no stream beside the library's. */
        hip::Stream &stream = count_ == 1 ? device_->stream() : device_->lanes().get(i);
        lanes_.push_back(
            std::make_unique<Lane>(device_, stream, i == 0 ? plans : *more_plans_[i - 1]));
        lanes_.back()->plans.prepare(lanes_.back()->runner, format);
    }
}

void Lanes::clear() noexcept
{
    more_plans_.clear();
    lanes_.clear();
}

size_t Lanes::bytes() const
{
    size_t sum = 0;
    for (const auto &lane : lanes_)
        sum += lane->runner.bytes();
    return sum;
}

namespace
{

using std::chrono::steady_clock;

/** Where events are refused the stream may still answer, of the work of others too. */
bool wait_until_idle(hip::Stream &stream, steady_clock::time_point deadline)
{
    constexpr std::chrono::microseconds kPause{100};
    while (!stream.idle()) {
        if (steady_clock::now() >= deadline)
            return false;
        std::this_thread::sleep_for(kPause);
    }
    return true;
}

bool wait_for(const Device &device, hip::Stream &stream, steady_clock::time_point deadline)
{
    hip::Event end;
    try {
        end = device.event();
        end.record(stream.get());
    } catch (const Failure &) {
        return wait_until_idle(stream, deadline);
    }
    stream.submit();
    return device.wait(end, deadline - steady_clock::now());
}

} // namespace

bool Lanes::wait(std::chrono::nanoseconds limit)
{
    const auto deadline = steady_clock::now() + limit;
    for (const auto &lane : lanes_)
        if (!wait_for(*device_, lane->stream, deadline))
            return false;
    return lanes_.size() == 1 || wait_for(*device_, device_->stream(), deadline);
}

} // namespace vmafx
