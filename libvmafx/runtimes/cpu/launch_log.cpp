/* SPDX-License-Identifier: BSD-2-Clause */
#include "launch_log.h"

namespace vmafx::cpu
{

LaunchCount LaunchLog::of(std::string_view kernel)
{
    std::lock_guard lock(mutex_);
    const auto at = counts_.find(kernel);
    if (at != counts_.end())
        return at->second;
    auto count = std::make_shared<std::atomic<uint64_t>>(0);
    return counts_.emplace(kernel, std::move(count)).first->second;
}

uint64_t LaunchLog::sum(std::string_view kernel) const
{
    std::lock_guard lock(mutex_);
    uint64_t launches = 0;
    for (const auto &[name, count] : counts_)
        launches += kernel.empty() || kernel == name ? count->load(std::memory_order_relaxed) : 0;
    return launches;
}

void LaunchLog::reset()
{
    std::lock_guard lock(mutex_);
    for (const auto &[name, count] : counts_)
        count->store(0, std::memory_order_relaxed);
}

void LaunchLog::clear()
{
    std::lock_guard lock(mutex_);
    counts_.clear();
}

} // namespace vmafx::cpu
