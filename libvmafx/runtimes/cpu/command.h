/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One command of a stream, as the scheduler sees it: some work that can be split into parts, the
 * number of commands it still waits for, and the commands that wait for it.
 */
#ifndef VMAFX_CPU_COMMAND_H
#define VMAFX_CPU_COMMAND_H

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "worker_memory.h"

namespace vmafx::cpu
{

/** What a command does. Destroyed outside of every lock: before the command counts as done, or
 * right after when there is nothing to run. */
class Work
{
  public:
    enum class Place {
        worker, /* parts run on the worker threads */
        host,   /* one part, which is the caller's code and may block */
        none,   /* nothing to run: order and release of what the work holds */
    };

    virtual ~Work() = default;
    virtual Place place() const { return Place::worker; }
    /** Parts that may run at the same time, at least 1. */
    virtual uint64_t parts() const { return 1; }
    /** Parts a worker takes at once. */
    virtual uint64_t grain() const { return 1; }
    virtual void run(uint64_t first, uint64_t end, WorkerMemory &memory) = 0;
};

struct Command;
using CommandRef = std::shared_ptr<Command>;

struct Command {
    explicit Command(std::unique_ptr<Work> w)
        : place(w ? w->place() : Work::Place::none), work(std::move(w))
    {
    }

    const Work::Place place;
    std::unique_ptr<Work> work; /* none for a marker */
    std::atomic<uint64_t> next_part{0};
    std::atomic<bool> done{false};
    int64_t finished_ns = 0; /* monotonic clock; valid once done */

    /* Guarded by the scheduler. */
    std::vector<CommandRef> followers;
    uint64_t blockers = 0; /* unfinished predecessors */
    uint32_t runners = 0;  /* threads inside run() */
    uint32_t waiters = 0;  /* threads that sleep until it is done */
    CommandRef chain;      /* next of a list that the scheduler walks */
};

} // namespace vmafx::cpu

#endif
