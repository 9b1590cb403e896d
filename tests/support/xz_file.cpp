/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/xz_file.h"

#include <fstream>
#include <iterator>
#include <stdexcept>

#include <lzma.h>

namespace support
{

std::vector<uint8_t> read_file(const std::filesystem::path &path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw std::runtime_error("cannot read " + path.string());
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<uint8_t> read_xz(const std::filesystem::path &path)
{
    const std::vector<uint8_t> packed = read_file(path);
    lzma_stream stream = LZMA_STREAM_INIT;
    if (lzma_stream_decoder(&stream, UINT64_MAX, LZMA_CONCATENATED) != LZMA_OK)
        throw std::runtime_error("liblzma has no memory");
    stream.next_in = packed.data();
    stream.avail_in = packed.size();
    std::vector<uint8_t> bytes;
    lzma_ret result = LZMA_OK;
    while (result == LZMA_OK) {
        const size_t done = bytes.size();
        bytes.resize(done + (size_t{4} << 20));
        stream.next_out = bytes.data() + done;
        stream.avail_out = bytes.size() - done;
        result = lzma_code(&stream, LZMA_FINISH);
        bytes.resize(bytes.size() - stream.avail_out);
    }
    lzma_end(&stream);
    if (result != LZMA_STREAM_END)
        throw std::runtime_error(path.string() + " is no intact xz file");
    return bytes;
}

} // namespace support
