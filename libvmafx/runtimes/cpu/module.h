/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef VMAFX_CPU_MODULE_H
#define VMAFX_CPU_MODULE_H

#include <memory>
#include <string_view>
#include <vector>

#include "hip/hip_abi.h"
#include "kernels/cpu_image.h"
#include "launch_log.h"

namespace vmafx::cpu
{

/** A kernel of a module; its address is the handle. */
struct Function {
    const vx::CpuKernel *kernel;
    LaunchCount launches;
};

/** An image of kernels, loaded as a shared object. */
class Module
{
  public:
    static hip::hipError_t load(const void *image, std::shared_ptr<Module> &module);

    Module() = default;
    Module(const Module &) = delete;
    Module &operator=(const Module &) = delete;
    ~Module();

    /** nullptr when the image has no such kernel. */
    const Function *find(std::string_view name) const;
    const std::vector<Function> &functions() const { return functions_; }

  private:
    hip::hipError_t read_descriptor();

    int fd_ = -1;
    void *object_ = nullptr;
    std::vector<Function> functions_;
};

} // namespace vmafx::cpu

#endif
