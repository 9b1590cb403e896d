/* SPDX-License-Identifier: BSD-2-Clause
 *
 * VIF's kernels for matrix units, run thread by thread on the host.
 */
#ifndef VMAFX_TESTS_VIF_MATRIX_KERNELS_H
#define VMAFX_TESTS_VIF_MATRIX_KERNELS_H

#include <string_view>

#include "kernels/threads.h"

/** nullptr if there is none of the name. */
const vmafx_test::GpuThreadsKernel *find_matrix_kernel(std::string_view name);

#endif
