/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernels/direct_runner.h"

#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kernels/images.h"

namespace vmafx_test
{

namespace
{

constexpr size_t kAlignment = 256; /* of device memory */
constexpr int kRubbish = 0xa5;
constexpr uint64_t kMarkValue = 0x0123456789abcdef;

[[noreturn]] void broken(const std::string &what)
{
    throw std::runtime_error(what);
}

/** A file in memory, closed when the image is open. */
class MemoryFile
{
  public:
    explicit MemoryFile(std::span<const std::byte> bytes) : fd_(memfd_create("image", MFD_CLOEXEC))
    {
        if (fd_ < 0 || write(fd_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
            broken("cannot write an image to memory");
    }
    ~MemoryFile() { close(fd_); }
    MemoryFile(const MemoryFile &) = delete;
    MemoryFile &operator=(const MemoryFile &) = delete;

    std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

  private:
    int fd_;
};

} // namespace

void DirectRunner::Close::operator()(void *handle) const
{
    dlclose(handle);
}
void DirectRunner::Free::operator()(void *memory) const
{
    std::free(memory);
}

DirectRunner::Memory DirectRunner::aligned_memory(size_t bytes)
{
    const size_t rounded = (bytes + kAlignment) / kAlignment * kAlignment;
    Memory memory(std::aligned_alloc(kAlignment, rounded));
    if (!memory)
        broken("out of memory");
    std::memset(memory.get(), kRubbish, rounded);
    return memory;
}

DirectRunner::DirectRunner(const char *path, bool cpu_tiles)
    : handle_(dlopen(path, RTLD_NOW | RTLD_LOCAL)), cpu_tiles_(cpu_tiles)
{
    if (!handle_)
        broken(dlerror());
    image_ = static_cast<const vx::CpuImage *>(dlsym(handle_.get(), VX_CPU_IMAGE_SYMBOL));
    if (!image_ || image_->magic != vx::kCpuImageMagic || image_->abi != vx::kCpuImageAbi)
        broken(std::string(path) + " is no image of kernels");
}

std::unique_ptr<DirectRunner> DirectRunner::of_target(std::string_view target)
{
    const vmafx::Image *image = vmafx::image_for(target);
    if (!image || image->kind != vmafx::ImageKind::kX86)
        broken("no image for " + std::string(target));
    const vmafx::UnpackedImage unpacked = image->unpack();
    const MemoryFile file(unpacked.bytes());
    return std::unique_ptr<DirectRunner>(new DirectRunner(file.path().c_str(), true));
}

std::unique_ptr<DirectRunner> DirectRunner::of_gpu_tiles()
{
    const char *path = std::getenv("VMAFX_GPU_TILES_IMAGE");
    if (!path)
        broken("VMAFX_GPU_TILES_IMAGE is not set");
    return std::unique_ptr<DirectRunner>(new DirectRunner(path, false));
}

bool DirectRunner::can_run(std::string_view target)
{
    if (target == "x86-64-v4")
        return __builtin_cpu_supports("x86-64-v4");
    if (target == "x86-64-v3")
        return __builtin_cpu_supports("x86-64-v3");
    return target == "x86-64-v2" && __builtin_cpu_supports("x86-64-v2");
}

std::vector<std::string> DirectRunner::names()
{
    std::vector<std::string> names;
    for (const vmafx::Image &image : vmafx::all_images()) {
        if (image.kind == vmafx::ImageKind::kX86 && can_run(image.target))
            names.push_back(image.target);
    }
    if (std::getenv("VMAFX_GPU_TILES_IMAGE") && can_run("x86-64-v3"))
        names.push_back("gpu-tiles");
    return names;
}

std::unique_ptr<DirectRunner> DirectRunner::of_name(const std::string &name)
{
    return name == "gpu-tiles" ? of_gpu_tiles() : of_target(name);
}

std::vector<const vx::CpuKernel *> DirectRunner::kernels() const
{
    return {image_->begin, image_->end};
}

const vmafx::Kernel *DirectRunner::kernel(const char *name)
{
    for (auto at = image_->begin; at != image_->end; ++at) {
        if (std::strcmp((*at)->name, name) == 0)
            return reinterpret_cast<const vmafx::Kernel *>(*at);
    }
    broken(std::string("the image has no kernel ") + name);
}

void *DirectRunner::allocate(size_t bytes)
{
    buffers_.push_back(aligned_memory(bytes));
    return buffers_.back().get();
}

void *DirectRunner::upload(const void *data, size_t bytes)
{
    void *memory = allocate(bytes);
    std::memcpy(memory, data, bytes);
    return memory;
}

void DirectRunner::launch(const vmafx::Kernel *kernel, const vmafx::Grid &grid, const void *args,
                          size_t size)
{
    const auto *cpu = reinterpret_cast<const vx::CpuKernel *>(kernel);
    uint64_t word = ~kMarkValue;
    const vx::Mark mark = {&word, kMarkValue};
    const size_t at = (size + alignof(vx::Mark) - 1) / alignof(vx::Mark) * alignof(vx::Mark);
    if (at + sizeof(mark) != cpu->args_size)
        broken(std::string(cpu->name) + ": the size of its arguments differs");
    const Memory marked = aligned_memory(cpu->args_size);
    std::memcpy(marked.get(), args, size);
    std::memcpy(static_cast<char *>(marked.get()) + at, &mark, sizeof(mark));
    if (tile_bytes_ < cpu->tile_size) {
        tile_ = aligned_memory(cpu->tile_size);
        tile_bytes_ = cpu->tile_size;
    }
    for (uint32_t z = 0; z < grid.z; ++z) {
        for (uint32_t y = 0; y < grid.y; ++y) {
            for (uint32_t x = 0; x < grid.x; ++x) {
                if (poison_)
                    std::memset(tile_.get(), kRubbish, cpu->tile_size);
                cpu->run(marked.get(), tile_.get(), x, y, z);
            }
        }
    }
    if (word != kMarkValue)
        broken(std::string(cpu->name) + " left no mark");
}

void DirectRunner::clear(void *device, size_t bytes)
{
    std::memset(device, 0, bytes);
}

} // namespace vmafx_test
