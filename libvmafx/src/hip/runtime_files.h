/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Where the runtimes' libraries may lie.
 */
#ifndef VMAFX_HIP_RUNTIME_FILES_H
#define VMAFX_HIP_RUNTIME_FILES_H

#include <cstdint>
#include <string>
#include <vector>

namespace vmafx::hip
{

/** File names for dlopen, in the order to try, for one VMAFX_RUNTIME_* other than auto. */
std::vector<std::string> runtime_files(uint32_t kind);

} // namespace vmafx::hip

#endif
