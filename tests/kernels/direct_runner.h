/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Runs kernels and plans straight from an x86-64 image, with no runtime in between: memory is the
 * host's, a launch runs its tiles one after the other on the calling thread.
 */
#ifndef VMAFX_TESTS_DIRECT_RUNNER_H
#define VMAFX_TESTS_DIRECT_RUNNER_H

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "features/feature.h"
#include "kernels/cpu_image.h"

namespace vmafx_test
{

class DirectRunner final : public vmafx::PlanDevice, public vmafx::PlanStream
{
  public:
    /** An image of the library: "x86-64-v2", "x86-64-v3", "x86-64-v4". Throws if there is none. */
    static std::unique_ptr<DirectRunner> of_target(std::string_view target);

    /** The test image with the tile shapes of GPUs (the file named by VMAFX_GPU_TILES_IMAGE). */
    static std::unique_ptr<DirectRunner> of_gpu_tiles();

    /** true if this machine can run a target. */
    static bool can_run(std::string_view target);

    /** Names for of_name(): the targets that can be run here, and "gpu-tiles" where it exists. */
    static std::vector<std::string> names();
    static std::unique_ptr<DirectRunner> of_name(const std::string &name);

    /** All kernels of the image. */
    std::vector<const vx::CpuKernel *> kernels() const;

    /** Off for measurements: tiles are not filled with rubbish before each run. */
    void set_poison(bool on) { poison_ = on; }

    bool cpu_tiles() const override { return cpu_tiles_; }
    uint32_t multiprocessors() const override { return multiprocessors_; }
    /** Of the device that plans are made for from now on. */
    void set_multiprocessors(uint32_t count) { multiprocessors_ = count; }
    const vmafx::Kernel *kernel(const char *name) override; /* throws if there is none */
    void *allocate(size_t bytes) override;                  /* filled with rubbish */
    void *upload(const void *data, size_t bytes) override;

    using PlanStream::launch;
    void launch(const vmafx::Kernel *kernel, const vmafx::Grid &grid, const void *args,
                size_t size) override;
    void clear(void *device, size_t bytes) override;

    template <class Args> void run(const char *name, const vmafx::Grid &grid, const Args &args)
    {
        launch(kernel(name), grid, &args, sizeof(args));
    }

  private:
    struct Close {
        void operator()(void *handle) const;
    };
    struct Free {
        void operator()(void *memory) const;
    };
    using Memory = std::unique_ptr<void, Free>;

    DirectRunner(const char *path, bool cpu_tiles);
    static Memory aligned_memory(size_t bytes);

    std::unique_ptr<void, Close> handle_;
    const vx::CpuImage *image_ = nullptr;
    bool cpu_tiles_;
    uint32_t multiprocessors_ = 2;
    bool poison_ = true;
    std::vector<Memory> buffers_;
    Memory tile_;
    size_t tile_bytes_ = 0;
};

} // namespace vmafx_test

#endif
