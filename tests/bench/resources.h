/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Time and memory of this process.
 */
#ifndef TESTS_BENCH_RESOURCES_H
#define TESTS_BENCH_RESOURCES_H

#include <chrono>
#include <cstdint>

#include <sys/resource.h>

namespace bench
{

inline rusage own_usage()
{
    rusage usage = {};
    getrusage(RUSAGE_SELF, &usage);
    return usage;
}

/** Seconds of all threads, in user space and in the kernel. */
inline double cpu_seconds()
{
    const rusage usage = own_usage();
    const auto seconds = [](const timeval &time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/** The most that has been resident so far. */
inline int64_t peak_bytes()
{
    return int64_t{own_usage().ru_maxrss} * 1024;
}

/** Wall and CPU time since it was made. */
class Stopwatch
{
  public:
    double wall() const
    {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }
    double cpu() const { return cpu_seconds() - cpu_start_; }

  private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    double cpu_start_ = cpu_seconds();
};

} // namespace bench

#endif
