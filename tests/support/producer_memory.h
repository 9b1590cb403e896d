/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Memory of the tested device, as a program has it that fills pictures on the GPU.
 */
#ifndef TESTS_SUPPORT_PRODUCER_MEMORY_H
#define TESTS_SUPPORT_PRODUCER_MEMORY_H

#include <cstdint>
#include <span>
#include <utility>

namespace support
{

class ProducerMemory
{
  public:
    /** A block of exactly that many bytes. */
    explicit ProducerMemory(std::span<const uint8_t> contents);
    ProducerMemory(ProducerMemory &&other) noexcept : memory_(std::exchange(other.memory_, nullptr))
    {
    }
    ~ProducerMemory();

    void *address() const { return memory_; }

  private:
    void *memory_;
};

} // namespace support

#endif
