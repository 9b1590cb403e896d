/* SPDX-License-Identifier: BSD-2-Clause */
#include "vif/matrix_kernels.h"

#include "features/vif/vif_matrix_kernels.cc"

const vmafx_test::GpuThreadsKernel *find_matrix_kernel(std::string_view name)
{
    const struct {
        std::string_view name;
        const vmafx_test::GpuThreadsKernel &kernel;
    } kernels[] = {
        {"vif_scale0_8_matrix", vif_scale0_8_matrix},
        {"vif_scale0_16_matrix", vif_scale0_16_matrix},
        {"vif_scale1_matrix", vif_scale1_matrix},
        {"vif_scale2_matrix", vif_scale2_matrix},
        {"vif_scale3_matrix", vif_scale3_matrix},
    };
    for (const auto &entry : kernels)
        if (entry.name == name)
            return &entry.kernel;
    return nullptr;
}
