/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How often each kernel was launched, by name, over all modules of the process.
 */
#ifndef VMAFX_CPU_LAUNCH_LOG_H
#define VMAFX_CPU_LAUNCH_LOG_H

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace vmafx::cpu
{

using LaunchCount = std::shared_ptr<std::atomic<uint64_t>>;

class LaunchLog
{
  public:
    /** The count that all kernels of the name share. */
    LaunchCount of(std::string_view kernel);
    /** Launches so far; 0 for a kernel that no module had, those of all for an empty name. */
    uint64_t sum(std::string_view kernel) const;
    void reset();
    void clear();

  private:
    mutable std::mutex mutex_;
    std::map<std::string, LaunchCount, std::less<>> counts_;
};

} // namespace vmafx::cpu

#endif
