/* SPDX-License-Identifier: BSD-2-Clause */
#include "fatal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void fatal(const char *format, ...)
{
    va_list arguments;
    fputs("[vmafxtest] fatal: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    abort();
}
