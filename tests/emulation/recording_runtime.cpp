/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The CPU runtime as one of GPUs, which keeps every launch: the arguments, and the buffers they
 * point to before and after it. Kernels have the tile shapes of GPUs. What is not defined here the
 * dynamic linker finds in the CPU runtime. The folder is named by VMAFX_RECORD; docs/emulation.md
 * has its format.
 */
#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "abi/packed_arguments.h"
#include "hip/hip_abi.h"
#include "support/wrapped_runtime.h"

namespace vmafx::hip
{

using support::forwarded;

namespace
{

[[noreturn]] void give_up(const std::string &what)
{
    std::fprintf(stderr, "recording: %s\n", what.c_str());
    std::abort();
}

void write_file(const std::filesystem::path &path, const void *data, size_t bytes)
{
    std::ofstream file(path, std::ios::binary);
    file.write(static_cast<const char *>(data), static_cast<std::streamsize>(bytes));
    file.close();
    if (!file)
        give_up("cannot write " + path.string());
}

/** A buffer that an argument points into. */
struct Buffer {
    uint64_t address = 0;
    size_t bytes = 0;

    const void *data() const { return reinterpret_cast<const void *>(address); }
};

class Recorder
{
  public:
    static Recorder &get()
    {
        static Recorder recorder;
        return recorder;
    }

    void name_function(hipFunction_t function, const char *name)
    {
        std::lock_guard lock(mutex_);
        names_[function] = name;
    }
    void add(const void *address, size_t bytes)
    {
        std::lock_guard lock(mutex_);
        buffers_[reinterpret_cast<uint64_t>(address)] = bytes;
    }
    void remove(const void *address)
    {
        std::lock_guard lock(mutex_);
        buffers_.erase(reinterpret_cast<uint64_t>(address));
    }

    /** Starts the record of a launch; an empty path if one like it was kept before. */
    std::filesystem::path begin(hipFunction_t function, const unsigned (&grid)[3],
                                const unsigned (&block)[3], std::span<const uint64_t> arguments,
                                std::vector<Buffer> &buffers)
    {
        std::lock_guard lock(mutex_);
        const std::string &name = names_[function];
        std::string likeness = name;
        for (const unsigned n : grid)
            likeness += ' ' + std::to_string(n);
        /* Without the last word, the value of the mark, which no two launches share. */
        for (const uint64_t word : arguments.first(arguments.size() - 1)) {
            const Buffer buffer = containing(word);
            if (buffer.bytes == 0) {
                likeness += ' ' + std::to_string(word);
                continue;
            }
            bool known = false;
            for (const Buffer &other : buffers)
                known = known || other.address == buffer.address;
            if (!known)
                buffers.push_back(buffer);
        }
        if (!seen_.insert(likeness).second)
            return {};
        char number[16];
        std::snprintf(number, sizeof(number), "%05zu-", seen_.size());
        const std::filesystem::path path = folder_ / (number + name);
        std::filesystem::create_directories(path);
        describe(path, name, grid, block, arguments, buffers);
        return path;
    }

  private:
    Recorder()
    {
        const char *folder = std::getenv("VMAFX_RECORD");
        if (!folder)
            give_up("VMAFX_RECORD names no folder");
        folder_ = folder;
    }

    Buffer containing(uint64_t address) const
    {
        auto at = buffers_.upper_bound(address);
        if (at == buffers_.begin())
            return {};
        --at;
        return address - at->first < at->second ? Buffer{at->first, at->second} : Buffer{};
    }

    static void describe(const std::filesystem::path &path, const std::string &name,
                         const unsigned (&grid)[3], const unsigned (&block)[3],
                         std::span<const uint64_t> arguments, std::span<const Buffer> buffers)
    {
        std::string text = "{\"kernel\": \"" + name + "\",\n";
        char line[128];
        std::snprintf(line, sizeof(line),
                      " \"grid\": [%u, %u, %u], \"block\": [%u, %u, %u],\n \"arguments\": [",
                      grid[0], grid[1], grid[2], block[0], block[1], block[2]);
        text += line;
        for (const uint64_t &word : arguments)
            text += (&word == arguments.data() ? "" : ", ") + std::to_string(word);
        text += "],\n \"buffers\": [";
        for (const Buffer &buffer : buffers) {
            std::snprintf(line, sizeof(line), "%s{\"address\": %" PRIu64 ", \"bytes\": %zu}",
                          &buffer == buffers.data() ? "" : ", ", buffer.address, buffer.bytes);
            text += line;
        }
        text += "]}\n";
        write_file(path / "launch.json", text.data(), text.size());
    }

