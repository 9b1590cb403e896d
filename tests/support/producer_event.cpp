/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/producer_event.h"

#include "support/runtime_entry.h"

namespace support
{

namespace
{

constexpr unsigned kNonBlocking = 1; /* stream */
constexpr unsigned kNoTiming = 2;    /* event */

struct Hip {
    int (*stream_create)(void **stream, unsigned flags);
    int (*event_create)(void **event, unsigned flags);
    int (*event_destroy)(void *event);
    int (*event_record)(void *event, void *stream);
    void *stream = nullptr; /* of the whole process */

    Hip()
    {
        resolve(stream_create, "hipStreamCreateWithFlags");
        resolve(event_create, "hipEventCreateWithFlags");
        resolve(event_destroy, "hipEventDestroy");
        resolve(event_record, "hipEventRecord");
        if (stream_create(&stream, kNonBlocking) != 0)
            throw std::runtime_error("no stream");
    }
    static const Hip &get()
    {
        static const Hip hip;
        return hip;
    }
};

} // namespace

ProducerEvent::ProducerEvent()
{
    if (Hip::get().event_create(&event_, kNoTiming) != 0)
        throw std::runtime_error("no event");
}

ProducerEvent::~ProducerEvent()
{
    if (event_)
        Hip::get().event_destroy(event_);
}

void ProducerEvent::record()
{
    if (Hip::get().event_record(event_, Hip::get().stream) != 0)
        throw std::runtime_error("an event cannot be recorded");
}

} // namespace support
