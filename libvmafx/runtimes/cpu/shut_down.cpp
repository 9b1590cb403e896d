/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The end of the scheduler, when the library is unloaded or the process exits.
 */
#include <chrono>

#include <unistd.h>

#include "scheduler.h"

namespace vmafx::cpu
{

namespace
{

/* A function of the caller may wait for something that never comes once the process exits. */
constexpr std::chrono::seconds kHostThreadPatience{1};

} // namespace

void Scheduler::shut_down()
{
    /* In a forked child there is no thread to join, and the lock may be held for ever. */
    const pid_t owner = owner_.load();
    if (owner != 0 && owner != getpid())
        return;

    std::vector<std::thread> workers;
    std::vector<std::thread> hosts;
    {
        std::lock_guard lock(mutex_);
        if (stopping_)
            return;
        stopping_ = true;
        workers.swap(workers_);
        hosts.swap(host_threads_);
    }
    work_.notify_all();
    hosts_.notify_all();
    waiters_.notify_all();
    for (std::thread &worker : workers)
        worker.join();
    join_hosts(std::move(hosts));
    drop_graph();
}

void Scheduler::join_hosts(std::vector<std::thread> threads)
{
    /* exit() may have been called by such a function itself. */
    const uint32_t own = on_host_thread() ? 1 : 0;
    bool ended = false;
    {
        std::unique_lock lock(mutex_);
        ended = waiters_.wait_for(lock, kHostThreadPatience,
                                  [this, own] { return running_hosts_ <= own; });
    }
    for (std::thread &thread : threads) {
        if (ended && thread.get_id() != std::this_thread::get_id())
            thread.join();
        else
            thread.detach();
    }
}

/** Releases what never ran, one command at a time: a chain of commands that own each other would
 * recurse as deep as it is long. */
void Scheduler::drop_graph()
{
    std::vector<CommandRef> commands;
    {
        std::lock_guard lock(mutex_);
        commands.swap(ready_);
        for (CommandRef &command : host_ready_)
            commands.push_back(std::move(command));
        std::vector<CommandRef>().swap(host_ready_);
        std::vector<CommandRef>().swap(predecessors_);
        ordering_.clear(commands);
    }
    while (!commands.empty()) {
        const CommandRef command = std::move(commands.back());
        commands.pop_back();
        for (CommandRef &follower : command->followers)
            commands.push_back(std::move(follower));
        command->followers.clear();
    }
}

} // namespace vmafx::cpu
