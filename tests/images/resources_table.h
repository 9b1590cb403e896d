/* SPDX-License-Identifier: BSD-2-Clause
 *
 * docs/kernel-resources.md: what every kernel takes of every AMD target.
 */
#ifndef VMAFX_TESTS_RESOURCES_TABLE_H
#define VMAFX_TESTS_RESOURCES_TABLE_H

#include <map>
#include <string>
#include <vector>

#include "images/gpu_kernels.h"

namespace vmafx_test
{

struct TargetKernels {
    std::string target;
    uint64_t bytes = 0; /* of the code object */
    std::map<std::string, GpuKernel> kernels;
};

/** The AMD images that the library carries. */
std::vector<TargetKernels> amd_targets();

/** The line of the document that names the compiler, of the library's images. */
std::string compiler_line();

/** The whole document. */
std::string resources_table(const std::vector<TargetKernels> &targets);

} // namespace vmafx_test

#endif
