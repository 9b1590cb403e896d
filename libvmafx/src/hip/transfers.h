/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Copies and fills in the order of a stream.
 */
#ifndef VMAFX_HIP_TRANSFERS_H
#define VMAFX_HIP_TRANSFERS_H

#include <cstddef>

#include "hip/objects.h"

namespace vmafx::hip
{

inline void clear(const Stream &stream, void *device, size_t bytes)
{
    const Runtime &runtime = stream.runtime();
    check(runtime, runtime.hip.hipMemsetAsync(device, 0, bytes, stream.get()), "hipMemsetAsync");
}

inline void copy(const Stream &stream, void *to, const void *from, size_t bytes, hipMemcpyKind kind)
{
    const Runtime &runtime = stream.runtime();
    check(runtime, runtime.hip.hipMemcpyAsync(to, from, bytes, kind, stream.get()),
          "hipMemcpyAsync");
}

} // namespace vmafx::hip

#endif
