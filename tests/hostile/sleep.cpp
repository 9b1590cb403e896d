/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Between two looks at the device the library sleeps. With one worker nothing happens meanwhile,
 * so that it need not.
 */
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>

/** Takes the place of libc's. */
extern "C" int nanosleep(const timespec *length, timespec *rest)
{
    static const bool one_worker = [] {
        const char *workers = std::getenv("VMAFX_CPU_WORKERS");
        return workers && std::strcmp(workers, "1") == 0;
    }();
    if (one_worker)
        return 0;
    const int error = clock_nanosleep(CLOCK_MONOTONIC, 0, length, rest);
    if (error == 0)
        return 0;
    errno = error;
    return -1;
}
