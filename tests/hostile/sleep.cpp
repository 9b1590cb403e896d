/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Between two looks at the device the library sleeps. With one worker nothing happens meanwhile, so
 * that it need not; with several there is little to wait for.
 */
#include <algorithm>
#include <cerrno>
#include <ctime>

#include "program.h"

/** Takes the place of libc's. */
extern "C" int nanosleep(const timespec *length, timespec *)
{
    constexpr long kLongest = 20'000; /* ns */
    static const bool needless = one_worker();
    if (needless)
        return 0;
    const timespec shortened = {0, length->tv_sec ? kLongest : std::min(length->tv_nsec, kLongest)};
    errno = clock_nanosleep(CLOCK_MONOTONIC, 0, &shortened, nullptr);
    return errno == 0 ? 0 : -1;
}
