/* SPDX-License-Identifier: BSD-2-Clause */
#include "hip/profiler.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace vmafx
{

namespace
{

constexpr unsigned int kWithTime = 0; /* flags of an event */

} // namespace

ProfileTable::Entry &ProfileTable::entry(ProfileKind kind, const char *name)
{
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry &e) {
        return e.kind == kind && std::strcmp(e.name, name) == 0;
    });
    if (found != entries_.end())
        return *found;
    return entries_.emplace_back(Entry{kind, name, 0, 0, 0});
}

void ProfileTable::add(ProfileKind kind, const char *name, std::optional<uint64_t> time_ns)
{
    Entry &e = entry(kind, name);
    ++e.count;
    e.untimed += time_ns ? 0 : 1;
    e.time_ns += time_ns.value_or(0);
}

void ProfileTable::add(const ProfileTable &other)
{
    for (const Entry &from : other.entries_) {
        Entry &to = entry(from.kind, from.name);
        to.count += from.count;
        to.untimed += from.untimed;
        to.time_ns += from.time_ns;
    }
}

Profiler::Scope::Scope(Profiler *profiler, FrameTrace *trace) : profiler_(profiler)
{
    if (!profiler_)
        return;
    std::lock_guard lock(profiler_->lock_);
    profiler_->open_[std::this_thread::get_id()] = trace;
}

Profiler::Scope::~Scope()
{
    if (!profiler_)
        return;
    std::lock_guard lock(profiler_->lock_);
    profiler_->open_.erase(std::this_thread::get_id());
}

TimedCommand Profiler::begin(ProfileKind kind, const char *name, const hip::Stream &stream)
{
    TimedCommand command = {kind, name, take_event(), take_event()};
    command.begin.record(stream.get());
    return command;
}

void Profiler::end(TimedCommand command, const hip::Stream &stream)
{
    command.end.record(stream.get());
    std::lock_guard lock(lock_);
    const auto trace = open_.find(std::this_thread::get_id());
    if (trace != open_.end()) {
        trace->second->push_back(std::move(command));
        return;
    }
    loose_.push_back(std::move(command));
    if (loose_.size() > kMaxLoose)
        read_loose();
    if (loose_.size() > kMaxLoose) {
        sum_.add(loose_.front().kind, loose_.front().name, std::nullopt);
        loose_.pop_front();
    }
}

ProfileTable Profiler::read(FrameTrace trace)
{
    ProfileTable table;
    std::lock_guard lock(lock_);
    const auto on_library_stream = [](const TimedCommand &c) {
        return c.kind != ProfileKind::kUpload;
    };
    const auto first = std::find_if(trace.begin(), trace.end(), on_library_stream);
    const auto last = std::find_if(trace.rbegin(), trace.rend(), on_library_stream);
    if (first != trace.end())
        table.add(ProfileKind::kFrame, "frame", elapsed(first->begin, last->end));
    for (TimedCommand &command : trace) {
        table.add(command.kind, command.name, elapsed(command.begin, command.end));
        give_back(command);
    }
    sum_.add(table);
    return table;
}

ProfileTable Profiler::sum()
{
    std::lock_guard lock(lock_);
    read_loose();
    return sum_;
}

/** With the lock held. In the order in which they were enqueued, so that one that is not done ends
 *  the search. */
void Profiler::read_loose()
{
    while (!loose_.empty() && loose_.front().end.done()) {
        TimedCommand &command = loose_.front();
        sum_.add(command.kind, command.name, elapsed(command.begin, command.end));
        give_back(command);
        loose_.pop_front();
    }
}

hip::Event Profiler::take_event()
{
    {
        std::lock_guard lock(lock_);
        if (!idle_.empty()) {
            hip::Event event = std::move(idle_.back());
            idle_.pop_back();
            return event;
        }
    }
    return hip::Event(runtime_, kWithTime);
}

/** With the lock held. */
void Profiler::give_back(TimedCommand &command)
{
    idle_.push_back(std::move(command.begin));
    idle_.push_back(std::move(command.end));
}

/** Nothing where the runtime knows no time, or one that cannot be: a command that it lost. */
std::optional<uint64_t> Profiler::elapsed(const hip::Event &begin, const hip::Event &end) const
{
    float milliseconds = 0;
    if (runtime_.hip.hipEventElapsedTime(&milliseconds, begin.get(), end.get()) !=
        hip::hipSuccess) {
        (void)runtime_.hip.hipGetLastError();
        return std::nullopt;
    }
    if (!(milliseconds >= 0))
        return std::nullopt;
    return static_cast<uint64_t>(std::llround(static_cast<double>(milliseconds) * 1e6));
}

} // namespace vmafx
