/* SPDX-License-Identifier: BSD-2-Clause */
#include "errors.h"

namespace vmafx::cuda
{

namespace
{

using namespace hip;

struct Format {
    ArrayFormat driver;
    int bits;
    hipChannelFormatKind kind;
};
constexpr Format kFormats[] = {
    {ArrayFormat::unsigned8, 8, hipChannelFormatKindUnsigned},
    {ArrayFormat::unsigned16, 16, hipChannelFormatKindUnsigned},
    {ArrayFormat::unsigned32, 32, hipChannelFormatKindUnsigned},
    {ArrayFormat::signed8, 8, hipChannelFormatKindSigned},
    {ArrayFormat::signed16, 16, hipChannelFormatKindSigned},
    {ArrayFormat::signed32, 32, hipChannelFormatKindSigned},
    {ArrayFormat::half, 16, hipChannelFormatKindFloat},
    {ArrayFormat::single, 32, hipChannelFormatKindFloat},
};

/** Equal components; 0 for a format that is not one, two or four of them. */
unsigned int component_count(const hipChannelFormatDesc &format)
{
    const int bits[4] = {format.x, format.y, format.z, format.w};
    unsigned int count = 0;
    while (count < 4 && bits[count] != 0)
        ++count;
    for (unsigned int i = 0; i < 4; ++i) {
        if (bits[i] != (i < count ? bits[0] : 0))
            return 0;
    }
    return count == 3 ? 0 : count;
}

bool describe(const hipChannelFormatDesc &format, ArrayDescriptor &desc)
{
    desc.channels = component_count(format);
    for (const Format &known : kFormats) {
        if (known.bits != format.x || known.kind != format.f)
            continue;
        desc.format = known.driver;
        return desc.channels != 0;
    }
    return false;
}

hipChannelFormatDesc format_of(const ArrayDescriptor &desc)
{
    for (const Format &known : kFormats) {
        if (known.driver != desc.format)
            continue;
        const auto bits = [&](unsigned int i) { return i < desc.channels ? known.bits : 0; };
        return {bits(0), bits(1), bits(2), bits(3), known.kind};
    }
    return {0, 0, 0, 0, hipChannelFormatKindNone};
}

} // namespace

} // namespace vmafx::cuda

namespace vmafx::hip
{

using cuda::answer;
using cuda::DriverFunctions;
using cuda::in_context;

extern "C" hipError_t hipMallocArray(hipArray_t *array, const hipChannelFormatDesc *format,
                                     size_t width, size_t height, unsigned int flags)
{
    return in_context([&](const DriverFunctions &cu) -> hipError_t {
        if (!array || !format)
            return hipErrorInvalidValue;
        *array = nullptr;
        cuda::ArrayDescriptor desc = {width, height, {}, 0};
        if (!cuda::describe(*format, desc))
            return hipErrorInvalidValue;
        if (flags != array_default)
            return hipErrorNotSupported;
        return answer(cu.cuArrayCreate(array, &desc), "cuArrayCreate");
    });
}

extern "C" hipError_t hipFreeArray(hipArray_t array)
{
    return in_context([&](const DriverFunctions &cu) -> hipError_t {
        if (!array)
            return hipErrorInvalidHandle;
        const hipError_t error = answer(cu.cuCtxSynchronize(), "cuCtxSynchronize");
        const hipError_t freed = answer(cu.cuArrayDestroy(array), "cuArrayDestroy");
        return error != hipSuccess ? error : freed;
    });
}

extern "C" hipError_t hipArrayGetInfo(hipChannelFormatDesc *format, hipExtent *extent,
                                      unsigned int *flags, hipArray_t array)
{
    return in_context([&](const DriverFunctions &cu) -> hipError_t {
        if (!array)
            return hipErrorInvalidHandle;
        cuda::ArrayDescriptor desc = {};
        const hipError_t error =
            answer(cu.cuArrayGetDescriptor(&desc, array), "cuArrayGetDescriptor");
        if (error != hipSuccess)
            return error;
        if (format)
            *format = cuda::format_of(desc);
        if (extent)
            *extent = {desc.width, desc.height, 0};
        if (flags)
            *flags = array_default;
        return hipSuccess;
    });
}

} // namespace vmafx::hip
