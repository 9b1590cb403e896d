/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Real dma-bufs and fences of the kernel's virtual GEM driver.
 */
#ifndef TESTS_KERNEL_VGEM_H
#define TESTS_KERNEL_VGEM_H

#include <cstdint>
#include <span>

#include "support/shared_memory.h"

enum class Access { kRead, kWrite };

/** vgem's card. Children of this process share its fences. */
class Vgem
{
  public:
    Vgem();

    int fd() const { return card_.get(); }

    /** A dma-buf of whole pages with that contents. */
    support::Descriptor create_buffer(std::span<const uint8_t> contents) const;
    support::Descriptor create_buffer(uint64_t bytes) const;
    /** The same, of which a mapping can only be read. */
    support::Descriptor create_read_only_buffer(std::span<const uint8_t> contents) const;

    /** Adds a pending fence to a buffer of vgem's. The kernel signals it after 10 s if nobody does.
     */
    uint32_t attach_fence(const support::Descriptor &buffer, Access access) const;
    void signal(uint32_t fence) const;

    /** Another descriptor of the buffer, as a driver's export call gives it. */
    support::Descriptor export_again(const support::Descriptor &buffer) const;

  private:
    support::Descriptor export_handle(uint32_t handle, uint32_t flags) const;
    uint32_t create_handle(uint64_t bytes) const;
    uint32_t handle_of(const support::Descriptor &buffer) const;
    void close_handle(uint32_t handle) const;

    support::Descriptor card_;
};

/** What whoever accesses the buffer that way has to wait for, as a sync_file. */
support::Descriptor export_sync_file(const support::Descriptor &buffer, Access access);

/** Adds what a sync_file waits for to what such an access of the buffer does. */
void import_sync_file(const support::Descriptor &buffer, const support::Descriptor &sync_file,
                      Access access);

/** A sync_file that is signalled once both are. */
support::Descriptor merge_sync_files(const support::Descriptor &a, const support::Descriptor &b);

/** A pending fence in a sync_file of its own. */
class PendingFence
{
  public:
    explicit PendingFence(const Vgem &vgem);
    int fd() const { return sync_file_.get(); }
    const support::Descriptor &descriptor() const { return sync_file_; }
    void signal() const { vgem_.signal(fence_); }

  private:
    const Vgem &vgem_;
    support::Descriptor buffer_;
    uint32_t fence_;
    support::Descriptor sync_file_;
};

#endif
