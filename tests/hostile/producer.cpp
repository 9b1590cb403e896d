/* SPDX-License-Identifier: BSD-2-Clause */
#include "producer.h"

#include "producer_calls.h"

using namespace vmafx::hip;

std::string Ledger::audit() const
{
    size_t i = 0;
    for (const Entry &entry : entries_) {
        const uint32_t wanted = entry.accepted ? 1 : 0;
        if (entry.calls != wanted)
            return "the callback of import " + std::to_string(i) + ", which was " +
                   (entry.accepted ? "accepted" : "refused") + ", ran " +
                   std::to_string(entry.calls) + " times";
        ++i;
    }
    return "";
}

Producer::Producer(int gpu) : gpu_(gpu)
{
    be_current();
    hip_must(ProducerCalls::get().hipStreamCreateWithFlags(&stream_, stream_non_blocking),
             "hipStreamCreateWithFlags");
}

Producer::~Producer()
{
    const ProducerCalls &hip = ProducerCalls::get();
    (void)hip.hipStreamSynchronize(stream_);
    (void)hip.hipStreamDestroy(stream_);
}

void Producer::be_current() const
{
    hip_must(ProducerCalls::get().hipSetDevice(gpu_), "hipSetDevice");
}

void Producer::submit() const
{
    const hipError_t answer = ProducerCalls::get().hipStreamQuery(stream_);
    if (answer != hipErrorNotReady)
        hip_must(answer, "hipStreamQuery");
}

void Producer::finish() const
{
    hip_must(ProducerCalls::get().hipStreamSynchronize(stream_), "hipStreamSynchronize");
}

void Producer::synchronise_device() const
{
    be_current();
    hip_must(ProducerCalls::get().hipDeviceSynchronize(), "hipDeviceSynchronize");
}

Point::Point()
{
    hip_must(ProducerCalls::get().hipEventCreateWithFlags(&event_, event_disable_timing),
             "hipEventCreateWithFlags");
}

Point::~Point()
{
    (void)ProducerCalls::get().hipEventDestroy(event_);
}
