/* SPDX-License-Identifier: BSD-2-Clause */
#include "api/boundary.h"

#include <algorithm>
#include <new>
#include <string_view>

#include "core/failure.h"

namespace vmafx
{

namespace
{

constexpr size_t kFirstErrorSize = sizeof(VmafxError);
constexpr uint32_t kLargestStruct = 64 * 1024; /* more is an uninitialised struct_size */

/** Copies text into a fixed array: one line, never a cut UTF-8 sequence. */
template <size_t N> void copy_line(char (&target)[N], std::string_view text)
{
    size_t size = std::min(text.size(), N - 1);
    if (size < text.size())
        while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xc0) == 0x80)
            size--;
    for (size_t i = 0; i < size; i++)
        target[i] = static_cast<unsigned char>(text[i]) < ' ' ? ' ' : text[i];
    std::memset(target + size, 0, N - size);
}

int32_t report(const char *function, VmafxError *error, int32_t status, int32_t native,
               const char *subject, const char *message) noexcept
{
    if (error && error->struct_size >= kFirstErrorSize) {
        error->status = status;
        error->native_code = native;
        error->reserved = 0;
        copy_line(error->function, function);
        copy_line(error->subject, subject);
        copy_line(error->message, message);
        return status;
    }
    try {
        log_message(VMAFX_LOG_ERROR, "%s: %s%s%s (%s)", function, subject, *subject ? ": " : "",
                    message, vmafx_status_name(status));
    } catch (...) {
        /* No memory for the line: the status has to do. */
    }
    return status;
}

} // namespace

int32_t report_exception(const char *function, VmafxError *error) noexcept
{
    try {
        throw;
    } catch (const Failure &failure) {
        return report(function, error, failure.status(), failure.native(),
                      failure.subject().c_str(), failure.what());
    } catch (const std::bad_alloc &) {
        return report(function, error, VMAFX_E_NOMEM, 0, "", "out of host memory");
    } catch (const std::exception &exception) {
        return report(function, error, VMAFX_E_INTERNAL, 0, "", exception.what());
    } catch (...) {
        return report(function, error, VMAFX_E_INTERNAL, 0, "", "unknown exception");
    }
}

void refuse_null(const char *subject)
{
    fail(VMAFX_E_INVALID, subject, "%s is NULL", subject);
}

void check_struct_size(uint32_t struct_size, size_t first_size, size_t alignment,
                       const char *subject)
{
    if (struct_size < first_size)
        fail(VMAFX_E_ABI, subject,
             "struct_size of %s is %u, the smallest version has %zu bytes; start from its _INIT "
             "macro",
             subject, struct_size, first_size);
    if (struct_size > kLargestStruct || struct_size % alignment)
        fail(VMAFX_E_ABI, subject,
             "struct_size of %s is %u, which no version has; start from its _INIT macro", subject,
             struct_size);
}

void check_struct(const void *given, uint32_t struct_size, size_t first_size, size_t known_size,
                  size_t alignment, const char *subject)
{
    check_struct_size(struct_size, first_size, alignment, subject);
    const auto *bytes = static_cast<const unsigned char *>(given);
    for (size_t i = known_size; i < struct_size; i++)
        if (bytes[i])
            fail(VMAFX_E_NOTSUP, subject,
                 "%s sets a field at byte %zu that libvmafx %s does not know; leave it 0", subject,
                 i, vmafx_version_string());
}

} // namespace vmafx
