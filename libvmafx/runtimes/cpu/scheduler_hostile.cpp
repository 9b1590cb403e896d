/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Scheduling of the hostile machine. Every command, markers and functions of the caller too, is a
 * step that a worker has to choose. It may choose
 * - what somebody waits for, and what that comes after;
 * - other commands that were submitted, as many as the call at hand grants;
 * - anything, once nobody has called for long.
 * With one worker a call does not return before its steps are done, so that nothing depends on
 * time.
 */
#include <algorithm>
#include <utility>

#include "scheduler.h"

namespace vmafx::cpu
{

using namespace hip;

namespace
{

bool is_done(const CommandRef &command)
{
    return command->done.load(std::memory_order_acquire);
}

bool is_needed(const CommandRef &command)
{
    return command->traits.needed;
}

bool is_submitted(const CommandRef &command)
{
    return command->traits.submitted;
}

} // namespace

hipError_t Scheduler::become(const CpuHostileOptions *options)
{
    std::vector<CommandRef> commands;
    {
        std::lock_guard lock(mutex_);
        ordering_.of_all(commands);
    }
    if (const hipError_t error = wait_all(commands); error != hipSuccess)
        return error;
    std::lock_guard lock(mutex_);
    if (outstanding_ != 0)
        return hipErrorNotReady;
    if (options)
        hostility_.reset(*options);
    hostile_ = options != nullptr;
    facts_ = options ? options->facts : kPlainFacts;
    ordering_.set_null_waits_for_all(!has(cpu_hostile_null_stream));
    turns_ = 0;
    unattended_ = false;
    return hipSuccess;
}

uint64_t Scheduler::lost_commands()
{
    std::lock_guard lock(mutex_);
    return hostility_.lost();
}

/* ---- calls */

/** A call starts from a state that does not depend on time. */
void Scheduler::begin_call(Lock &lock)
{
    unattended_ = false;
    note_activity();
    settle(lock, true);
}

void Scheduler::note_activity()
{
    if (hostile())
        last_activity_ = Clock::now();
}

/** With one worker, waits until nothing more happens by itself; several go on beside the caller. */
void Scheduler::settle(Lock &lock, bool await_functions)
{
    if (limit_ == 1)
        wait_for_silence(lock, await_functions);
}

void Scheduler::wait_for_silence(Lock &lock, bool await_functions)
{
    await_functions = await_functions && !on_host_thread();
    waiters_.wait(lock, [&] {
        const bool settled =
            busy_workers_ == 0 && !may_step() && (!await_functions || functions_.empty());
        return settled || stopping_;
    });
}

hipError_t Scheduler::submit_hostile(Lock &lock, Stream &stream, const CommandRef &command,
                                     const CommandRef &after)
{
    for (const Work::Place place : {Work::Place::worker, command->place}) {
        if (const hipError_t error = start_threads(place); error != hipSuccess)
            return error;
    }
    begin_call(lock);
    hostility_.meet(stream);

    const bool overtakes = hostility_.overtakes(stream, *command);
    const CommandRef old_tail = stream.tail;
    /* After a copy that passed others the stream goes on when all of them are done. */
    const CommandRef join = overtakes ? std::make_shared<Command>(nullptr) : nullptr;
    if (overtakes)
        stream.tail = stream.traits.lane;
    predecessors_.clear();
    ordering_.before(stream, predecessors_);
    if (after && !is_done(after))
        predecessors_.push_back(after);
    hostility_.enqueue(stream, *command, after.get());
    hostility_.note_clears(stream, command, after.get());
    Aftermath none;
    reserve_links();
    for (const CommandRef &before : predecessors_)
        command->traits.befores.push_back(before.get());
    link(command, none);
    if (overtakes) {
        hostility_.enqueue(stream, *join, nullptr);
        predecessors_ = {old_tail, command};
        reserve_links();
        join->traits.befores = {old_tail.get(), command.get()};
        link(join, none);
        stream.traits.lane = command;
        stream.tail = join;
    } else {
        hostility_.note_order(stream, command, old_tail, after);
        stream.tail = command;
    }

    /* A function must be called some day even if nobody calls the runtime again, which would take
     * its patience. */
    const bool function = command->place == Work::Place::host;
    if (function && hostility_.function_is_due())
        mark_submitted(std::span(&command, 1), true);
    if (ready_.size() == 1)
        work_.notify_all(); /* to watch over the time */
    /* What it passes must not catch up with it later. */
    if (overtakes)
        mark_submitted(std::span(&command, 1), true);
    grant(hostility_.turns_of_enqueue());
    if (overtakes)
        wait_for_silence(lock, false);
    else
        settle(lock, false);
    return hipSuccess;
}

hipError_t Scheduler::query_hostile(Lock &lock, const Stream &stream)
{
    begin_call(lock);
    std::vector<CommandRef> commands;
    ordering_.of_stream(stream, commands);
    mark_submitted(commands, false);
    grant(hostility_.turns_of_query());
    settle(lock, true);
    return std::all_of(commands.begin(), commands.end(), is_done) ? outcome() : hipErrorNotReady;
}

hipError_t Scheduler::query_hostile(Lock &lock, const CommandRef &command)
{
    begin_call(lock);
    if (hostility_.event_query_submits())
        mark_submitted(std::span(&command, 1), false);
    grant(hostility_.turns_of_query());
    settle(lock, true);
    return is_done(command) ? outcome() : hipErrorNotReady;
}

/** Tells the device to get on with commands, and with all that they come after. */
void Scheduler::mark_submitted(std::span<const CommandRef> commands, bool needed)
{
    marking_.clear();
    for (const CommandRef &command : commands) {
        if (!is_done(command))
            marking_.push_back(command.get());
    }
    while (!marking_.empty()) {
        CommandTraits &traits = marking_.back()->traits;
        marking_.pop_back();
        if (traits.submitted && (traits.needed || !needed))
            continue;
        traits.submitted = true;
        traits.needed = traits.needed || needed;
        marking_.insert(marking_.end(), traits.befores.begin(), traits.befores.end());
    }
}

/** Lets submitted commands run. */
void Scheduler::grant(uint32_t turns)
{
    turns_ = std::any_of(ready_.begin(), ready_.end(), is_submitted) ? turns : 0;
    if (!may_step())
        return;
    work_.notify_all();
}

/* ---- steps */

bool Scheduler::may_step_hostile() const
{
    /* What a function of the caller lets go on must not depend on when it returns. */
    if (ready_.empty() || (limit_ == 1 && !functions_.empty()))
        return false;
    return unattended_ || std::any_of(ready_.begin(), ready_.end(), is_needed) ||
           (turns_ != 0 && std::any_of(ready_.begin(), ready_.end(), is_submitted));
}

CommandRef Scheduler::choose_hostile()
{
    const bool needed = std::any_of(ready_.begin(), ready_.end(), is_needed);
    const bool digress = needed && hostility_.digresses();
    candidates_.clear();
    for (const CommandRef &command : ready_) {
        const bool allowed = digress || (!needed && turns_ != 0) ? is_submitted(command)
                             : needed                            ? is_needed(command)
                                                                 : true;
        if (allowed)
            candidates_.push_back(command.get());
    }
    if (candidates_.empty()) { /* turns, but nothing for them: it is unattended */
        for (const CommandRef &command : ready_)
            candidates_.push_back(command.get());
    }
    if (!needed && turns_ != 0)
        --turns_;
    const Command *chosen = candidates_[hostility_.pick(candidates_)];
    return *std::find_if(ready_.begin(), ready_.end(),
                         [chosen](const CommandRef &c) { return c.get() == chosen; });
}

/** A worker has nothing it may do. */
void Scheduler::sleep_until_work(Lock &lock)
{
    if (!hostile()) {
        work_.wait(lock);
        return;
    }
    if (!std::any_of(ready_.begin(), ready_.end(), is_submitted))
        turns_ = 0;
    waiters_.notify_all();
    if (ready_.empty() && functions_.empty()) {
        work_.wait(lock);
        return;
    }
    const auto patience = hostility_.patience();
    work_.wait_until(lock, (functions_.empty() ? last_activity_ : last_function_) + patience);
    const auto now = Clock::now();
    if (!functions_.empty() && now >= last_function_ + patience) {
        functions_.clear(); /* they wait for something themselves, or are too slow to wait for */
        note_activity();
        waiters_.notify_all();
    } else if (functions_.empty() && now >= last_activity_ + patience) {
        unattended_ = true;
    }
}

void Scheduler::call_function(CommandRef command)
{
    drop_ready(command.get());
    functions_.push_back(command.get());
    turns_ = 0;
    last_function_ = Clock::now();
    host_ready_.push_back(std::move(command));
    if (host_ready_.size() > idle_hosts_)
        start_host_thread();
    hosts_.notify_one();
}

void Scheduler::forget_function(const Command *command)
{
    if (!hostile())
        return;
    std::erase(functions_, command);
    note_activity();
    work_.notify_all();
    waiters_.notify_all();
}

} // namespace vmafx::cpu
