/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Copies in the order of a stream.
 */
#ifndef VMAFX_HIP_TRANSFERS_H
#define VMAFX_HIP_TRANSFERS_H

#include <cstddef>

#include "hip/objects.h"

namespace vmafx::hip
{

inline void copy(const Stream &stream, void *to, const void *from, size_t bytes, hipMemcpyKind kind)
{
    const Runtime &runtime = stream.runtime();
    check(runtime, runtime.hip.hipMemcpyAsync(to, from, bytes, kind, stream.get()),
          "hipMemcpyAsync");
}

/** The first bytes of the first rows of an array, to rows in device memory. */
inline void copy_from_array(const Stream &stream, void *to, size_t to_pitch, hipArray_t from,
                            size_t row_bytes, size_t rows)
{
    const Runtime &runtime = stream.runtime();
    check(runtime,
          runtime.hip.hipMemcpy2DFromArrayAsync(to, to_pitch, from, 0, 0, row_bytes, rows,
                                                hipMemcpyDeviceToDevice, stream.get()),
          "hipMemcpy2DFromArrayAsync");
}

} // namespace vmafx::hip

#endif
