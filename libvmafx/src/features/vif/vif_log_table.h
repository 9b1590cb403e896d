/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The table of logarithms of VIF.
 */
#ifndef VMAFX_FEATURES_VIF_LOG_TABLE_H
#define VMAFX_FEATURES_VIF_LOG_TABLE_H

#include <cstdint>
#include <vector>

namespace vmafx
{

/** 2048 * log2(i) for i = 32768..65535 as libvmaf rounds it. */
std::vector<uint16_t> vif_log_table();

/** The same as lines, as vif_kernels.h describes them. */
std::vector<uint32_t> vif_log_lines();

} // namespace vmafx

#endif
