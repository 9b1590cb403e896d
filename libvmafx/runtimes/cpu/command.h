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
#include <thread>
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

    /* What it is to a device. */
    enum class Nature { kernel, copy, upload, fill, other };

    virtual ~Work() = default;
    virtual Place place() const { return Place::worker; }
    virtual Nature nature() const { return Nature::other; }
    /** Parts that may run at the same time, at least 1. */
    virtual uint64_t parts() const { return 1; }
    /** Parts a worker takes at once. */
    virtual uint64_t grain() const { return 1; }
    virtual void run(uint64_t first, uint64_t end, WorkerMemory &memory) = 0;
};

struct Command;
using CommandRef = std::shared_ptr<Command>;

/** The latest upload of a stream. */
struct UploadMark {
    uint64_t serial = 0; /* in the order of calls */
    std::thread::id caller;
};

/** What the hostile machine knows of a command. Guarded by the scheduler. */
struct CommandTraits {
    std::vector<Command *> befores; /* unfinished commands that it waits for */
    uint32_t stream = 0;            /* number of its stream */
    uint64_t serial = 0;            /* in the order of calls */
    std::thread::id caller;
    UploadMark upload;      /* that it comes after, or is */
    bool submitted = false; /* something told the device to get on with it */
    bool needed = false;    /* somebody waits for it */
    bool lost = false;      /* never runs, and is then done */
    uint64_t stride = 0;    /* order in which takes are handed out; 0 = as they come */
    uint64_t shift = 0;
};

struct Command {
    explicit Command(std::unique_ptr<Work> w, bool reliable_command = true)
        : place(w ? w->place() : Work::Place::none), nature(w ? w->nature() : Work::Nature::other),
          reliable(reliable_command), work(std::move(w))
    {
    }

    const Work::Place place;
    const Work::Nature nature;
    const bool reliable;        /* no device loses it: somebody waits in the same call */
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
    CommandTraits traits;
};

} // namespace vmafx::cpu

#endif
