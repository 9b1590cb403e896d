/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Keeps a device from working on what it was given.
 */
#ifndef TESTS_SUPPORT_GATE_H
#define TESTS_SUPPORT_GATE_H

#include <condition_variable>
#include <mutex>

#include "support/handles.h"
#include "support/producer_memory.h"

namespace support
{

/**
 * Holds a device's library stream back: the release callback of a frame is a command of that
 * stream, and this one does not return before open() or the end of the gate.
 */
class Gate
{
  public:
    explicit Gate(const Device &device);
    ~Gate() { open(); }
    void open();

  private:
    static void hold(void *gate);

    std::mutex lock_;
    std::condition_variable changed_;
    bool open_ = false, passed_ = false;
    ProducerMemory memory_;
};

} // namespace support

#endif
