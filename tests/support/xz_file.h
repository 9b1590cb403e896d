/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_SUPPORT_XZ_FILE_H
#define TESTS_SUPPORT_XZ_FILE_H

#include <cstdint>
#include <filesystem>
#include <vector>

namespace support
{

std::vector<uint8_t> read_file(const std::filesystem::path &path);

/** The unpacked contents of an .xz file. Throws std::runtime_error. */
std::vector<uint8_t> read_xz(const std::filesystem::path &path);

} // namespace support

#endif
