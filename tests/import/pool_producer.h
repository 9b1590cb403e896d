/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A producer that fills frames of a pool from a stream of its own.
 */
#ifndef TESTS_IMPORT_POOL_PRODUCER_H
#define TESTS_IMPORT_POOL_PRODUCER_H

#include <condition_variable>
#include <deque>
#include <mutex>
#include <vector>

#include "support/picture.h"
#include "support/producer_memory.h"
#include "support/scores.h"

using Pool = support::Handle<VmafxFramePool, vmafx_frame_pool_close>;
using PoolFrame = support::Handle<VmafxPoolFrame, vmafx_pool_frame_close>;

Pool create_pool(const support::Device &device, const support::Picture &like,
                 const support::LayoutFacts &layout, uint32_t frames, uint32_t plane_count = 0);
PoolFrame acquire(const Pool &pool);
VmafxPoolFrameInfo info_of(const PoolFrame &frame);
support::Frame submit_ready(PoolFrame &picture, const VmafxFenceDesc *ready = nullptr);

class PoolProducer
{
  public:
    PoolProducer();
    ~PoolProducer();
    PoolProducer(const PoolProducer &) = delete;
    PoolProducer &operator=(const PoolProducer &) = delete;

    /** Makes the stream wait until the frame may be written. */
    void wait_for(const VmafxFenceDesc &writable);
    /** Enqueues the copy of a picture into the frame's planes. */
    void write(const PoolFrame &frame, const support::Picture &picture,
               const support::LayoutFacts &layout);
    /** An event behind what is enqueued. */
    VmafxFenceDesc record();
    void finish();

  private:
    void *stream_ = nullptr;
    std::vector<void *> events_;
    std::deque<support::ProducerMemory> sources_; /* of copies */
};

/**
 * Holds a device's library stream back: the release callback of a frame is a command of that
 * stream, and this one does not return before open() or the end of the gate.
 */
class Gate
{
  public:
    explicit Gate(const support::Device &device);
    ~Gate() { open(); }
    void open();

  private:
    static void hold(void *gate);

    std::mutex lock_;
    std::condition_variable changed_;
    bool open_ = false, passed_ = false;
    support::ProducerMemory memory_;
};

#endif
