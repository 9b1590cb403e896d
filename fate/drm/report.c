/*
 * Copyright (c) 2026 the libvmafx authors
 *
 * This file is part of FFmpeg.
 *
 * FFmpeg is free software; you can redistribute it and/or
 * modify it under the terms of the GNU Lesser General Public
 * License as published by the Free Software Foundation; either
 * version 2.1 of the License, or (at your option) any later version.
 *
 * FFmpeg is distributed in the hope that it will be useful,
 * but WITHOUT ANY WARRANTY; without even the implied warranty of
 * MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE.  See the GNU
 * Lesser General Public License for more details.
 *
 * You should have received a copy of the GNU Lesser General Public
 * License along with FFmpeg; if not, write to the Free Software
 * Foundation, Inc., 51 Franklin Street, Fifth Floor, Boston, MA 02110-1301 USA
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pthread.h>

#include "libavutil/log.h"

#include "drm_check.h"

static int nb_passed, nb_failed;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char messages[1 << 16];
static char last_error[1024];

int must(int ret, const char *call, const char *file, int line)
{
    if (ret >= 0)
        return ret;
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, av_err2str(ret));
    exit(1);
}

void report(const char *problem, const char *format, ...)
{
    va_list arguments;

    printf("%s", problem ? "FAIL " : "ok   ");
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("%s%s\n", problem ? ": " : "", problem ? problem : "");
    fflush(stdout);
    nb_passed += !problem;
    nb_failed += !!problem;
}

int sum_up(void)
{
    printf("%d passed, %d failed\n", nb_passed, nb_failed);
    return nb_failed || !nb_passed;
}

static void keep(void *source, int level, const char *format, va_list arguments)
{
    char line[1024];
    size_t used;

    if (level > AV_LOG_INFO)
        return;
    vsnprintf(line, sizeof(line), format, arguments);
    pthread_mutex_lock(&lock);
    used = strlen(messages);
    snprintf(messages + used, sizeof(messages) - used, "%s", line);
    if (level <= AV_LOG_ERROR)
        snprintf(last_error, sizeof(last_error), "%s", line);
    pthread_mutex_unlock(&lock);
}

void log_keep(void)
{
    av_log_set_callback(keep);
}

int log_has(const char *text)
{
    int found;

    pthread_mutex_lock(&lock);
    found = !!strstr(messages, text);
    pthread_mutex_unlock(&lock);
    return found;
}

void log_forget(void)
{
    pthread_mutex_lock(&lock);
    messages[0] = last_error[0] = 0;
    pthread_mutex_unlock(&lock);
}

const char *log_last_error(void)
{
    last_error[strcspn(last_error, "\n")] = 0;
    return last_error;
}
