/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/producer_memory.h"

#include "support/runtime_entry.h"

namespace support
{

namespace
{

constexpr int kHostToDevice = 1;

/** The calls of HIP's C interface that a producer needs, of the runtime that is tested. */
struct Hip {
    int (*malloc)(void **memory, size_t bytes);
    int (*free)(void *memory);
    int (*copy)(void *to, const void *from, size_t bytes, int kind);

    Hip()
    {
        resolve(malloc, "hipMalloc");
        resolve(free, "hipFree");
        resolve(copy, "hipMemcpy");
    }

    static const Hip &get()
    {
        static const Hip hip;
        return hip;
    }
};

} // namespace

ProducerMemory::ProducerMemory(std::span<const uint8_t> contents) : memory_(nullptr)
{
    const Hip &hip = Hip::get();
    if (hip.malloc(&memory_, contents.size()) != 0)
        throw std::runtime_error("no memory on the device");
    if (hip.copy(memory_, contents.data(), contents.size(), kHostToDevice) == 0)
        return;
    hip.free(memory_);
    throw std::runtime_error("cannot fill memory of the device");
}

ProducerMemory::~ProducerMemory()
{
    if (memory_)
        Hip::get().free(memory_);
}

} // namespace support
