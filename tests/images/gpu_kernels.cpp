/* SPDX-License-Identifier: BSD-2-Clause */
#include "images/gpu_kernels.h"

#include <cstring>
#include <regex>
#include <sstream>
#include <stdexcept>

#include <elf.h>
#include <nlohmann/json.hpp>

namespace vmafx_test
{

namespace
{

constexpr uint32_t kMetadataNote = 32; /* NT_AMDGPU_METADATA */

template <class T> T read_at(std::span<const std::byte> bytes, size_t at)
{
    T value;
    if (at > bytes.size() || bytes.size() - at < sizeof(T))
        throw std::runtime_error("the code object ends early");
    std::memcpy(&value, bytes.data() + at, sizeof(T));
    return value;
}

size_t padded(size_t size)
{
    return (size + 3) / 4 * 4;
}

/** The metadata in a segment of notes, empty if it is not there. */
std::span<const std::byte> find_note(std::span<const std::byte> notes)
{
    for (size_t at = 0; at < notes.size();) {
        const auto head = read_at<Elf64_Nhdr>(notes, at);
        const size_t body = at + sizeof(head) + padded(head.n_namesz);
        if (head.n_type == kMetadataNote)
            return notes.subspan(body, head.n_descsz);
        at = body + padded(head.n_descsz);
    }
    return {};
}

nlohmann::json metadata(std::span<const std::byte> elf)
{
    const auto head = read_at<Elf64_Ehdr>(elf, 0);
    if (std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_machine != EM_AMDGPU)
        throw std::runtime_error("no AMD code object");
    for (size_t i = 0; i < head.e_phnum; ++i) {
        const auto segment = read_at<Elf64_Phdr>(elf, head.e_phoff + i * head.e_phentsize);
        if (segment.p_type != PT_NOTE)
            continue;
        const auto note = find_note(elf.subspan(segment.p_offset, segment.p_filesz));
        if (!note.empty()) {
            const auto *data = reinterpret_cast<const uint8_t *>(note.data());
            return nlohmann::json::from_msgpack(data, data + note.size());
        }
    }
    throw std::runtime_error("the code object has no metadata");
}

} // namespace

std::map<std::string, GpuKernel> amd_kernels(const vmafx::Image &image)
{
    std::map<std::string, GpuKernel> kernels;
    const vmafx::UnpackedImage unpacked = image.unpack();
    const nlohmann::json data = metadata(unpacked.bytes());
    for (const auto &entry : data.at("amdhsa.kernels")) {
        GpuKernel &kernel = kernels[entry.at(".name").get<std::string>()];
        kernel.args = entry.at(".kernarg_segment_size");
        kernel.tile = entry.at(".group_segment_fixed_size");
        kernel.scratch = entry.at(".private_segment_fixed_size");
        kernel.spills = entry.at(".vgpr_spill_count").get<uint64_t>() +
                        entry.at(".sgpr_spill_count").get<uint64_t>();
    }
    return kernels;
}

std::map<std::string, GpuKernel> ptx_kernels(const vmafx::Image &image)
{
    static const std::regex entry(R"(\.entry (\w+)\()");
    static const std::regex param(R"(\.param .*\.b8 \w+\[(\d+)\])");
    static const std::regex shared(R"(^\s*\.shared .*\.b8 \w+\[(\d+)\];)");
    static const std::regex local(R"(^\s*\.local .*\.b8 \w+\[(\d+)\];)");
    std::map<std::string, GpuKernel> kernels;
    GpuKernel *current = nullptr;
    const vmafx::UnpackedImage unpacked = image.unpack();
    std::istringstream text(reinterpret_cast<const char *>(unpacked.bytes().data()));
    std::smatch found;
    for (std::string line; std::getline(text, line);) {
        if (std::regex_search(line, found, entry))
            current = &kernels[found[1]];
        else if (!current)
            continue;
        else if (std::regex_search(line, found, param))
            current->args += std::stoull(found[1]);
        else if (std::regex_search(line, found, shared))
            current->tile += std::stoull(found[1]);
        else if (std::regex_search(line, found, local))
            current->scratch += std::stoull(found[1]);
    }
    return kernels;
}

} // namespace vmafx_test
