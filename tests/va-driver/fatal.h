/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A caller that breaks the rules of VA-API is stopped at once: a real driver might forgive it.
 */
#ifndef VMAFXTEST_FATAL_H
#define VMAFXTEST_FATAL_H

__attribute__((noreturn, format(printf, 1, 2))) void fatal(const char *format, ...);

#endif
