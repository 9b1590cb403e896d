/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What producers of a program share on one device: a stream, and the books about releases.
 */
#ifndef TESTS_HOSTILE_PRODUCER_H
#define TESTS_HOSTILE_PRODUCER_H

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <string>

#include <libvmafx/vmafx.h>

#include "hip/hip_abi.h"

/** The release callbacks of a program's imports. */
class Ledger
{
  public:
    struct Entry {
        std::atomic<uint32_t> calls{0};
        bool accepted = false;
    };

    Entry &open() { return entries_.emplace_back(); }
    static void callback(void *entry) { ++static_cast<Entry *>(entry)->calls; }
    /** Once every frame is gone: "" or what is wrong. */
    std::string audit() const;

  private:
    std::deque<Entry> entries_;
};

class Producer
{
  public:
    explicit Producer(int gpu);
    ~Producer();
    Producer(const Producer &) = delete;
    Producer &operator=(const Producer &) = delete;

    vmafx::hip::hipStream_t stream() const { return stream_; }
    /** HIP's current device. */
    void be_current() const;
    /** Hands the stream's work over. What the runtime has begun to do on its own comes to an end,
     * so that what the program sees next does not depend on time. */
    void submit() const;
    void finish() const;
    /** Waits for all of the device. */
    void synchronise_device() const;

  private:
    int gpu_;
    vmafx::hip::hipStream_t stream_ = nullptr;
};

/** An event of a producer. */
class Point
{
  public:
    Point();
    ~Point();
    Point(const Point &) = delete;
    Point &operator=(const Point &) = delete;
    vmafx::hip::hipEvent_t get() const { return event_; }
    VmafxFenceDesc fence() const { return {VMAFX_FENCE_HIP_EVENT, 0, event_}; }

  private:
    vmafx::hip::hipEvent_t event_ = nullptr;
};

/** Makes things go on when a producer has no memory left, harder from round to round. */
using Nudge = std::function<void(uint32_t round)>;
/** Rounds after which memory that did not come back is lost. */
constexpr uint32_t kNudges = 12;
/** From this round on, Nudge synchronises the device. */
constexpr uint32_t kPatientNudges = 4;

#endif
