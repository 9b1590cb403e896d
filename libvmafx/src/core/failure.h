/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How the library reports errors inside: a Failure is thrown, and turned into a status and an error
 * object at the boundary of the C API.
 */
#ifndef VMAFX_CORE_FAILURE_H
#define VMAFX_CORE_FAILURE_H

#include <cstdint>
#include <stdexcept>
#include <string>

#include <libvmafx/status.h>

namespace vmafx
{

/** status, the field path at fault (may be empty), the native code, and what() as the message. */
class Failure : public std::runtime_error
{
  public:
    Failure(int32_t status, std::string subject, const std::string &message, int32_t native = 0)
        : std::runtime_error(message), status_(status), native_(native),
          subject_(std::move(subject))
    {
    }

    int32_t status() const { return status_; }
    int32_t native() const { return native_; }
    const std::string &subject() const { return subject_; }

  private:
    int32_t status_;
    int32_t native_;
    std::string subject_;
};

/** printf into a string. */
__attribute__((format(printf, 1, 2))) std::string format(const char *fmt, ...);

/** Throws a Failure with a printf message. */
[[noreturn]] __attribute__((format(printf, 3, 4))) void fail(int32_t status, const char *subject,
                                                             const char *fmt, ...);

/** Sends one line to the log callback. Not while a lock is held. Without memory for the line it is
 *  lost. */
__attribute__((format(printf, 2, 3))) void log_message(int32_t level, const char *fmt,
                                                       ...) noexcept;

} // namespace vmafx

#endif
