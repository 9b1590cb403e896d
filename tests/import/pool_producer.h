/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A producer that fills frames of a pool from a stream of its own.
 */
#ifndef TESTS_IMPORT_POOL_PRODUCER_H
#define TESTS_IMPORT_POOL_PRODUCER_H

#include <deque>
#include <vector>

#include "support/picture.h"
#include "support/producer_memory.h"
#include "support/producer_stream.h"
#include "support/scores.h"

using Pool = support::Handle<VmafxFramePool, vmafx_frame_pool_close>;
using PoolFrame = support::Handle<VmafxPoolFrame, vmafx_pool_frame_close>;

Pool create_pool(const support::Device &device, const support::Picture &like,
                 const support::LayoutFacts &layout, uint32_t frames, uint32_t plane_count = 0);
PoolFrame acquire(const Pool &pool);
VmafxPoolFrameInfo info_of(const PoolFrame &frame);
support::Frame submit_ready(PoolFrame &picture, const VmafxFenceDesc *ready = nullptr);

/** A picture's planes in memory of the device, from where a producer copies them. */
class DevicePicture
{
  public:
    DevicePicture(const support::Picture &picture, const support::LayoutFacts &layout);

  private:
    friend class PoolProducer;
    std::vector<support::PackedPlane> planes_;
    std::deque<support::ProducerMemory> memory_;
};

class PoolProducer
{
  public:
    /** Makes the stream wait until the frame may be written. */
    void wait_for(const VmafxFenceDesc &writable);
    /** Enqueues the copy of a picture into the frame's planes. */
    void write(const PoolFrame &frame, const DevicePicture &picture);
    /** An event behind what is enqueued. */
    VmafxFenceDesc record();
    void finish() { stream_.finish(); }

  private:
    std::deque<support::ProducerEvent> events_;
    support::ProducerStream stream_; /* at the end it is waited for first */
};

#endif
