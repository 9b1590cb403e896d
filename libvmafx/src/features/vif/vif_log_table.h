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

/** 2048 * log2(i) for i = 32768..65535, then kVifLogPadding zeros. */
std::vector<uint16_t> vif_log_table();

} // namespace vmafx

#endif
