/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What is not defined here the dynamic linker finds in the CPU runtime. Built twice: as the CPU
 * runtime, and with LOSSY_GPU_IMAGE as one of GPUs, to which pictures are uploaded; that file has
 * kernels with the tile shapes of GPUs.
 */
#include "lost_commands/lossy_runtime.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>

#include "hip/hip_abi.h"
#include "support/wrapped_runtime.h"

namespace
{

std::atomic<uint64_t> commands = 0, lose_first = 0, lose_end = 0;
std::mutex kernels_lock;
std::map<void *, uint64_t> kernels; /* of each stream */

bool is_lost()
{
    const uint64_t number = commands++;
    return number >= lose_first && number < lose_end;
}

} // namespace

namespace vmafx::hip
{

using support::forwarded;

extern "C" {

/* A use of the CPU runtime, without which the linker would not note it as needed. */
hipError_t hipGetLastError();
hipError_t lossy_last_error()
{
    return hipGetLastError();
}

void lossy_lose(uint64_t first, uint64_t end)
{
    lose_first = first;
    lose_end = end;
    commands = 0;
    const std::lock_guard guard(kernels_lock);
    kernels.clear();
}

uint64_t lossy_commands()
{
    return commands;
}

void lossy_spread(uint64_t *most, uint64_t *fewest)
{
    const std::lock_guard guard(kernels_lock);
    *most = 0;
    *fewest = kernels.empty() ? 0 : UINT64_MAX;
    for (const auto &[stream, count] : kernels) {
        *most = std::max(*most, count);
        *fewest = std::min(*fewest, count);
    }
}

hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned int grid_x, unsigned int grid_y,
                                 unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                 unsigned int block_z, unsigned int shared_bytes,
                                 hipStream_t stream, void **arguments, void **extra)
{
    static auto *const next = forwarded<decltype(hipModuleLaunchKernel)>("hipModuleLaunchKernel");
    {
        const std::lock_guard guard(kernels_lock);
        ++kernels[stream];
    }
    if (is_lost())
        return hipSuccess;
    return next(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes, stream,
                arguments, extra);
}

hipError_t hipMemcpyAsync(void *to, const void *from, size_t bytes, hipMemcpyKind kind,
                          hipStream_t stream)
{
    static auto *const next = forwarded<decltype(hipMemcpyAsync)>("hipMemcpyAsync");
    return is_lost() ? hipSuccess : next(to, from, bytes, kind, stream);
}

hipError_t hipMemsetAsync(void *to, int value, size_t bytes, hipStream_t stream)
{
    static auto *const next = forwarded<decltype(hipMemsetAsync)>("hipMemsetAsync");
    return is_lost() ? hipSuccess : next(to, value, bytes, stream);
}

#ifdef LOSSY_GPU_IMAGE
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
    return support::load_image_file(module, LOSSY_GPU_IMAGE);
}
#endif

} // extern "C"

} // namespace vmafx::hip
