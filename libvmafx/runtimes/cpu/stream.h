/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A stream is a queue of commands; only its last command needs to be known. Ordering has the rule
 * which commands a new one of a stream comes after.
 */
#ifndef VMAFX_CPU_STREAM_H
#define VMAFX_CPU_STREAM_H

#include <vector>

#include "command.h"

namespace vmafx::cpu
{

enum class StreamKind {
    null,         /* the legacy default stream of a device */
    blocking,     /* ordered against the null stream */
    non_blocking, /* independent of it */
};

/** What the hostile machine knows of a stream. Guarded by the scheduler. */
struct StreamTraits {
    uint64_t run = 0;    /* of the machine; of an earlier one, all the rest is void */
    uint32_t number = 0; /* in the order of first use */
    uint32_t to_lose = 0;
    UploadMark upload;              /* that its work comes after */
    std::vector<CommandRef> clears; /* fills that no kernel has followed yet */
    /* Waits for events since the last command that was none; copies may pass them. */
    std::vector<CommandRef> awaited; /* the records they wait for */
    CommandRef lane;                 /* what a copy that passes them comes after */
};

struct Stream {
    Stream(int device_index, StreamKind stream_kind) : device(device_index), kind(stream_kind) {}

    const int device;
    const StreamKind kind;

    /* Guarded by the scheduler. */
    CommandRef tail;
    bool destroyed = false;
    StreamTraits traits;
};
using StreamRef = std::shared_ptr<Stream>;

/** The streams of all devices. Guarded by the scheduler. */
class Ordering
{
  public:
    void add(StreamRef stream);
    /** A destroyed stream stays until its last command is done: others may have to wait for it. */
    void retire(const StreamRef &stream);
    /** Appends the last unfinished command of every stream. */
    void of_all(std::vector<CommandRef> &commands);
    /** Gives up all streams; appends the last commands they held. */
    void clear(std::vector<CommandRef> &commands);

    /** Appends the unfinished commands that work submitted to stream now has to wait for. */
    void before(const Stream &stream, std::vector<CommandRef> &commands);
    /** Whether the null stream and non-blocking streams wait for each other: they do not on any
     * real device. */
    void set_null_waits_for_all(bool waits) { null_waits_for_all_ = waits; }
    /** Appends the unfinished commands that stand for all work of the stream: of the null stream
     * that of the blocking streams too. */
    void of_stream(const Stream &stream, std::vector<CommandRef> &commands);
    /** Appends the last unfinished command of every stream of a device. */
    void of_device(int device, std::vector<CommandRef> &commands);

  private:
    void sweep();
    bool waits_for(const Stream &later, const Stream &earlier) const;

    std::vector<StreamRef> streams_;
    bool null_waits_for_all_ = false;
};

} // namespace vmafx::cpu

#endif
