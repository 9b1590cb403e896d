/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Events of the tested runtime, as a producer makes them.
 */
#ifndef TESTS_SUPPORT_PRODUCER_EVENT_H
#define TESTS_SUPPORT_PRODUCER_EVENT_H

#include <utility>

#include <libvmafx/fence.h>

namespace support
{

/** Not recorded yet: a release fence, which the library records. */
class ProducerEvent
{
  public:
    ProducerEvent();
    ProducerEvent(ProducerEvent &&other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
    ~ProducerEvent();

    /** Records it on a stream with nothing else on it: an acquire fence. */
    void record();
    VmafxFenceDesc fence() const { return {VMAFX_FENCE_HIP_EVENT, 0, event_}; }
    void *get() const { return event_; }

  private:
    void *event_ = nullptr;
};

} // namespace support

#endif
