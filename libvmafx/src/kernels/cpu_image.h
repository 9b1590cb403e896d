/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The descriptor of an x86-64 image: what the CPU runtime looks for in a shared object that
 * hipModuleLoadData is given. One file of an image says VX_CPU_IMAGE.
 */
#ifndef VMAFX_KERNELS_CPU_IMAGE_H
#define VMAFX_KERNELS_CPU_IMAGE_H

#include "kernels/kernel.h"

namespace vx
{

constexpr uint32_t kCpuImageMagic = 0x58465856; /* "VXFX" */
constexpr uint32_t kCpuImageAbi = 2; /* grows when CpuImage, CpuKernel or Marked changes */

/** The one exported symbol of an image, named vmafx_cpu_image. */
struct CpuImage {
    uint32_t magic;
    uint32_t abi;
    const CpuKernel *const *begin;
    const CpuKernel *const *end;
};

} // namespace vx

#define VX_CPU_IMAGE_SYMBOL "vmafx_cpu_image"

/* The linker names the bounds of the section that VX_KERNEL fills. */
#define VX_CPU_IMAGE                                                                               \
    extern "C" {                                                                                   \
    extern const vx::CpuKernel *const __start_vmafx_kernels[]                                      \
        __attribute__((visibility("hidden")));                                                     \
    extern const vx::CpuKernel *const __stop_vmafx_kernels[]                                       \
        __attribute__((visibility("hidden")));                                                     \
    extern __attribute__((visibility("default"))) const vx::CpuImage vmafx_cpu_image;              \
    const vx::CpuImage vmafx_cpu_image = {vx::kCpuImageMagic, vx::kCpuImageAbi,                    \
                                          __start_vmafx_kernels, __stop_vmafx_kernels};            \
    }

#endif
