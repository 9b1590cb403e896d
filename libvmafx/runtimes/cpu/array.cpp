/* SPDX-License-Identifier: BSD-2-Clause */
#include "array.h"

#include <cstring>

#include "copy.h"
#include "engine.h"
#include "errors.h"

namespace vmafx::cpu
{

namespace
{

using namespace hip;

constexpr size_t kMaxExtent = 131072; /* elements in each direction */
constexpr size_t kPitchStep = 64;     /* bytes */
constexpr int kGarbage = 0xa5;

/** Bytes of an element; 0 for a format that is not one, two or four equal components. */
size_t element_bytes(const hipChannelFormatDesc &format)
{
    const int bits[4] = {format.x, format.y, format.z, format.w};
    size_t count = 0;
    while (count < 4 && bits[count] != 0)
        ++count;
    for (size_t i = 0; i < 4; ++i) {
        if (bits[i] != (i < count ? bits[0] : 0))
            return 0;
    }
    const bool width_known = bits[0] == 8 || bits[0] == 16 || bits[0] == 32;
    if (!width_known || count == 3 || format.f > hipChannelFormatKindFloat)
        return 0;
    if (format.f == hipChannelFormatKindFloat && bits[0] == 8)
        return 0;
    return count * static_cast<size_t>(bits[0]) / 8;
}

/** The rectangle of an array, or an error when it is not inside. */
hipError_t rows_of(const Array &array, size_t x, size_t y, size_t width, size_t height, Rows &rows)
{
    const size_t lines = array.height ? array.height : 1;
    if (x > array.row_bytes || width > array.row_bytes - x || y > lines || height > lines - y)
        return hipErrorInvalidValue;
    rows = {static_cast<std::byte *>(array.memory.get()) + y * array.pitch + x, array.pitch};
    return hipSuccess;
}

hipError_t plan(const std::shared_ptr<Array> &array, bool to_array, size_t x, size_t y,
                const Rows &linear, size_t width, size_t height, hipMemcpyKind kind,
                std::unique_ptr<Work> &work)
{
    if (!array)
        return hipErrorInvalidHandle;
    if (const hipError_t error = check_kind(kind); error != hipSuccess)
        return error;
    Rows rows = {};
    if (const hipError_t error = rows_of(*array, x, y, width, height, rows); error != hipSuccess)
        return error;
    if (const hipError_t error = check_rows(linear, width, height, !to_array); error != hipSuccess)
        return error;
    if (width == 0 || height == 0)
        return hipSuccess;
    const bool upload = to_array && is_upload(rows.data, linear.data, kind);
    work =
        copy_work(to_array ? rows : linear, to_array ? linear : rows, width, height, upload, array);
    return hipSuccess;
}

hipError_t create(hipArray_t *handle, const hipChannelFormatDesc *format, size_t width,
                  size_t height, unsigned int flags)
{
    if (!handle || !format)
        return hipErrorInvalidValue;
    *handle = nullptr;
    const size_t element = element_bytes(*format);
    if (element == 0 || width == 0 || width > kMaxExtent || height > kMaxExtent)
        return hipErrorInvalidValue;
    if (flags != array_default)
        return hipErrorNotSupported;

    Engine &engine = Engine::get();
    auto array = std::make_shared<Array>();
    array->format = *format;
    array->width = width;
    array->height = height;
    array->row_bytes = width * element;
    array->pitch = (array->row_bytes / kPitchStep + 1) * kPitchStep;
    array->device = current_device();
    const size_t bytes = array->pitch * (height ? height : 1);
    array->memory = allocate_aligned(Allocations::kAlignment, bytes);
    if (!array->memory)
        return hipErrorOutOfMemory;
    if (engine.poison())
        std::memset(array->memory.get(), kGarbage, bytes);
    *handle = reinterpret_cast<hipArray_t>(array.get());
    engine.arrays.insert(std::move(array));
    return hipSuccess;
}

} // namespace

} // namespace vmafx::cpu

namespace vmafx::hip
{

using cpu::Engine;
using cpu::entry;
using cpu::Rows;

extern "C" hipError_t hipMallocArray(hipArray_t *array, const hipChannelFormatDesc *format,
                                     size_t width, size_t height, unsigned int flags)
{
    return entry([&] { return cpu::create(array, format, width, height, flags); });
}

extern "C" hipError_t hipFreeArray(hipArray_t array)
{
    return entry([&]() -> hipError_t {
        if (cpu::on_host_thread())
            return hipErrorNotSupported;
        const auto taken = Engine::get().arrays.take(array);
        if (!taken)
            return hipErrorInvalidHandle;
        return Engine::get().scheduler.wait_device(taken->device);
    });
}

extern "C" hipError_t hipArrayGetInfo(hipChannelFormatDesc *format, hipExtent *extent,
                                      unsigned int *flags, hipArray_t array)
{
    return entry([&] {
        const auto found = Engine::get().arrays.find(array);
        if (!found)
            return hipErrorInvalidHandle;
        if (format)
            *format = found->format;
        if (extent)
            *extent = {found->width, found->height, 0};
        if (flags)
            *flags = array_default;
        return hipSuccess;
    });
}

extern "C" hipError_t hipMemcpy2DToArray(hipArray_t to, size_t x, size_t y, const void *from,
                                         size_t from_pitch, size_t width, size_t height,
                                         hipMemcpyKind kind)
{
    return entry([&] {
        Engine &engine = Engine::get();
        const Rows linear = {static_cast<std::byte *>(const_cast<void *>(from)), from_pitch};
        std::unique_ptr<cpu::Work> work;
        const hipError_t error =
            cpu::plan(engine.arrays.find(to), true, x, y, linear, width, height, kind, work);
        return error != hipSuccess || !work ? error : engine.run_and_wait(std::move(work));
    });
}

extern "C" hipError_t hipMemcpy2DFromArrayAsync(void *to, size_t to_pitch, hipArray_const_t from,
                                                size_t x, size_t y, size_t width, size_t height,
                                                hipMemcpyKind kind, hipStream_t stream)
{
    return entry([&] {
        Engine &engine = Engine::get();
        const cpu::StreamRef on = engine.stream(stream);
        if (!on)
            return hipErrorInvalidHandle;
        const Rows linear = {static_cast<std::byte *>(to), to_pitch};
        std::unique_ptr<cpu::Work> work;
        const hipError_t error =
            cpu::plan(engine.arrays.find(from), false, x, y, linear, width, height, kind, work);
        return error != hipSuccess || !work ? error : engine.submit(*on, std::move(work));
    });
}

} // namespace vmafx::hip
