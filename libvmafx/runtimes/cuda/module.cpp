/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Modules, which the driver makes of PTX or loads as they are, and launches of their kernels.
 */
#include <algorithm>
#include <array>
#include <bit>

#include "abi/packed_arguments.h"
#include "errors.h"

namespace vmafx::cuda
{

namespace
{

using namespace hip;

/** The compiler's complaints, made one line. */
class JitLog
{
  public:
    char *data() { return text_.data(); }
    size_t size() const { return text_.size(); }

    const char *line()
    {
        text_.back() = '\0';
        std::replace(text_.begin(), text_.end(), '\n', ' ');
        return text_.data();
    }

  private:
    std::array<char, 768> text_ = {};
};

hipError_t load(const DriverFunctions &cu, const void *image, hipModule_t &module)
{
    JitLog log;
    JitOption options[] = {JitOption::error_log, JitOption::error_log_bytes};
    /* A number is handed over in place of the pointer. */
    void *values[] = {log.data(), std::bit_cast<void *>(log.size())};
    const CUresult result = cu.cuModuleLoadDataEx(&module, image, 2, options, values);
    return answer(result, "cuModuleLoadDataEx", result == kSuccess ? "" : log.line());
}

struct Launch {
    hipFunction_t function;
    unsigned int grid[3];
    unsigned int block[3];
    unsigned int shared_bytes;
    hipStream_t stream;
};

hipError_t launch(const DriverFunctions &cu, const Launch &l, void **arguments, void **extra)
{
    return answer(cu.cuLaunchKernel(l.function, l.grid[0], l.grid[1], l.grid[2], l.block[0],
                                    l.block[1], l.block[2], l.shared_bytes, l.stream, arguments,
                                    extra),
                  "cuLaunchKernel");
}

/** The list is the same but for its end. */
hipError_t launch_packed(const DriverFunctions &cu, const Launch &l, void **extra)
{
    abi::PackedArguments packed;
    if (!abi::read_extra(extra, packed) || !packed.data)
        return hipErrorInvalidValue;
    void *driver_extra[] = {launch_param_buffer_pointer, packed.data, launch_param_buffer_size,
                            &packed.bytes, launch_end};
    return launch(cu, l, nullptr, driver_extra);
}

} // namespace

} // namespace vmafx::cuda

namespace vmafx::hip
{

using cuda::answer;
using cuda::DriverFunctions;
using cuda::in_context;

extern "C" hipError_t hipModuleLoadData(hipModule_t *module, const void *image)
{
    return in_context([&](const DriverFunctions &cu) -> hipError_t {
        if (!module || !image)
            return hipErrorInvalidValue;
        return cuda::load(cu, image, *module);
    });
}

extern "C" hipError_t hipModuleUnload(hipModule_t module)
{
    return in_context([&](const DriverFunctions &cu) -> hipError_t {
        if (!module)
            return hipErrorInvalidHandle;
        return answer(cu.cuModuleUnload(module), "cuModuleUnload");
    });
}

extern "C" hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module,
                                           const char *name)
{
    return in_context([&](const DriverFunctions &cu) -> hipError_t {
        if (!function || !name)
            return hipErrorInvalidValue;
        if (!module)
            return hipErrorInvalidHandle;
        return answer(cu.cuModuleGetFunction(function, module, name), "cuModuleGetFunction");
    });
}

extern "C" hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned int grid_x,
                                            unsigned int grid_y, unsigned int grid_z,
                                            unsigned int block_x, unsigned int block_y,
                                            unsigned int block_z, unsigned int shared_bytes,
                                            hipStream_t stream, void **arguments, void **extra)
{
    return in_context([&](const DriverFunctions &cu) -> hipError_t {
        if (!function)
            return hipErrorInvalidHandle;
        if (arguments && extra)
            return hipErrorInvalidValue;
        const cuda::Launch launch = {
            function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes, stream};
        return extra ? cuda::launch_packed(cu, launch, extra)
                     : cuda::launch(cu, launch, arguments, nullptr);
    });
}

} // namespace vmafx::hip
