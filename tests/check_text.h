/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Check for C++ tests. Include it after the headers of the library.
 */
#ifndef TESTS_CHECK_TEXT_H
#define TESTS_CHECK_TEXT_H

#include <string>

#include <check.h>
#undef fail /* the library has a function of this name */

/** Compares texts; the first may be a temporary std::string. */
#define assert_text(actual, expected)                                                              \
    do {                                                                                           \
        const std::string actual_text = (actual);                                                  \
        const std::string expected_text = (expected);                                              \
        ck_assert_msg(actual_text == expected_text, "%s is \"%s\", not \"%s\"", #actual,           \
                      actual_text.c_str(), expected_text.c_str());                                 \
    } while (0)

/** Runs one test case; returns what main() returns. */
static inline int run_tests(TCase *tcase, const char *name)
{
    Suite *suite = suite_create(name);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}

#endif
