/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/failure.h"

#include <cstdarg>
#include <cstdio>
#include <mutex>

namespace vmafx
{

namespace
{

struct LogTarget {
    VmafxLogCallback callback = nullptr;
    void *opaque = nullptr;
    int32_t level = VMAFX_LOG_WARNING;
};

std::mutex log_lock;
LogTarget log_target; /* the process-wide callback of the public API */

std::string vformat(const char *fmt, va_list args)
{
    va_list copy;
    va_copy(copy, args);
    const int n = std::vsnprintf(nullptr, 0, fmt, copy);
    va_end(copy);
    if (n < 0)
        return fmt;
    std::string text(static_cast<size_t>(n) + 1, '\0');
    std::vsnprintf(text.data(), text.size(), fmt, args);
    text.pop_back();
    return text;
}

} // namespace

std::string format(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    std::string text = vformat(fmt, args);
    va_end(args);
    return text;
}

void fail(int32_t status, const char *subject, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    std::string text = vformat(fmt, args);
    va_end(args);
    throw Failure(status, subject, text);
}

void log_message(int32_t level, const char *fmt, ...) noexcept
{
    va_list args;
    va_start(args, fmt);
    try {
        LogTarget target;
        {
            std::lock_guard lock(log_lock);
            target = log_target;
        }
        if (level <= target.level) {
            const std::string text = vformat(fmt, args);
            if (target.callback)
                target.callback(target.opaque, level, text.c_str());
            else
                std::fprintf(stderr, "libvmafx: %s\n", text.c_str());
        }
    } catch (...) {
        /* No memory for the line. */
    }
    va_end(args);
}

} // namespace vmafx

extern "C" void vmafx_log_set_callback(VmafxLogCallback callback, void *opaque, int32_t level)
{
    std::lock_guard lock(vmafx::log_lock);
    vmafx::log_target = {callback, opaque, callback ? level : VMAFX_LOG_WARNING};
}
