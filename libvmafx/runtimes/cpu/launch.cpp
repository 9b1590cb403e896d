/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Launches of kernels: the tiles of the grid are the parts of a command.
 */
#include <algorithm>
#include <array>
#include <cstring>

#include "abi/packed_arguments.h"
#include "engine.h"
#include "errors.h"

namespace vmafx::cpu
{

namespace
{

using namespace hip;

constexpr int kGarbage = 0xa5;
/* Takes of a worker per kernel: few enough to be cheap, many enough to end together. */
constexpr uint64_t kTakesPerWorker = 16;
/* Of the blocks and grids of a launch, as on GPUs. */
constexpr uint64_t kMaxThreads = UINT32_MAX;

struct Grid {
    uint32_t x, y, z;
};

class KernelWork final : public Work
{
  public:
    KernelWork(std::shared_ptr<const Function> function, const void *arguments, Grid grid)
        : function_(std::move(function)), grid_(grid), tiles_(uint64_t{grid.x} * grid.y * grid.z)
    {
        const Engine &engine = Engine::get();
        poison_ = engine.poison();
        grain_ = std::max<uint64_t>(1, tiles_ / (engine.scheduler.workers() * kTakesPerWorker));
        const size_t bytes = function_->kernel->args_size;
        void *copy = small_.data();
        if (bytes > small_.size()) {
            large_ = allocate_aligned(WorkerMemory::kAlignment, bytes);
            if (!large_)
                throw std::bad_alloc();
            copy = large_.get();
        }
        if (bytes != 0)
            std::memcpy(copy, arguments, bytes);
        arguments_ = copy;
    }

    Nature nature() const override { return Nature::kernel; }
    uint64_t parts() const override { return tiles_; }
    uint64_t grain() const override { return grain_; }

    void run(uint64_t first, uint64_t end, WorkerMemory &memory) override
    {
        const vx::CpuKernel &kernel = *function_->kernel;
        void *tile = memory.tile(kernel.tile_size);
        if (!tile) {
            Engine::get().scheduler.set_fault(hipErrorOutOfMemory);
            return;
        }
        for (uint64_t i = first; i < end; ++i) {
            if (poison_)
                std::memset(tile, kGarbage, kernel.tile_size);
            const uint64_t row = i / grid_.x;
            kernel.run(arguments_, tile, static_cast<uint32_t>(i % grid_.x),
                       static_cast<uint32_t>(row % grid_.y), static_cast<uint32_t>(row / grid_.y));
        }
    }

  private:
    std::shared_ptr<const Function> function_; /* and with it the module */
    Grid grid_;
    uint64_t tiles_;
    uint64_t grain_;
    bool poison_;
    const void *arguments_;
    AlignedMemory large_;
    alignas(WorkerMemory::kAlignment) std::array<std::byte, 256> small_;
};

/** Null unless they are at least `needed` bytes. */
const void *packed_arguments(void **extra, size_t needed)
{
    abi::PackedArguments packed;
    return abi::read_extra(extra, packed) && packed.bytes >= needed ? packed.data : nullptr;
}

hipError_t find_arguments(const vx::CpuKernel &kernel, void **arguments, void **extra,
                          const void *&found)
{
    if (arguments && extra)
        return hipErrorInvalidValue;
    if (extra)
        found = packed_arguments(extra, kernel.args_size);
    else if (arguments)
        found = arguments[0];
    return found || kernel.args_size == 0 ? hipSuccess : hipErrorInvalidValue;
}

bool valid_shape(Grid grid, Grid block)
{
    if (!grid.x || !grid.y || !grid.z || !block.x || !block.y || !block.z)
        return false;
    const uint64_t threads_x = uint64_t{grid.x} * block.x;
    const uint64_t threads_y = uint64_t{grid.y} * block.y;
    const uint64_t threads_z = uint64_t{grid.z} * block.z;
    uint64_t tiles = 0;
    return threads_x <= kMaxThreads && threads_y <= kMaxThreads && threads_z <= kMaxThreads &&
           !__builtin_mul_overflow(uint64_t{grid.x} * grid.y, uint64_t{grid.z}, &tiles) &&
           tiles <= INT64_MAX;
}

} // namespace

} // namespace vmafx::cpu

namespace vmafx::hip
{

using cpu::Engine;

/* A tile is run by one thread whatever the block is, but a shape that a GPU refuses is refused. */
extern "C" hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned int grid_x,
                                            unsigned int grid_y, unsigned int grid_z,
                                            unsigned int block_x, unsigned int block_y,
                                            unsigned int block_z, unsigned int shared_bytes,
                                            hipStream_t stream, void **arguments, void **extra)
{
    return cpu::entry([&] {
        Engine &engine = Engine::get();
        const auto found = engine.functions.find(function);
        const cpu::StreamRef on = engine.stream(stream);
        if (!found || !on)
            return hipErrorInvalidHandle;
        const cpu::Grid grid = {grid_x, grid_y, grid_z};
        if (!cpu::valid_shape(grid, {block_x, block_y, block_z}))
            return hipErrorInvalidConfiguration;
        /* Tile memory is part of the kernel. */
        if (shared_bytes != 0)
            return hipErrorInvalidValue;
        const void *data = nullptr;
        if (const hipError_t error = cpu::find_arguments(*found->kernel, arguments, extra, data);
            error != hipSuccess)
            return error;
        const hipError_t error =
            engine.submit(*on, std::make_unique<cpu::KernelWork>(found, data, grid));
        if (error == hipSuccess)
            found->launches->fetch_add(1, std::memory_order_relaxed);
        return error;
    });
}

} // namespace vmafx::hip
