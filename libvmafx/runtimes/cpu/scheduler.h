/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Runs the commands of all streams on the threads of the process. Commands form a graph: each
 * knows how many it waits for, and is ready when none is left. Workers take parts of ready
 * commands; functions of the caller have threads of their own, since they may block.
 */
#ifndef VMAFX_CPU_SCHEDULER_H
#define VMAFX_CPU_SCHEDULER_H

#include <condition_variable>
#include <mutex>
#include <span>
#include <thread>

#include <sys/types.h>

#include "hip/hip_abi.h"
#include "hostile.h"
#include "stream.h"

namespace vmafx::cpu
{

class Scheduler
{
  public:
    /** workers > 0 threads, started when the first work arrives. */
    void configure(uint32_t workers);
    /** Another number, as long as no thread runs. */
    hip::hipError_t set_workers(uint32_t workers);
    uint32_t workers() const { return limit_.load(std::memory_order_relaxed); }

    void add(StreamRef stream);
    void retire(const StreamRef &stream);

    /** Appends a command to a stream; it also waits for `after`, which may be null. */
    hip::hipError_t submit(Stream &stream, const CommandRef &command,
                           const CommandRef &after = nullptr);

    /** hipSuccess, or hipErrorNotReady while something on the stream is unfinished. */
    hip::hipError_t query(const Stream &stream);
    hip::hipError_t query(const CommandRef &command);
    hip::hipError_t wait(const Stream &stream);
    hip::hipError_t wait(const CommandRef &command);
    hip::hipError_t wait_device(int device);

    /** Reported by every later query and wait. */
    void set_fault(hip::hipError_t error) { fault_.store(error, std::memory_order_relaxed); }

    /** Waits for all work, then becomes the hostile machine of the options, or the plain one. */
    hip::hipError_t become(const hip::CpuHostileOptions *options);
    bool hostile() const { return hostile_.load(std::memory_order_relaxed); }
    /** Whether a fact about real devices, cpu_hostile_*, holds. */
    bool has(uint32_t fact) const { return (facts_.load(std::memory_order_relaxed) & fact) != 0; }
    uint64_t lost_commands();

    /** Drops what has not begun, lets what runs end, joins the threads. */
    void shut_down();
    bool stopped() const { return stopping_.load(std::memory_order_acquire); }

  private:
    /* What a change of the graph leaves to be done once the lock is released. */
    struct Aftermath {
        CommandRef finished;
        uint32_t wake_workers = 0;
        uint32_t wake_hosts = 0;
        bool wake_waiters = false;
    };
    using Lock = std::unique_lock<std::mutex>;

    hip::hipError_t start_threads(Work::Place place);
    void start_host_thread();
    void reserve_links();
    void link(const CommandRef &command, Aftermath &after);
    void make_ready(CommandRef command, Aftermath &after);
    void finish(CommandRef command, Aftermath &after, uint32_t own_threads);
    void count_wakes(Aftermath &after);
    void carry_out(Aftermath &after);
    bool may_step() const;
    CommandRef choose();
    void sleep_until_work(Lock &lock);
    void drop_ready(const Command *command);
    hip::hipError_t wait_all(std::span<const CommandRef> commands);
    void run_worker(uint32_t index);
    void run_host();
    bool run_parts(Command &command, WorkerMemory &memory);
    void join_hosts(std::vector<std::thread> threads);
    void drop_graph();

    /* Of the hostile machine. */
    hip::hipError_t submit_hostile(Lock &lock, Stream &stream, const CommandRef &command,
                                   const CommandRef &after);
    hip::hipError_t query_hostile(Lock &lock, const Stream &stream);
    hip::hipError_t query_hostile(Lock &lock, const CommandRef &command);
    void begin_call(Lock &lock);
    void settle(Lock &lock, bool await_functions);
    void wait_for_silence(Lock &lock, bool await_functions);
    void note_activity();
    void mark_submitted(std::span<const CommandRef> commands, bool needed);
    void grant(uint32_t turns);
    bool may_step_hostile() const;
    CommandRef choose_hostile();
    void call_function(CommandRef command);
    void forget_function(const Command *command);

    hip::hipError_t outcome() const { return fault_.load(std::memory_order_relaxed); }

    std::atomic<uint32_t> limit_{1};
    std::atomic<bool> stopping_{false};
    std::atomic<bool> hostile_{false};
    std::atomic<uint32_t> facts_{kPlainFacts};
    std::atomic<hip::hipError_t> fault_{hip::hipSuccess};
    std::atomic<pid_t> owner_{0}; /* process that started the threads: a fork has none of them */

    std::mutex mutex_;
    std::condition_variable work_;    /* a worker may find a ready command */
    std::condition_variable hosts_;   /* a host thread may find a function */
    std::condition_variable waiters_; /* a command somebody sleeps on is done */

    /* Guarded by mutex_. */
    Ordering ordering_;
    std::vector<CommandRef> predecessors_; /* scratch of submit() */
    std::vector<CommandRef> ready_;        /* in the order of becoming ready */
    std::vector<CommandRef> host_ready_;
    size_t outstanding_ = 0; /* commands that are not done */
    std::vector<std::thread> workers_;
    std::vector<std::thread> host_threads_;
    uint32_t idle_ = 0;  /* workers asleep */
    uint32_t woken_ = 0; /* of them, told to wake up */
    uint32_t idle_hosts_ = 0;
    uint32_t running_hosts_ = 0; /* host threads that have not ended */

    /* Of the hostile machine; guarded by mutex_. */
    using Clock = std::chrono::steady_clock;
    Hostility hostility_;
    std::vector<Command *> marking_;    /* scratch of mark_submitted() */
    std::vector<Command *> candidates_; /* scratch of choose_hostile() */
    std::vector<Command *> functions_;  /* called, not done, and not known to take long */
    uint32_t turns_ = 0;                /* submitted commands that may run with no need */
    uint32_t busy_workers_ = 0;
    bool unattended_ = false;         /* nobody has called for long: everything goes on */
    Clock::time_point last_activity_; /* of callers and workers */
    Clock::time_point last_function_;
};

/** Whether the calling thread runs a function of the caller: such a function must not wait. */
bool on_host_thread();

} // namespace vmafx::cpu

#endif
