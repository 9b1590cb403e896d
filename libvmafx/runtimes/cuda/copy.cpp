/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Copies and fills of linear memory, and copies of arrays.
 */
#include "errors.h"
#include "pointers.h"

namespace vmafx::cuda
{

namespace
{

using namespace hip;

struct Shape {
    size_t width; /* bytes */
    size_t height;
};

CopySide linear_side(const void *data, size_t pitch, bool host)
{
    CopySide side = {};
    side.pitch = pitch;
    /* What is said to be the host's need not be known to the driver. Other addresses say
     * themselves what they are of. */
    side.type = host ? MemoryType::host : MemoryType::unified;
    if (host)
        side.host = data;
    else
        side.device = address(data);
    return side;
}

CopySide source(const void *data, size_t pitch, hipMemcpyKind kind)
{
    return linear_side(data, pitch, kind == hipMemcpyHostToHost || kind == hipMemcpyHostToDevice);
}

CopySide target(const void *data, size_t pitch, hipMemcpyKind kind)
{
    return linear_side(data, pitch, kind == hipMemcpyHostToHost || kind == hipMemcpyDeviceToHost);
}

CopySide array_side(hipArray_const_t array, size_t x, size_t y)
{
    CopySide side = {};
    side.x = x;
    side.y = y;
    side.type = MemoryType::array;
    side.array = const_cast<hipArray_t>(array);
    return side;
}

/** hipSuccess also where there is nothing to copy: see Shape. */
hipError_t check(const CopySide &side, const Shape &shape)
{
    if (side.type == MemoryType::array)
        return side.array ? hipSuccess : hipErrorInvalidHandle;
    if (shape.width == 0 || shape.height == 0)
        return hipSuccess;
    if (!side.host && !side.device)
        return hipErrorInvalidValue;
    return side.pitch < shape.width && shape.height > 1 ? hipErrorInvalidPitchValue : hipSuccess;
}

template <class Run>
hipError_t copy(CopySide from, CopySide to, Shape shape, hipMemcpyKind kind, Run run)
{
    if (kind > hipMemcpyDefault)
        return hipErrorInvalidMemcpyDirection;
    if (const hipError_t error = check(from, shape); error != hipSuccess)
        return error;
    if (const hipError_t error = check(to, shape); error != hipSuccess)
        return error;
    if (shape.width == 0 || shape.height == 0)
        return hipSuccess;
    const Copy2D parameters = {from, to, shape.width, shape.height};
    return run(parameters);
}

hipError_t copy_now(const CopySide &from, const CopySide &to, Shape shape, hipMemcpyKind kind)
{
    return in_context([&](const DriverFunctions &cu) {
        return copy(from, to, shape, kind, [&](const Copy2D &parameters) {
            return answer(cu.cuMemcpy2DUnaligned(&parameters), "cuMemcpy2DUnaligned");
        });
    });
}

hipError_t copy_later(const CopySide &from, const CopySide &to, Shape shape, hipMemcpyKind kind,
                      hipStream_t stream)
{
    return in_context([&](const DriverFunctions &cu) {
        return copy(from, to, shape, kind, [&](const Copy2D &parameters) {
            return answer(cu.cuMemcpy2DAsync(&parameters, stream), "cuMemcpy2DAsync");
        });
    });
}

hipError_t check_linear(const void *to, const void *from, size_t bytes, hipMemcpyKind kind)
{
    if (kind > hipMemcpyDefault)
        return hipErrorInvalidMemcpyDirection;
    return bytes != 0 && (!to || !from) ? hipErrorInvalidValue : hipSuccess;
}

hipError_t fill(const DriverFunctions &cu, void *to, int value, size_t bytes, hipStream_t stream)
{
    if (bytes == 0)
        return hipSuccess;
    if (!to)
        return hipErrorInvalidValue;
    return answer(cu.cuMemsetD8Async(address(to), static_cast<unsigned char>(value), bytes, stream),
                  "cuMemsetD8Async");
}

} // namespace

} // namespace vmafx::cuda

namespace vmafx::hip
{

using cuda::address;
using cuda::answer;
using cuda::DriverFunctions;
using cuda::in_context;

extern "C" hipError_t hipMemcpy(void *to, const void *from, size_t bytes, hipMemcpyKind kind)
{
    return in_context([&](const DriverFunctions &cu) -> hipError_t {
        const hipError_t error = cuda::check_linear(to, from, bytes, kind);
        if (error != hipSuccess || bytes == 0)
            return error;
        return answer(cu.cuMemcpy(address(to), address(from), bytes), "cuMemcpy");
    });
}

extern "C" hipError_t hipMemcpyAsync(void *to, const void *from, size_t bytes, hipMemcpyKind kind,
                                     hipStream_t stream)
{
    return in_context([&](const DriverFunctions &cu) -> hipError_t {
        const hipError_t error = cuda::check_linear(to, from, bytes, kind);
        if (error != hipSuccess || bytes == 0)
            return error;
        return answer(cu.cuMemcpyAsync(address(to), address(from), bytes, stream), "cuMemcpyAsync");
    });
}

extern "C" hipError_t hipMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                  size_t width, size_t height, hipMemcpyKind kind)
{
    return cuda::copy_now(cuda::source(from, from_pitch, kind), cuda::target(to, to_pitch, kind),
                          {width, height}, kind);
}

extern "C" hipError_t hipMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
                                       size_t from_pitch, size_t width, size_t height,
                                       hipMemcpyKind kind, hipStream_t stream)
{
    return cuda::copy_later(cuda::source(from, from_pitch, kind), cuda::target(to, to_pitch, kind),
                            {width, height}, kind, stream);
}

extern "C" hipError_t hipMemset(void *to, int value, size_t bytes)
{
    return in_context([&](const DriverFunctions &cu) -> hipError_t {
        if (const hipError_t error = cuda::fill(cu, to, value, bytes, nullptr); error != hipSuccess)
            return error;
        return answer(cu.cuStreamSynchronize(nullptr), "cuStreamSynchronize");
    });
}

extern "C" hipError_t hipMemsetAsync(void *to, int value, size_t bytes, hipStream_t stream)
{
    return in_context(
        [&](const DriverFunctions &cu) { return cuda::fill(cu, to, value, bytes, stream); });
}

extern "C" hipError_t hipMemset2DAsync(void *to, size_t pitch, int value, size_t width,
                                       size_t height, hipStream_t stream)
{
    return in_context([&](const DriverFunctions &cu) -> hipError_t {
        if (width == 0 || height == 0)
            return hipSuccess;
        if (!to)
            return hipErrorInvalidValue;
        if (pitch < width)
            return hipErrorInvalidPitchValue;
        return answer(cu.cuMemsetD2D8Async(address(to), pitch, static_cast<unsigned char>(value),
                                           width, height, stream),
                      "cuMemsetD2D8Async");
    });
}

extern "C" hipError_t hipMemcpy2DToArray(hipArray_t to, size_t x, size_t y, const void *from,
                                         size_t from_pitch, size_t width, size_t height,
                                         hipMemcpyKind kind)
{
    return cuda::copy_now(cuda::source(from, from_pitch, kind), cuda::array_side(to, x, y),
                          {width, height}, kind);
}

extern "C" hipError_t hipMemcpy2DFromArrayAsync(void *to, size_t to_pitch, hipArray_const_t from,
                                                size_t x, size_t y, size_t width, size_t height,
                                                hipMemcpyKind kind, hipStream_t stream)
{
    return cuda::copy_later(cuda::array_side(from, x, y), cuda::target(to, to_pitch, kind),
                            {width, height}, kind, stream);
}

} // namespace vmafx::hip
