/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/producer_memory.h"

#include <stdexcept>

#include "support/hip_calls.h"

namespace support
{

using namespace vmafx::hip;

ProducerMemory::ProducerMemory(std::span<const uint8_t> contents) : memory_(nullptr)
{
    const HipCalls &hip = HipCalls::get();
    if (hip.hipMalloc(&memory_, contents.size()) != 0)
        throw std::runtime_error("no memory on the device");
    if (hip.hipMemcpy(memory_, contents.data(), contents.size(), hipMemcpyHostToDevice) == 0)
        return;
    hip.hipFree(memory_);
    throw std::runtime_error("cannot fill memory of the device");
}

ProducerMemory::~ProducerMemory()
{
    if (memory_)
        HipCalls::get().hipFree(memory_);
}

} // namespace support
