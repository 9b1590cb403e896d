/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a call that must be refused has answered.
 */
#ifndef TESTS_API_REFUSAL_H
#define TESTS_API_REFUSAL_H

#include "check_text.h"

#include <cstring>

#include "support/handles.h"

/** Runs function(args..., &error); the call must fail with this status and subject, and its message
 *  must contain the word. */
#define assert_refused(status, subject, word, ...)                                                 \
    check_refusal(__FILE__, __LINE__, status, subject, word, __VA_ARGS__)

template <class Function, class... Args>
void check_refusal(const char *file, int line, int32_t status, const char *subject,
                   const char *word, Function function, Args... args)
{
    VmafxError error = VMAFX_ERROR_INIT;
    const int32_t answer = function(args..., &error);
    const std::string what = std::string(file) + ":" + std::to_string(line) + ": " +
                             vmafx_status_name(answer) + ", " + error.function + ", \"" +
                             error.subject + "\": " + error.message;
    ck_assert_msg(answer == status, "%s; expected %s", what.c_str(), vmafx_status_name(status));
    ck_assert_msg(error.status == status, "%s; error.status is %d", what.c_str(), error.status);
    ck_assert_msg(std::string(error.subject) == subject, "%s; expected subject \"%s\"",
                  what.c_str(), subject);
    ck_assert_msg(std::strstr(error.message, word) != nullptr, "%s; expected \"%s\" in it",
                  what.c_str(), word);
    ck_assert_msg(std::strlen(error.message) >= 10, "%s; the message says nothing", what.c_str());
    ck_assert_msg(std::strncmp(error.function, "vmafx_", 6) == 0, "%s; no function", what.c_str());
}

#endif
