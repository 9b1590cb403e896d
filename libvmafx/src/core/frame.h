/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A picture on the device. An import binds the producer's memory; what has to be uploaded or
 * converted is done plane by plane when a context first needs the plane.
 */
#ifndef VMAFX_CORE_FRAME_H
#define VMAFX_CORE_FRAME_H

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include <libvmafx/frame.h>

#include "core/fence.h"
#include "core/import_check.h"
#include "core/marks.h"
#include "core/release.h"
#include "core/sync_file.h"
#include "hip/block_pool.h"
#include "hip/device.h"
#include "hip/import_cache.h"
#include "kernels/planarise.h"

/** Reference counted; see frame.h of the API. */
struct VmafxFrame {
  public:
    /** Binds the planes. wanted: bit p for planes that will be asked for; other HOST planes are not
     *  staged. Throws; then nothing was enqueued and the callback will not run. */
    static VmafxFrame *import(std::shared_ptr<vmafx::Device> device, const VmafxFrameImport &desc,
                              uint32_t wanted);
    VmafxFrame *ref();
    void unref();

    const vmafx::PictureFormat &format() const { return format_; }
    const vmafx::ColourTags &colour() const { return view_.colour; }
    const vmafx::Layout &layout() const { return *layout_; }
    uint32_t memory() const { return memory_; }
    uint32_t layout_number() const { return layout_number_; } /* VMAFX_LAYOUT_* */
    vmafx::Device &device() { return *device_; }
    const vmafx::Device &device() const { return *device_; }

    /** Bit p: plane p was handed over. */
    uint32_t available() const { return available_; }
    /** Bits of source planes that are, or would be, written by a conversion kernel. */
    uint32_t converted_sources() const;
    /** Those of them whose source is tiled. */
    uint32_t tiled_sources() const;
    uint32_t source_planes() const { return source_count_; }

    /** Gives the frame an owner of its memory, which goes when the last reference has gone and all
     *  reads are enqueued. */
    void keep(std::shared_ptr<void> owner) { kept_ = std::move(owner); }

    /** Enqueues what the planes still need; afterwards they may be read on the library stream. */
    vmafx::PictureView materialise(uint32_t planes);

    /** A context is going to enqueue reads of the planes, or of what they are converted to. */
    void begin_read() noexcept { ++reads_begun_; }
    /** Those of that many begin_read() are seen to be done. */
    void end_reads(uint32_t count) noexcept { reads_done_ += count; }

    /** Stamps of the uploads and conversions that nobody has seen yet. */
    void add_stamps(std::vector<vmafx::Stamp> &stamps);
    /** Enqueues those again whose stamp is among the lost ones. */
    void materialise_again(std::span<const uint64_t> lost);
    /** These stamps have arrived. */
    void settle(std::span<const uint64_t> seen);

  private:
    /** DMABUF: what is behind each plane's descriptor. */
    using Buffers = std::array<vmafx::BufferInfo, VMAFX_MAX_PLANES>;
    struct Source {
        vmafx::PlaneView view; /* device memory, or staging memory until uploaded */
        vmafx::SourcePlane extent{};
        std::optional<TileLayout> tiles;         /* nothing: linear */
        std::shared_ptr<vmafx::Mapping> mapping; /* DMABUF */
        vmafx::Staging staging;                  /* HOST, until the upload has been seen */
        vmafx::Block block; /* HOST, once uploaded, a stamp ends it; DEVICE_ARRAY */
        size_t staged_pitch = 0;
        uint64_t stamp = 0; /* of the upload; 0: none, or seen */

        size_t bytes() const { return staged_pitch * extent.rows; }
    };
    /** What a conversion kernel writes; its mark ends the block. */
    struct Converted {
        vmafx::Block block;
        size_t bytes = 0;   /* of samples */
        uint64_t stamp = 0; /* 0: none, or seen */
    };

    VmafxFrame(std::shared_ptr<vmafx::Device> device, const VmafxFrameImport &desc,
               const vmafx::CheckedImport &checked);
    ~VmafxFrame();

    void bind_host(const VmafxFrameImport &desc, uint32_t wanted);
    void bind(const VmafxFrameImport &desc, const Buffers &buffers, uint32_t wanted);
    void bind_dmabuf(const VmafxPlane &plane, const vmafx::BufferInfo &buffer, uint32_t i);
    Buffers check_planes(const VmafxFrameImport &desc) const;
    vmafx::BufferInfo check_dmabuf(const VmafxPlane &plane, uint32_t i) const;
    void enqueue_import(const VmafxFrameImport &desc);
    void copy_arrays(const VmafxFrameImport &desc);
    uint32_t narrow_to(uint32_t wanted);
    static size_t own_pitch(uint64_t row_bytes); /* of planes in the library's memory */
    size_t staging_pitch(uint64_t row_bytes) const;
    void upload(Source &source);
    void enqueue_upload(Source &source);
    void allocate_converted(Converted &target, const Source &source, size_t bytes);
    void convert_chroma();
    void convert_plane(uint32_t plane);
    void count_conversion(const Source &source);
    vmafx::SampleLayout samples() const;
    uint32_t source_of(uint32_t plane) const { return plane && layout_->semi_planar ? 1 : plane; }
    bool has_memory() const; /* of the library */
    void give_memory_back() noexcept;
    void give_idle_memory_back() noexcept;

    std::atomic<uint32_t> references_{1};
    /* While they differ, or are 0, the stream alone knows when the device is done with the planes.
     */
    std::atomic<uint32_t> reads_begun_{0}, reads_done_{0};
    const std::shared_ptr<vmafx::Device> device_;
    std::shared_ptr<void> kept_;
    const vmafx::Layout *layout_;
    vmafx::PictureFormat format_;
    uint32_t layout_number_;
    uint32_t memory_;
    uint32_t source_count_;
    uint32_t available_ = 0;

    std::mutex lock_; /* of what materialise() changes */
    uint32_t ready_ = 0;
    Source source_[VMAFX_MAX_PLANES];
    vmafx::PictureView view_;
    Converted converted_[3]; /* by plane; both interleaved ones in that of the first */

    std::unique_ptr<vmafx::Release> owed_; /* to the producer, once imported */
};

namespace vmafx
{

/** A reference to a frame; may be empty. */
class FrameRef
{
  public:
    FrameRef() = default;
    explicit FrameRef(VmafxFrame *frame) : frame_(frame ? frame->ref() : nullptr) {}
    FrameRef(FrameRef &&other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
    FrameRef &operator=(FrameRef &&other) noexcept
    {
        std::swap(frame_, other.frame_);
        return *this;
    }
    FrameRef(const FrameRef &other) : FrameRef(other.frame_) {}
    FrameRef &operator=(const FrameRef &other)
    {
        FrameRef copy(other);
        std::swap(frame_, copy.frame_);
        return *this;
    }
    ~FrameRef()
    {
        if (frame_)
            frame_->unref();
    }
    VmafxFrame *get() const { return frame_; }
    VmafxFrame *operator->() const { return frame_; }
    explicit operator bool() const { return frame_ != nullptr; }

  private:
    VmafxFrame *frame_ = nullptr;
};

/** What the acquire fence says now. Throws for a fence that cannot be taken. */
FenceState acquire_state(const Device &device, const VmafxFrameImport &desc);
/** Waits for it. kPending: the time ran out. */
FenceState wait_for_acquire(const Device &device, const VmafxFrameImport &desc,
                            std::chrono::nanoseconds timeout);

} // namespace vmafx

#endif
