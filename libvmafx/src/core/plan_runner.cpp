/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/plan_runner.h"

namespace vmafx
{

void *PlanRunner::allocate(size_t bytes)
{
    hip::DeviceGuard guard(device_->runtime(), device_->ordinal());
    scratch_.emplace_back(device_->runtime(), bytes);
    allocated_ += bytes;
    return scratch_.back().get();
}

void *PlanRunner::upload(const void *data, size_t bytes)
{
    void *memory = allocate(bytes);
    const hip::Runtime &runtime = device_->runtime();
    check(runtime, runtime.hip.hipMemcpy(memory, data, bytes, hip::hipMemcpyHostToDevice),
          "hipMemcpy");
    return memory;
}

} // namespace vmafx
