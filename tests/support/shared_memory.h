/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Memory that stands for a producer's: memfds in place of dma-bufs, and memory of the tested
 * device.
 */
#ifndef TESTS_SUPPORT_SHARED_MEMORY_H
#define TESTS_SUPPORT_SHARED_MEMORY_H

#include <condition_variable>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "support/picture.h"
#include "support/producer_memory.h"

namespace support
{

/** An open descriptor. */
class Descriptor
{
  public:
    explicit Descriptor(int fd);
    Descriptor(Descriptor &&other) noexcept;
    ~Descriptor();
    int get() const { return fd_; }
    Descriptor duplicate() const;

  private:
    int fd_;
};

Descriptor create_memfd(std::span<const uint8_t> contents);
/** Writes the first bytes of a memfd or dma-buf. */
void overwrite(const Descriptor &buffer, std::span<const uint8_t> contents);
void overwrite_mapping(const Descriptor &file, uint64_t offset, std::span<const uint8_t> contents);

/** Makes a buffer with that contents, such as create_memfd(). */
using CreateBuffer = std::function<Descriptor(std::span<const uint8_t> contents)>;

/** Counts release callbacks of imports; opaque is the object. The callback may come from any
 * thread. */
class Releases
{
  public:
    static void callback(void *opaque);
    /** Bounded wait until at least that many have come. */
    bool wait_for(uint64_t wanted);
    uint64_t count();
    VmafxFrameImport counted(VmafxFrameImport desc);

  private:
    std::mutex lock_;
    std::condition_variable changed_;
    uint64_t count_ = 0;
};

/** Number of descriptors that the process has open. */
size_t open_descriptors();

enum class Sharing {
    kOneDescriptor,       /* all planes in one buffer */
    kDuplicateDescriptor, /* the same, a descriptor per plane */
    kBufferPerPlane,
};

/** Where planes and rows begin, in bytes. With odd offsets or pitches 16-bit samples lie at odd
 *  addresses. */
enum class Spacing {
    kAligned,
    kTight, /* nothing between rows and between planes */
    kOddOffsets,
    kOddPitches,
    kOdd, /* both */
};

/** How a picture lies in its producer's memory. */
struct Placement {
    const char *name;
    uint32_t memory; /* VMAFX_MEMORY_* */
    Sharing sharing;
    Spacing spacing;
};

/** The ways to import a picture that the tested runtime takes. */
const std::vector<Placement> &all_placements();
/** The ways to upload one. */
const std::vector<Placement> &host_placements();

/** A picture in a producer's memory, with garbage wherever no sample is. */
class PlacedPicture
{
  public:
    /** create_buffer makes the buffers of a placement in VMAFX_MEMORY_DMABUF. */
    PlacedPicture(const Picture &picture, const LayoutFacts &layout, const Placement &placement,
                  const CreateBuffer &create_buffer = create_memfd);
    const VmafxFrameImport &desc() const { return desc_; }
    /** Import of the luma plane alone. */
    VmafxFrameImport luma_desc() const;
    /** Puts another picture of the same kind into the same memory. */
    void refill(const Picture &picture);
    size_t buffers() const { return contents_.size(); }
    const Descriptor &buffer(size_t i) const { return descriptors_.at(i); }

  private:
    void place(const Picture &picture);
    void bind_addresses();
    void bind_descriptors(Sharing sharing, const CreateBuffer &create_buffer);

    LayoutFacts layout_;
    Spacing spacing_;
    std::vector<size_t> buffer_of_; /* per plane */
    std::vector<std::vector<uint8_t>> contents_;
    std::vector<ProducerMemory> memories_;
    std::vector<Descriptor> descriptors_;
    std::vector<Descriptor> duplicates_;
    VmafxFrameImport desc_;
};

} // namespace support

#endif
