/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Names and texts of error codes, the same in every runtime.
 */
#ifndef VMAFX_ABI_ERROR_TEXTS_H
#define VMAFX_ABI_ERROR_TEXTS_H

#include "hip/hip_abi.h"

namespace vmafx::abi
{

/** Whether the code has a name of its own here. */
bool is_known_error(hip::hipError_t error);
/** "hipErrorUnknown" for a code without one. */
const char *error_name(hip::hipError_t error);
const char *error_text(hip::hipError_t error);

} // namespace vmafx::abi

#endif
