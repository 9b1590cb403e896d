/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A picture's memory in the hands of a producer.
 */
#ifndef TESTS_HOSTILE_SURFACE_H
#define TESTS_HOSTILE_SURFACE_H

#include <memory>
#include <optional>
#include <vector>

#include "supply.h"
#include "support/shared_memory.h"

/** Memory of one kind that pictures of a format fit in. */
class SurfaceMemory
{
  public:
    SurfaceMemory(const Format &format, uint32_t memory, Random &random);
    ~SurfaceMemory();
    SurfaceMemory(const SurfaceMemory &) = delete;
    SurfaceMemory &operator=(const SurfaceMemory &) = delete;

    const VmafxFrameImport &desc() const { return desc_; }
    void write_now(const std::vector<support::PackedPlane> &planes);
    /** Not for arrays. upload: as a copy from the host. */
    void write_later(const std::vector<support::PackedPlane> &planes,
                     vmafx::hip::hipStream_t stream, bool upload);
    void scribble();

  private:
    void lay_out(const std::vector<support::PackedPlane> &planes, uint32_t pad);
    void make_arrays(const std::vector<support::PackedPlane> &planes, const Format &format);
    void map_memfd(std::vector<uint8_t> &garbage);
    uint8_t *row(uint32_t plane) const { return base_ + desc_.plane[plane].offset; }

    VmafxFrameImport desc_;
    uint8_t *base_ = nullptr; /* as the producer writes it */
    std::vector<uint64_t> pitch_;
    std::vector<uint8_t> host_;
    std::vector<vmafx::hip::hipArray_t> arrays_;
    std::optional<support::Descriptor> memfd_;
    vmafx::hip::hipExternalMemory_t external_ = nullptr;
};

class Surface
{
  public:
    Surface(Producer &producer, Ledger &ledger, const Format &format, const Habits &habits,
            Random &random);
    ~Surface();

    /** Whether the producer is told that nothing reads the surface; if so it will fill it. */
    bool reclaim();
    /** After the last frame: whether the release came, without a call of the library. */
    bool released() const;
    /** An import that waits for a release event of a frame that lives is refused. */
    void try_early(const Surface &other, const support::Device &device) const;
    support::Frame fill_and_import(const std::vector<support::PackedPlane> &planes,
                                   const support::Device &device);

  private:
    bool reclaim_event();
    void fill(const std::vector<support::PackedPlane> &planes);
    support::Frame import(const support::Device &device);
    support::Frame import_after_fence(VmafxFrameImport desc, const support::Device &device);

    Producer &producer_;
    Ledger &ledger_;
    const Habits habits_;
    Random &random_;
    SurfaceMemory memory_;
    Point written_, read_[2];
    uint32_t turn_ = 0; /* the event that is used */
    support::Fence released_;
    Ledger::Entry *entry_ = nullptr; /* of the import that uses it */
    const support::Device *device_ = nullptr;
};

#endif