    std::mutex mutex_;
    std::filesystem::path folder_;
    std::map<hipFunction_t, std::string> names_;
    std::map<uint64_t, size_t> buffers_;
    std::set<std::string> seen_;
};

void keep(const std::filesystem::path &path, std::span<const Buffer> buffers, const char *when)
{
    for (size_t i = 0; i < buffers.size(); ++i)
        write_file(path / (std::to_string(i) + when), buffers[i].data(), buffers[i].bytes);
}

} // namespace

extern "C" {

/* A use of the CPU runtime, without which the linker would not note it as needed. */
hipError_t hipDeviceSynchronize();

const char *vmafx_hip_runtime_name()
{
    return "cuda";
}

hipError_t vmafx_cpu_reads_pinned_memory(int *answer)
{
    *answer = 0;
    return hipSuccess;
}

hipError_t hipModuleLoadData(hipModule_t *module, const void *)
{
    return support::load_image_file(module, RECORDING_IMAGE);
}

hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module, const char *name)
{
    static auto *const next = forwarded<decltype(hipModuleGetFunction)>("hipModuleGetFunction");
    const hipError_t error = next(function, module, name);
    if (error == hipSuccess)
        Recorder::get().name_function(*function, name);
    return error;
}

hipError_t hipMalloc(void **memory, size_t bytes)
{
    static auto *const next = forwarded<decltype(hipMalloc)>("hipMalloc");
    const hipError_t error = next(memory, bytes);
    if (error == hipSuccess)
        Recorder::get().add(*memory, bytes);
    return error;
}

hipError_t hipMallocAsync(void **memory, size_t bytes, hipStream_t stream)
{
    static auto *const next = forwarded<decltype(hipMallocAsync)>("hipMallocAsync");
    const hipError_t error = next(memory, bytes, stream);
    if (error == hipSuccess)
        Recorder::get().add(*memory, bytes);
    return error;
}

hipError_t hipExternalMemoryGetMappedBuffer(void **mapped, hipExternalMemory_t memory,
                                            const hipExternalMemoryBufferDesc *desc)
{
    static auto *const next =
        forwarded<decltype(hipExternalMemoryGetMappedBuffer)>("hipExternalMemoryGetMappedBuffer");
    const hipError_t error = next(mapped, memory, desc);
    if (error == hipSuccess)
        Recorder::get().add(*mapped, desc->size);
    return error;
}

hipError_t hipFree(void *memory)
{
    static auto *const next = forwarded<decltype(hipFree)>("hipFree");
    Recorder::get().remove(memory);
    return next(memory);
}

hipError_t hipFreeAsync(void *memory, hipStream_t stream)
{
    static auto *const next = forwarded<decltype(hipFreeAsync)>("hipFreeAsync");
    Recorder::get().remove(memory);
    return next(memory, stream);
}

hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned int grid_x, unsigned int grid_y,
                                 unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                 unsigned int block_z, unsigned int shared_bytes,
                                 hipStream_t stream, void **arguments, void **extra)
{
    static auto *const next = forwarded<decltype(hipModuleLaunchKernel)>("hipModuleLaunchKernel");
    const auto launch = [&] {
        return next(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes,
                    stream, arguments, extra);
    };
    abi::PackedArguments packed;
    if (!extra || !abi::read_extra(extra, packed) || packed.bytes % sizeof(uint64_t) != 0)
        give_up("arguments that are not packed words");
    std::vector<uint64_t> words(packed.bytes / sizeof(uint64_t));
    std::memcpy(words.data(), packed.data, packed.bytes);

    std::vector<Buffer> buffers;
    const std::filesystem::path path = Recorder::get().begin(
        function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, words, buffers);
    if (path.empty())
        return launch();
    (void)hipDeviceSynchronize();
    keep(path, buffers, ".before");
    const hipError_t error = launch();
    (void)hipDeviceSynchronize();
    keep(path, buffers, ".after");
    return error;
}

} // extern "C"

} // namespace vmafx::hip
