/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The boundary of the C API: exceptions become statuses and error objects, structs of the caller
 * are read and written within the size that the caller knows.
 */
#ifndef VMAFX_API_BOUNDARY_H
#define VMAFX_API_BOUNDARY_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <libvmafx/frame.h>
#include <libvmafx/status.h>

namespace vmafx
{

/** To be called inside a catch block: reports the exception in flight and returns its status. */
int32_t report_exception(const char *function, VmafxError *error) noexcept;

/**
 * Runs the body of an API function. The body returns nothing (VMAFX_OK) or a status that is no
 * error; errors are thrown as Failure.
 */
template <class Body> int32_t guard(const char *function, VmafxError *error, Body &&body) noexcept
{
    try {
        if constexpr (std::is_void_v<std::invoke_result_t<Body>>) {
            body();
            return VMAFX_OK;
        } else {
            return body();
        }
    } catch (...) {
        return report_exception(function, error);
    }
}

[[noreturn]] void refuse_null(const char *subject);

/** Throws E_INVALID naming the argument if it is NULL. */
inline void check_not_null(const void *pointer, const char *subject)
{
    if (!pointer)
        refuse_null(subject);
}

/**
 * Throws E_ABI if a caller's struct is smaller than its first version, or has a size that no
 * struct of its alignment has, which would cut a field in two.
 * @param first_size sizeof the struct in the first version of the API
 */
void check_struct_size(uint32_t struct_size, size_t first_size, size_t alignment,
                       const char *subject);

/** As check_struct_size(); further throws E_NOTSUP if bytes past known_size are not zero: they are
 *  fields of a newer version that this library cannot honour. */
void check_struct(const void *given, uint32_t struct_size, size_t first_size, size_t known_size,
                  size_t alignment, const char *subject);

/** Copy of a caller's struct; fields that an older caller does not know are zero. Throws E_INVALID
 *  for NULL, E_ABI and E_NOTSUP. */
template <class T> T read_struct(const T *given, const char *subject, size_t first_size = sizeof(T))
{
    static_assert(std::is_trivially_copyable_v<T> && offsetof(T, struct_size) == 0);
    check_not_null(given, subject);
    check_struct(given, given->struct_size, first_size, sizeof(T), alignof(T), subject);
    T copy{};
    std::memcpy(&copy, given, given->struct_size < sizeof(T) ? given->struct_size : sizeof(T));
    return copy;
}

/** Writes to a caller's struct what it has room for and keeps its struct_size. Throws E_INVALID
 *  for NULL and E_ABI. */
template <class T>
void write_struct(T *target, const T &value, const char *subject, size_t first_size = sizeof(T))
{
    static_assert(std::is_trivially_copyable_v<T> && offsetof(T, struct_size) == 0);
    check_not_null(target, subject);
    const uint32_t size = target->struct_size;
    check_struct_size(size, first_size, alignof(T), subject);
    std::memcpy(target, &value, size < sizeof(T) ? size : sizeof(T));
    target->struct_size = size;
}

/** Copy of a caller's import. */
inline VmafxFrameImport read_import(const VmafxFrameImport *desc)
{
    return read_struct(desc, "desc", offsetof(VmafxFrameImport, input));
}

} // namespace vmafx

#endif
