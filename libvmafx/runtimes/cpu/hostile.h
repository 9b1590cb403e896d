/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The decisions of the hostile machine: whatever HIP leaves open, decided by the random numbers of
 * one seed. The scheduler asks and holds its lock meanwhile.
 */
#ifndef VMAFX_CPU_HOSTILE_H
#define VMAFX_CPU_HOSTILE_H

#include <chrono>
#include <span>
#include <string>

#include "hip/hip_abi.h"
#include "stream.h"

namespace vmafx::cpu
{

/** The facts that hold while the machine is not hostile. */
constexpr uint32_t kPlainFacts =
    hip::cpu_hostile_unrecorded | hip::cpu_hostile_free_waits | hip::cpu_hostile_null_stream;

/** hipErrorInvalidValue for options that make no sense. */
hip::hipError_t check_hostile(const hip::CpuHostileOptions &options);

/** Reads VMAFX_CPU_HOSTILE, _FACTS, _DROPS and _PATIENCE; what is wrong with them, or nothing. */
std::string read_hostile(bool &hostile, hip::CpuHostileOptions &options);

class Hostility
{
  public:
    using Patience = std::chrono::milliseconds;

    /** Starts again. */
    void reset(const hip::CpuHostileOptions &options);

    Patience patience() const { return Patience(options_.patience_ms); }
    uint64_t lost() const { return lost_; }

    /** A stream is used; the first time it gets its number. */
    void meet(Stream &stream);
    /** A command is enqueued: its number, the order of its parts, whether it is lost. `after` is
     * the record that it waits for, if any. */
    void enqueue(Stream &stream, Command &command, const Command *after);
    /** Whether a copy passes the waits ahead of it on its stream. */
    bool overtakes(const Stream &stream, const Command &command) const;
    /** Keeps who may be passed by later copies. */
    void note_order(Stream &stream, const CommandRef &command, const CommandRef &old_tail,
                    const CommandRef &after);
    void note_clears(Stream &stream, const CommandRef &command, const Command *after);

    /** Commands that run now, of those that were submitted: by a call that only enqueues, by one
     * that asks for the state. */
    uint32_t turns_of_enqueue();
    uint32_t turns_of_query();
    bool event_query_submits() { return draw(4) == 0; }
    bool function_is_due() { return draw(4) != 0; }
    /** While somebody waits: whether other work goes first. */
    bool digresses() { return draw(4) == 0; }
    /** One of the commands. */
    size_t pick(std::span<Command *const> commands);

  private:
    uint32_t draw(uint32_t below);
    uint64_t next();
    bool has(uint32_t fact) const { return (options_.facts & fact) != 0; }
    bool loses(Stream &stream, const Command &command);
    void shuffle_parts(Command &command);
    void lose_clears(Stream &stream);

    hip::CpuHostileOptions options_ = {};
    uint64_t state_ = 0;
    uint64_t run_ = 0;
    uint64_t serial_ = 0;
    uint64_t epoch_ = 0; /* changes when the streams' ranks are drawn anew */
    uint32_t laziness_ = 1;
    uint32_t burst_ = 1;
    uint32_t streams_ = 0;
    uint64_t lost_ = 0;
};

} // namespace vmafx::cpu

#endif
