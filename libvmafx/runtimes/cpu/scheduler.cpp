/* SPDX-License-Identifier: BSD-2-Clause */
#include "scheduler.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include <unistd.h>

#include "thread_setup.h"

namespace vmafx::cpu
{

using namespace hip;

namespace
{

constexpr size_t kMaxHostThreads = 64;

thread_local bool this_is_host_thread = false;

int64_t now_ns()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

bool is_done(const CommandRef &command)
{
    return command->done.load(std::memory_order_acquire);
}

/** The take that is handed out as the index-th of a command's. */
uint64_t shuffled(uint64_t index, uint64_t takes, const CommandTraits &traits)
{
    return (index * traits.stride + traits.shift) % takes;
}

/** Room for everything that can become ready, so that finishing a command never allocates. */
void reserve(std::vector<CommandRef> &list, size_t count)
{
    if (list.capacity() < count)
        list.reserve(2 * count);
}

} // namespace

bool on_host_thread()
{
    return this_is_host_thread;
}

void Scheduler::configure(uint32_t workers)
{
    limit_.store(workers, std::memory_order_relaxed);
}

hipError_t Scheduler::set_workers(uint32_t workers)
{
    std::lock_guard lock(mutex_);
    if (workers == workers_.size() || workers_.empty()) {
        limit_.store(workers, std::memory_order_relaxed);
        return hipSuccess;
    }
    return hipErrorNotSupported;
}

void Scheduler::add(StreamRef stream)
{
    std::lock_guard lock(mutex_);
    ordering_.add(std::move(stream));
}

void Scheduler::retire(const StreamRef &stream)
{
    Lock lock(mutex_);
    if (hostile() && stream->tail) {
        begin_call(lock);
        mark_submitted(std::span(&stream->tail, 1), false); /* nothing else can any more */
    }
    ordering_.retire(stream);
}

/* ---- the graph */

hipError_t Scheduler::submit(Stream &stream, const CommandRef &command, const CommandRef &after)
{
    Aftermath aftermath;
    CommandRef old_tail;
    {
        Lock lock(mutex_);
        if (stopping_)
            return hipErrorDeinitialized;
        if (hostile())
            return submit_hostile(lock, stream, command, after);
        if (const hipError_t error = start_threads(command->place); error != hipSuccess)
            return error;

        predecessors_.clear();
        ordering_.before(stream, predecessors_);
        if (after && !is_done(after))
            predecessors_.push_back(after);
        reserve_links();
        old_tail = std::exchange(stream.tail, command);
        link(command, aftermath);
        count_wakes(aftermath);
    }
    carry_out(aftermath);
    return hipSuccess;
}

/** Memory for a command after those in predecessors_: from here on nothing may fail. */
void Scheduler::reserve_links()
{
    reserve(ready_, outstanding_ + 2);
    reserve(host_ready_, outstanding_ + 2);
    for (const CommandRef &before : predecessors_) {
        if (before->followers.size() == before->followers.capacity())
            before->followers.reserve(2 * before->followers.size() + 2);
    }
}

void Scheduler::link(const CommandRef &command, Aftermath &after)
{
    ++outstanding_;
    for (const CommandRef &before : predecessors_) {
        before->followers.push_back(command);
        ++command->blockers;
    }
    predecessors_.clear();
    if (command->blockers == 0)
        make_ready(command, after);
}

/** The command waits for nothing any more. */
void Scheduler::make_ready(CommandRef command, Aftermath &after)
{
    if (hostile()) {
        ready_.push_back(std::move(command));
        after.wake_workers = limit_;
        return;
    }
    switch (command->place) {
    case Work::Place::none:
        finish(std::move(command), after, 0);
        return;
    case Work::Place::host:
        host_ready_.push_back(std::move(command));
        ++after.wake_hosts;
        if (host_ready_.size() > idle_hosts_)
            start_host_thread();
        return;
    case Work::Place::worker:
        break;
    }
    const uint64_t takes = (command->work->parts() - 1) / command->work->grain() + 1;
    after.wake_workers =
        static_cast<uint32_t>(std::min<uint64_t>(after.wake_workers + takes, limit_));
    ready_.push_back(std::move(command));
}

/** Marks a command as done, and every marker that was waiting only for it. own_threads workers are
 * about to look for work anyway and need not be woken. */
void Scheduler::finish(CommandRef command, Aftermath &after, uint32_t own_threads)
{
    const int64_t now = now_ns();
    CommandRef todo = std::move(command);
    while (todo) {
        CommandRef current = std::exchange(todo, std::move(todo->chain));
        current->finished_ns = now;
        current->done.store(true, std::memory_order_release);
        --outstanding_;
        after.wake_waiters |= current->waiters != 0;
        for (CommandRef &follower : current->followers) {
            std::erase(follower->traits.befores, current.get());
            if (--follower->blockers != 0)
                continue;
            if (follower->place != Work::Place::none || hostile()) {
                make_ready(std::move(follower), after);
                continue;
            }
            follower->chain = std::move(todo);
            todo = std::move(follower);
        }
        current->followers.clear();
        current->chain = std::move(after.finished);
        after.finished = std::move(current);
    }
    after.wake_workers -= std::min(after.wake_workers, own_threads);
}

/** Limits the threads to wake to those asleep that nobody has woken yet. */
void Scheduler::count_wakes(Aftermath &after)
{
    after.wake_workers = std::min(after.wake_workers, idle_ - std::min(idle_, woken_));
    woken_ += after.wake_workers;
}

/** Outside of the lock: wakes threads, releases what finished commands held. */
void Scheduler::carry_out(Aftermath &after)
{
    for (uint32_t i = 0; i < after.wake_workers; ++i)
        work_.notify_one();
    for (uint32_t i = 0; i < after.wake_hosts; ++i)
        hosts_.notify_one();
    if (after.wake_waiters)
        waiters_.notify_all();
    while (after.finished) {
        CommandRef current = std::exchange(after.finished, std::move(after.finished->chain));
        current->work.reset();
    }
}

/** Which ready command a free worker turns to: the one decision of scheduling. */
CommandRef Scheduler::choose()
{
    return hostile() ? choose_hostile() : ready_.front();
}

bool Scheduler::may_step() const
{
    return hostile() ? may_step_hostile() : !ready_.empty();
}

void Scheduler::drop_ready(const Command *command)
{
    const auto at = std::find_if(ready_.begin(), ready_.end(),
                                 [command](const CommandRef &c) { return c.get() == command; });
    if (at != ready_.end())
        ready_.erase(at);
}

/* ---- queries and waits */

hipError_t Scheduler::query(const Stream &stream)
{
    Lock lock(mutex_);
    if (hostile())
        return query_hostile(lock, stream);
    predecessors_.clear();
    ordering_.of_stream(stream, predecessors_);
    const bool busy = !predecessors_.empty();
    predecessors_.clear();
    return busy ? hipErrorNotReady : outcome();
}

hipError_t Scheduler::query(const CommandRef &command)
{
    if (!command)
        return has(cpu_hostile_unrecorded) ? outcome() : hipErrorNotReady;
    /* The hostile machine answers after its functions: what it draws must not depend on time. */
    if (!hostile())
        return is_done(command) ? outcome() : hipErrorNotReady;
    Lock lock(mutex_);
    return query_hostile(lock, command);
}

hipError_t Scheduler::wait(const Stream &stream)
{
    std::vector<CommandRef> commands;
    {
        std::lock_guard lock(mutex_);
        ordering_.of_stream(stream, commands);
    }
    return wait_all(commands);
}

hipError_t Scheduler::wait(const CommandRef &command)
{
    if (!command)
        return outcome();
    return wait_all(std::span(&command, 1));
}

hipError_t Scheduler::wait_device(int device)
{
    std::vector<CommandRef> commands;
    {
        std::lock_guard lock(mutex_);
        ordering_.of_device(device, commands);
    }
    return wait_all(commands);
}

hipError_t Scheduler::wait_all(std::span<const CommandRef> commands)
{
    for (const CommandRef &command : commands) {
        if (is_done(command))
            continue;
        if (on_host_thread())
            return hipErrorNotSupported;
        Lock lock(mutex_);
        if (hostile()) {
            begin_call(lock);
            mark_submitted(commands, true);
            work_.notify_all();
        }
        ++command->waiters;
        waiters_.wait(lock, [&] { return is_done(command) || stopping_; });
        --command->waiters;
        if (!is_done(command))
            return hipErrorDeinitialized;
    }
    return outcome();
}

/* ---- threads */

hipError_t Scheduler::start_threads(Work::Place place)
{
    if (owner_ == 0)
        owner_ = getpid();
    if (place == Work::Place::host && host_threads_.empty()) {
        start_host_thread();
        return host_threads_.empty() ? hipErrorOutOfMemory : hipSuccess;
    }
    if (place != Work::Place::worker || !workers_.empty())
        return hipSuccess;
    workers_.reserve(limit_);
    while (workers_.size() < limit_) {
        try {
            const auto index = static_cast<uint32_t>(workers_.size());
            workers_.emplace_back([this, index] { run_worker(index); });
        } catch (const std::system_error &) {
            break;
        }
    }
    if (workers_.empty())
        return hipErrorOutOfMemory;
    limit_.store(static_cast<uint32_t>(workers_.size()), std::memory_order_relaxed);
    return hipSuccess;
}

/** One more, if possible: with the threads there are, functions only wait longer. */
void Scheduler::start_host_thread()
{
    if (host_threads_.size() >= kMaxHostThreads || stopping_)
        return;
    try {
        host_threads_.emplace_back([this] { run_host(); });
        ++running_hosts_;
    } catch (const std::exception &) {
        /* Without a further thread the call waits for one of those there are. */
    }
}

/** Runs parts until none is left; false when the scheduler stops first. */
bool Scheduler::run_parts(Command &command, WorkerMemory &memory)
{
    Work &work = *command.work;
    const uint64_t parts = work.parts();
    const uint64_t grain = work.grain();
    while (!stopping_.load(std::memory_order_relaxed)) {
        uint64_t first = command.next_part.fetch_add(grain, std::memory_order_relaxed);
        if (first >= parts)
            return true;
        if (command.traits.stride != 0)
            first = shuffled(first / grain, (parts - 1) / grain + 1, command.traits) * grain;
        work.run(first, std::min(parts, first + grain), memory);
    }
    return false;
}

void Scheduler::run_worker(uint32_t index)
{
    set_up_worker_thread(index);
    WorkerMemory memory;
    Lock lock(mutex_);
    while (!stopping_) {
        if (!may_step()) {
            ++idle_;
            sleep_until_work(lock);
            --idle_;
            woken_ -= std::min(woken_, 1u);
            continue;
        }
        CommandRef command = choose();
        if (command->place == Work::Place::host) {
            call_function(std::move(command));
            continue;
        }
        const bool runs = command->work && command->place == Work::Place::worker;
        const bool skipped = command->traits.lost || !runs;
        ++command->runners;
        ++busy_workers_;
        lock.unlock();
        const bool all_taken = skipped || run_parts(*command, memory);
        lock.lock();
        --command->runners;
        note_activity();
        drop_ready(command.get());
        if (!all_taken || command->runners != 0) {
            --busy_workers_;
            if (all_taken)
                continue;
            /* Left for the end to drop: with it goes all that waits for it. */
            ready_.push_back(std::move(command));
            return;
        }
        if (runs) {
            lock.unlock();
            command->work.reset();
            lock.lock();
        }
        /* Not before: until its followers are ready it may look as if nothing were left to do. */
        --busy_workers_;
        Aftermath after;
        finish(std::move(command), after, 1);
        count_wakes(after);
        lock.unlock();
        carry_out(after);
        lock.lock();
    }
}

void Scheduler::run_host()
{
    set_up_host_thread();
    this_is_host_thread = true;
    WorkerMemory memory;
    std::unique_lock lock(mutex_);
    while (!stopping_) {
        if (host_ready_.empty()) {
            ++idle_hosts_;
            hosts_.wait(lock);
            --idle_hosts_;
            continue;
        }
        CommandRef command = std::move(host_ready_.front());
        host_ready_.erase(host_ready_.begin());
        lock.unlock();
        command->work->run(0, 1, memory);
        command->work.reset();
        lock.lock();
        forget_function(command.get());
        Aftermath after;
        finish(std::move(command), after, 0);
        count_wakes(after);
        lock.unlock();
        carry_out(after);
        lock.lock();
    }
    --running_hosts_;
    waiters_.notify_all();
}

} // namespace vmafx::cpu
