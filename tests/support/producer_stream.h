/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Streams, events and arrays of a producer that works on the tested device with HIP itself.
 */
#ifndef TESTS_SUPPORT_PRODUCER_STREAM_H
#define TESTS_SUPPORT_PRODUCER_STREAM_H

#include <condition_variable>
#include <cstdint>
#include <mutex>

#include <libvmafx/fence.h>

#include "support/picture.h"

namespace support
{

class ProducerEvent
{
  public:
    ProducerEvent();
    ~ProducerEvent();
    ProducerEvent(const ProducerEvent &) = delete;
    ProducerEvent &operator=(const ProducerEvent &) = delete;

    void *handle() const { return event_; }
    VmafxFenceDesc fence() const { return {VMAFX_FENCE_HIP_EVENT, 0, event_}; }
    /** What the runtime itself says. */
    bool complete() const;

  private:
    void *event_ = nullptr;
};

/** A stream that can be held at one place until it is let go; at the end at the latest. */
class ProducerStream
{
  public:
    ProducerStream();
    ~ProducerStream();
    ProducerStream(const ProducerStream &) = delete;
    ProducerStream &operator=(const ProducerStream &) = delete;

    void *handle() const { return stream_; }
    void hold();
    void let_go();
    /** From device memory to device memory. */
    void copy(void *to, const void *from, size_t bytes);
    /** A plane without gaps between its rows, from device memory to rows of that pitch. */
    void copy_rows(void *to, uint64_t to_pitch, const PackedPlane &plane, const void *from);
    void record(const ProducerEvent &event);
    /** fence: of kind HIP_EVENT. */
    void wait_for(const VmafxFenceDesc &fence);
    void finish();

  private:
    static void wait_until_open(void *self);

    void *stream_ = nullptr;
    std::mutex lock_;
    std::condition_variable changed_;
    bool open_ = true;
};

/** A plane in a hipArray_t. */
class ProducerArray
{
  public:
    struct Shape {
        int components, bits;
        size_t width, rows; /* elements */
        int kind = 1;       /* hipChannelFormatKindUnsigned */
    };
    explicit ProducerArray(const Shape &shape);
    /** An array of just the plane's size, with its samples. */
    ProducerArray(const PackedPlane &plane, int components, int bits);
    ProducerArray(ProducerArray &&other) noexcept;
    ~ProducerArray();

    void *handle() const { return array_; }

  private:
    void *array_ = nullptr;
};

/** The planes of a picture as arrays, and their import. */
class ArrayPicture
{
  public:
    ArrayPicture(const Picture &picture, const LayoutFacts &layout);
    const VmafxFrameImport &desc() const { return desc_; }

  private:
    std::vector<ProducerArray> arrays_;
    VmafxFrameImport desc_;
};

} // namespace support

#endif
