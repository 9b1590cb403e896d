/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Device memory for frames that a producer fills: lent to the producer, then to a frame, and back.
 */
#ifndef VMAFX_CORE_FRAME_POOL_H
#define VMAFX_CORE_FRAME_POOL_H

#include <chrono>
#include <deque>
#include <memory>
#include <mutex>

#include <libvmafx/frame_pool.h>

#include "core/frame.h"
#include "hip/block_pool.h"
#include "hip/device.h"

namespace vmafx
{

/** Thread-safe. Held by its handle and by all that it lent, so that it outlives its handle. */
class FramePool : public std::enable_shared_from_this<FramePool>
{
  public:
    static std::shared_ptr<FramePool> create(std::shared_ptr<Device> device,
                                             const VmafxFramePoolDesc &desc);
    ~FramePool();
    FramePool(const FramePool &) = delete;
    FramePool &operator=(const FramePool &) = delete;

    /** A frame's memory out of the pool, which goes back at the end. */
    class Loan
    {
      public:
        explicit Loan(std::shared_ptr<FramePool> pool) : pool_(std::move(pool)) {}
        ~Loan()
        {
            if (block_.memory)
                pool_->take_back(std::move(block_), read_);
        }
        Loan(const Loan &) = delete;
        Loan &operator=(const Loan &) = delete;

        FramePool &pool() const { return *pool_; }
        const Block &block() const { return block_; }

      private:
        friend FramePool;
        std::shared_ptr<FramePool> pool_;
        Block block_;
        bool read_ = false; /* by work on the library stream */
    };

    /** Throws E_BUSY "pool" when all are lent. */
    std::shared_ptr<Loan> acquire();

    Device &device() const { return *device_; }
    VmafxPoolFrameInfo describe(const Block &block) const;
    /** Makes a frame of a loan; on failure the loan stays as it is. */
    VmafxFrame *submit(std::shared_ptr<Loan> &loan, const VmafxFenceDesc &ready);

  private:
    FramePool(std::shared_ptr<Device> device, const VmafxFramePoolDesc &desc);
    void lay_out(const Layout &layout);
    VmafxFrameImport import_of(const Block &block) const;
    void take_back(Block block, bool read) noexcept;
    void give_up(const char *why) noexcept;

    const std::shared_ptr<Device> device_;
    VmafxFrameImport format_; /* planes: offset from the block's start, pitch, size */
    uint64_t bytes_ = 0;      /* of a frame */
    std::mutex lock_;
    std::deque<Block> free_; /* the one that came back first is lent first */
    bool lost_ = false;      /* one did not come back */
};

} // namespace vmafx

/** A loan in its producer's hands; see frame_pool.h of the API. */
struct VmafxPoolFrame {
    std::shared_ptr<vmafx::FramePool::Loan> loan;

    /** false: the limit passed, and the memory is still read. */
    bool wait_writable(std::chrono::nanoseconds limit) const;
};

struct VmafxFramePool {
    std::shared_ptr<vmafx::FramePool> pool;
};

#endif
