/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What GPU images say about their kernels.
 */
#ifndef VMAFX_TESTS_GPU_KERNELS_H
#define VMAFX_TESTS_GPU_KERNELS_H

#include <cstdint>
#include <map>
#include <string>

#include "kernels/images.h"

namespace vmafx_test
{

struct GpuKernel {
    uint64_t args = 0;    /* bytes of kernel arguments */
    uint64_t tile = 0;    /* bytes of work-group memory */
    uint64_t scratch = 0; /* bytes of memory per thread */
    uint64_t spills = 0;  /* registers that did not fit */
    /* Of AMD code objects alone: */
    uint32_t vgprs = 0;   /* per lane, accumulators included */
    uint32_t sgprs = 0;   /* per wave, those of the system included */
    uint32_t threads = 0; /* of a work-group, at most */
    uint32_t wave = 0;    /* lanes */
    uint64_t code = 0;    /* bytes */
};

/** Kernels by name, from the metadata note of a code object. Throws if there is none. */
std::map<std::string, GpuKernel> amd_kernels(const vmafx::Image &image);

/** What compiled a code object, as it says in its comments: "Debian clang version 19.1.7 (…)". */
std::string amd_compiler(const vmafx::Image &image);

/** Kernels by name, from the text of a PTX file. Work-group memory is that of each kernel's body.
 */
std::map<std::string, GpuKernel> ptx_kernels(const vmafx::Image &image);

} // namespace vmafx_test

#endif
