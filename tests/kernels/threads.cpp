/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernels/threads.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

#include <ucontext.h>

namespace vmafx_test
{

namespace
{

constexpr size_t kStackBytes = 256 * 1024;
constexpr int kWarp = 32;

/** Threads that wait for each other. */
struct Meeting {
    int arrived = 0;
    uint64_t round = 0;
};

/** What the lanes of a warp bring to a product. Two of each: the first lanes to go on may be at the
 *  next product while the last ones still read this one. */
struct WarpOperands {
    uint32_t left[2][kWarp][4];
    uint32_t right[2][kWarp][2];
    uint64_t products[kWarp] = {};
};

class WorkGroup;
WorkGroup *running = nullptr;

class WorkGroup
{
  public:
    WorkGroup(const GpuThreadsKernel &kernel, const void *args, void *tile, ThreadPlace place)
        : kernel_(kernel), args_(args), tile_(tile), place_(place),
          threads_(static_cast<size_t>(kernel.threads)), warps_(threads_.size() / kWarp),
          operands_(warps_.size())
    {
        for (Thread &thread : threads_) {
            thread.stack = std::make_unique<std::byte[]>(kStackBytes);
            getcontext(&thread.context);
            thread.context.uc_stack = {thread.stack.get(), 0, kStackBytes};
            thread.context.uc_link = &scheduler_;
            makecontext(&thread.context, start, 0);
        }
    }

    void run()
    {
        running = this;
        for (bool alive = true; alive;) {
            const uint64_t before = steps_;
            alive = false;
            for (current_ = 0; current_ < threads_.size(); ++current_) {
                if (threads_[current_].ended)
                    continue;
                alive = true;
                swapcontext(&scheduler_, &threads_[current_].context);
            }
            if (alive && steps_ == before)
                throw std::runtime_error("threads of a work-group wait for others that have ended");
        }
    }

    void meet(Meeting &meeting, int members)
    {
        const uint64_t round = meeting.round;
        ++steps_;
        if (++meeting.arrived == members) {
            meeting.arrived = 0;
            ++meeting.round;
            return;
        }
        while (meeting.round == round)
            swapcontext(&threads_[current_].context, &scheduler_);
        ++steps_;
    }

    void meet_group() { meet(group_, kernel_.threads); }

    void multiply_add(uint32_t (&sums)[4], const uint32_t (&left)[4], uint32_t right0,
                      uint32_t right1)
    {
        const size_t warp = current_ / kWarp, lane = current_ % kWarp;
        WarpOperands &operands = operands_[warp];
        const size_t turn = operands.products[lane]++ % 2;
        std::memcpy(operands.left[turn][lane], left, sizeof(left));
        operands.right[turn][lane][0] = right0;
        operands.right[turn][lane][1] = right1;
        meet(warps_[warp], kWarp);
        for (size_t k = 0; k < 4; ++k) {
            const size_t row = lane / 4 + 8 * (k / 2), column = lane % 4 * 2 + k % 2;
            for (size_t i = 0; i < 32; ++i)
                sums[k] += left_at(operands, turn, row, i) * right_at(operands, turn, i, column);
        }
    }

  private:
    struct Thread {
        ucontext_t context;
        std::unique_ptr<std::byte[]> stack;
        bool ended = false;
    };

    static uint32_t left_at(const WarpOperands &o, size_t turn, size_t row, size_t column)
    {
        const size_t lane = row % 8 * 4 + column % 16 / 4;
        const size_t word = row / 8 + column / 16 * 2;
        return o.left[turn][lane][word] >> (column % 4 * 8) & 0xffu;
    }
    static uint32_t right_at(const WarpOperands &o, size_t turn, size_t row, size_t column)
    {
        const size_t lane = column * 4 + row % 16 / 4;
        return o.right[turn][lane][row / 16] >> (row % 4 * 8) & 0xffu;
    }

    static void start()
    {
        WorkGroup &group = *running;
        const size_t thread = group.current_;
        ThreadPlace place = group.place_;
        place.thread = static_cast<int>(thread);
        group.kernel_.run(group.args_, group.tile_, place);
        group.threads_[thread].ended = true;
        ++group.steps_;
    }

    const GpuThreadsKernel &kernel_;
    const void *args_;
    void *tile_;
    ThreadPlace place_;
    ucontext_t scheduler_;
    std::vector<Thread> threads_;
    Meeting group_;
    std::vector<Meeting> warps_;
    std::vector<WarpOperands> operands_;
    size_t current_ = 0;
    uint64_t steps_ = 0;
};

struct Free {
    void operator()(void *memory) const { std::free(memory); }
};

} // namespace

void wait_for_group()
{
    running->meet_group();
}

void GpuThreadsKernel::launch(const void *args, uint32_t groups_x, uint32_t groups_y) const
{
    constexpr size_t kAlignment = 256;
    constexpr int kRubbish = 0xA5;
    const size_t bytes = (tile_size + kAlignment - 1) / kAlignment * kAlignment;
    const std::unique_ptr<void, Free> tile(std::aligned_alloc(kAlignment, bytes));
    for (uint32_t y = 0; y < groups_y; ++y) {
        for (uint32_t x = 0; x < groups_x; ++x) {
            std::memset(tile.get(), kRubbish, bytes);
            WorkGroup(*this, args, tile.get(), {x, y, 0, 0}).run();
        }
    }
}

} // namespace vmafx_test

void vx::multiply_add_of_warp(uint32_t (&sums)[4], const uint32_t (&left)[4], uint32_t right0,
                              uint32_t right1)
{
    vmafx_test::running->multiply_add(sums, left, right0, right1);
}
