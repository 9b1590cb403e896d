/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/plan_runner.h"

#include <cstring>

namespace vmafx
{

void *PlanRunner::allocate(size_t bytes)
{
    hip::DeviceGuard guard(device_->runtime(), device_->ordinal());
    scratch_.emplace_back(device_->runtime(), bytes);
    return scratch_.back().get();
}

void *PlanRunner::upload(const void *data, size_t bytes)
{
    void *memory = allocate(bytes);
    hip::DeviceGuard guard(device_->runtime(), device_->ordinal());
    staged_.emplace_back(device_->runtime(), bytes);
    void *from = staged_.back().get();
    std::memcpy(from, data, bytes);
    /* On the library stream: the null stream's copies are not ordered against it. */
    hip::copy(device_->stream(), memory, from, bytes, hip::hipMemcpyHostToDevice);
    return memory;
}

void PlanRunner::release() noexcept
{
    scratch_.clear();
    staged_.clear();
}

} // namespace vmafx
