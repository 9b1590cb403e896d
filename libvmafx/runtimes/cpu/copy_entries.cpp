/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The entry points of copies and fills. An asynchronous copy reads the caller's memory when the
 * stream comes to it, pinned or not.
 */
#include "copy.h"
#include "engine.h"
#include "errors.h"

namespace vmafx::cpu
{

namespace
{

using namespace hip;

Rows rows(const void *data, size_t pitch)
{
    return {static_cast<std::byte *>(const_cast<void *>(data)), pitch};
}

/** Checks a copy and makes its work; none when there is nothing to copy. */
hipError_t plan_copy(const Rows &to, const Rows &from, size_t width, size_t height,
                     hipMemcpyKind kind, std::unique_ptr<Work> &work)
{
    if (const hipError_t error = check_kind(kind); error != hipSuccess)
        return error;
    if (const hipError_t error = check_rows(to, width, height, true); error != hipSuccess)
        return error;
    if (const hipError_t error = check_rows(from, width, height, false); error != hipSuccess)
        return error;
    if (width != 0 && height != 0)
        work = copy_work(to, from, width, height, is_upload(to.data, from.data, kind));
    return hipSuccess;
}

hipError_t plan_fill(const Rows &to, int value, size_t width, size_t height,
                     std::unique_ptr<Work> &work)
{
    if (const hipError_t error = check_rows(to, width, height, true); error != hipSuccess)
        return error;
    if (width != 0 && height != 0)
        work = fill_work(to, value, width, height);
    return hipSuccess;
}

hipError_t copy_now(const Rows &to, const Rows &from, size_t width, size_t height,
                    hipMemcpyKind kind)
{
    std::unique_ptr<Work> work;
    const hipError_t error = plan_copy(to, from, width, height, kind, work);
    return error != hipSuccess || !work ? error : Engine::get().run_and_wait(std::move(work));
}

hipError_t copy_later(const Rows &to, const Rows &from, size_t width, size_t height,
                      hipMemcpyKind kind, hipStream_t stream)
{
    const StreamRef found = Engine::get().stream(stream);
    if (!found)
        return hipErrorInvalidHandle;
    std::unique_ptr<Work> work;
    const hipError_t error = plan_copy(to, from, width, height, kind, work);
    return error != hipSuccess || !work ? error : Engine::get().submit(*found, std::move(work));
}

hipError_t fill_later(const Rows &to, int value, size_t width, size_t height, hipStream_t stream)
{
    const StreamRef found = Engine::get().stream(stream);
    if (!found)
        return hipErrorInvalidHandle;
    std::unique_ptr<Work> work;
    const hipError_t error = plan_fill(to, value, width, height, work);
    return error != hipSuccess || !work ? error : Engine::get().submit(*found, std::move(work));
}

} // namespace

} // namespace vmafx::cpu

namespace vmafx::hip
{

using cpu::entry;
using cpu::rows;

extern "C" hipError_t hipMemcpy(void *to, const void *from, size_t bytes, hipMemcpyKind kind)
{
    return entry([&] { return cpu::copy_now(rows(to, bytes), rows(from, bytes), bytes, 1, kind); });
}

extern "C" hipError_t hipMemcpyAsync(void *to, const void *from, size_t bytes, hipMemcpyKind kind,
                                     hipStream_t stream)
{
    return entry([&] {
        return cpu::copy_later(rows(to, bytes), rows(from, bytes), bytes, 1, kind, stream);
    });
}

extern "C" hipError_t hipMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                  size_t width, size_t height, hipMemcpyKind kind)
{
    return entry([&] {
        return cpu::copy_now(rows(to, to_pitch), rows(from, from_pitch), width, height, kind);
    });
}

extern "C" hipError_t hipMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
                                       size_t from_pitch, size_t width, size_t height,
                                       hipMemcpyKind kind, hipStream_t stream)
{
    return entry([&] {
        return cpu::copy_later(rows(to, to_pitch), rows(from, from_pitch), width, height, kind,
                               stream);
    });
}

extern "C" hipError_t hipMemset(void *to, int value, size_t bytes)
{
    return entry([&] {
        std::unique_ptr<cpu::Work> work;
        const hipError_t error = cpu::plan_fill(rows(to, bytes), value, bytes, 1, work);
        if (error != hipSuccess || !work)
            return error;
        return cpu::Engine::get().run_and_wait(std::move(work));
    });
}

extern "C" hipError_t hipMemsetAsync(void *to, int value, size_t bytes, hipStream_t stream)
{
    return entry([&] { return cpu::fill_later(rows(to, bytes), value, bytes, 1, stream); });
}

extern "C" hipError_t hipMemset2DAsync(void *to, size_t pitch, int value, size_t width,
                                       size_t height, hipStream_t stream)
{
    return entry([&] { return cpu::fill_later(rows(to, pitch), value, width, height, stream); });
}

} // namespace vmafx::hip
