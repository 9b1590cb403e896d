/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Times of commands, from events before and after each. There is no profiler without
 * VMAFX_DEVICE_PROFILING, and then none of this costs more than a test of a pointer.
 */
#ifndef VMAFX_HIP_PROFILER_H
#define VMAFX_HIP_PROFILER_H

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "hip/objects.h"

namespace vmafx
{

enum class ProfileKind : uint32_t { kFrame, kKernel, kConversion, kUpload, kClear, kReadback };

/** Commands by kind and name. */
class ProfileTable
{
  public:
    struct Entry {
        ProfileKind kind;
        const char *name; /* lives as long as the device */
        uint64_t count, untimed, time_ns;
    };

    /** No time: the command is counted as untimed. */
    void add(ProfileKind kind, const char *name, std::optional<uint64_t> time_ns);
    void add(const ProfileTable &other);
    const std::vector<Entry> &entries() const { return entries_; }

  private:
    Entry &entry(ProfileKind kind, const char *name);

    std::vector<Entry> entries_;
};

/** A command between two events. */
struct TimedCommand {
    ProfileKind kind;
    const char *name;
    hip::Event begin, end;
};

/** The commands of one frame. */
using FrameTrace = std::vector<TimedCommand>;

/** Thread-safe. Creating and recording act on the thread's current device: hold a DeviceGuard. */
class Profiler
{
  public:
    explicit Profiler(const hip::Runtime &runtime) : runtime_(runtime) {}

    TimedCommand begin(ProfileKind kind, const char *name, const hip::Stream &stream);
    /** The command belongs to the trace that the thread has open; with none it counts in the sum
     *  alone. */
    void end(TimedCommand command, const hip::Stream &stream);

    /** For a scope, commands that this thread enqueues are of one frame. */
    class Scope
    {
      public:
        /** Of nothing, if there is no profiler. */
        Scope(Profiler *profiler, FrameTrace *trace);
        ~Scope();
        Scope(const Scope &) = delete;
        Scope &operator=(const Scope &) = delete;

      private:
        Profiler *profiler_;
    };

    /** Times of a frame that the device has finished; they go into the sum too. */
    ProfileTable read(FrameTrace trace);
    ProfileTable sum();

  private:
    static constexpr size_t kMaxLoose = 1024; /* commands of no frame that wait to be read */

    hip::Event take_event();
    void give_back(TimedCommand &command);
    std::optional<uint64_t> elapsed(const hip::Event &begin, const hip::Event &end) const;
    void read_loose();

    const hip::Runtime &runtime_;
    std::mutex lock_;
    std::vector<hip::Event> idle_;
    std::map<std::thread::id, FrameTrace *> open_;
    std::deque<TimedCommand> loose_;
    ProfileTable sum_;
};

/** Runs enqueue(), which enqueues one command on the stream, between events if there is a
 *  profiler. */
template <class Enqueue>
void timed(Profiler *profiler, ProfileKind kind, const char *name, const hip::Stream &stream,
           Enqueue &&enqueue)
{
    if (!profiler) {
        enqueue();
        return;
    }
    TimedCommand command = profiler->begin(kind, name, stream);
    enqueue();
    profiler->end(std::move(command), stream);
}

} // namespace vmafx

#endif
