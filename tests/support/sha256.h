/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_SUPPORT_SHA256_H
#define TESTS_SUPPORT_SHA256_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace support
{

/** SHA-256 of a sequence of bytes (FIPS 180-4). */
class Sha256
{
  public:
    void add(std::span<const uint8_t> bytes);
    /** The digest in hexadecimal; nothing can be added behind it. */
    std::string finish();

  private:
    void block(const uint8_t *bytes);

    std::array<uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<uint8_t, 64> pending_{};
    size_t pending_bytes_ = 0;
    uint64_t bytes_ = 0;
};

} // namespace support

#endif
