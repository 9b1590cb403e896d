/* SPDX-License-Identifier: BSD-2-Clause */
#include "stream.h"

#include <algorithm>

namespace vmafx::cpu
{

namespace
{

bool unfinished(const CommandRef &command)
{
    return command && !command->done.load(std::memory_order_acquire);
}

} // namespace

/** The null stream waits for, and is waited on by, the blocking streams of its device. */
bool Ordering::waits_for(const Stream &later, const Stream &earlier) const
{
    if (&later == &earlier)
        return true;
    if (later.device != earlier.device)
        return false;
    const auto ordered = [this](StreamKind kind) {
        return kind == StreamKind::blocking ||
               (kind == StreamKind::non_blocking && null_waits_for_all_);
    };
    return (later.kind == StreamKind::null && ordered(earlier.kind)) ||
           (ordered(later.kind) && earlier.kind == StreamKind::null);
}

void Ordering::add(StreamRef stream)
{
    sweep();
    streams_.push_back(std::move(stream));
}

void Ordering::retire(const StreamRef &stream)
{
    stream->destroyed = true;
    sweep();
}

void Ordering::before(const Stream &stream, std::vector<CommandRef> &commands)
{
    for (const StreamRef &other : streams_) {
        if (waits_for(stream, *other) && unfinished(other->tail))
            commands.push_back(other->tail);
    }
}

void Ordering::of_stream(const Stream &stream, std::vector<CommandRef> &commands)
{
    if (stream.kind == StreamKind::null)
        before(stream, commands);
    else if (unfinished(stream.tail))
        commands.push_back(stream.tail);
}

void Ordering::of_device(int device, std::vector<CommandRef> &commands)
{
    for (const StreamRef &stream : streams_) {
        if (stream->device == device && unfinished(stream->tail))
            commands.push_back(stream->tail);
    }
}

void Ordering::of_all(std::vector<CommandRef> &commands)
{
    for (const StreamRef &stream : streams_) {
        if (unfinished(stream->tail))
            commands.push_back(stream->tail);
    }
}

void Ordering::clear(std::vector<CommandRef> &commands)
{
    for (const StreamRef &stream : streams_) {
        if (stream->tail)
            commands.push_back(std::move(stream->tail));
        stream->traits = {};
    }
    std::vector<StreamRef>().swap(streams_);
}

void Ordering::sweep()
{
    std::erase_if(streams_, [](const StreamRef &stream) {
        return stream->destroyed && !unfinished(stream->tail);
    });
}

} // namespace vmafx::cpu
