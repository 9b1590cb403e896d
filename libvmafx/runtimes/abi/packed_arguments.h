/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The `extra` list of a launch.
 */
#ifndef VMAFX_ABI_PACKED_ARGUMENTS_H
#define VMAFX_ABI_PACKED_ARGUMENTS_H

#include "hip/hip_abi.h"

namespace vmafx::abi
{

struct PackedArguments {
    void *data = nullptr;
    size_t bytes = 0;
};

/** False for a list with a marker that is not known. */
inline bool read_extra(void **extra, PackedArguments &packed)
{
    for (void **item = extra; *item != hip::launch_param_end; item += 2) {
        if (*item == hip::launch_param_buffer_pointer)
            packed.data = item[1];
        else if (*item == hip::launch_param_buffer_size && item[1])
            packed.bytes = *static_cast<const size_t *>(item[1]);
        else
            return false;
    }
    return true;
}

} // namespace vmafx::abi

#endif
