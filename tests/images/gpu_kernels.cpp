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

Elf64_Ehdr amd_head(std::span<const std::byte> elf)
{
    const auto head = read_at<Elf64_Ehdr>(elf, 0);
    if (std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_machine != EM_AMDGPU)
        throw std::runtime_error("no AMD code object");
    return head;
}

nlohmann::json metadata(std::span<const std::byte> elf)
{
    const auto head = amd_head(elf);
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

Elf64_Shdr section(std::span<const std::byte> elf, size_t index)
{
    const auto head = amd_head(elf);
    return read_at<Elf64_Shdr>(elf, head.e_shoff + index * head.e_shentsize);
}

/** The string of a table of strings. */
std::string string_at(std::span<const std::byte> elf, const Elf64_Shdr &table, size_t at)
{
    if (at >= table.sh_size || table.sh_offset + table.sh_size > elf.size())
        throw std::runtime_error("a string lies outside its table");
    const char *text = reinterpret_cast<const char *>(elf.data()) + table.sh_offset + at;
    return {text, strnlen(text, table.sh_size - at)};
}

/** Bytes of the functions by name. */
std::map<std::string, uint64_t> code_sizes(std::span<const std::byte> elf)
{
    std::map<std::string, uint64_t> sizes;
    for (size_t i = 0; i < amd_head(elf).e_shnum; ++i) {
        const Elf64_Shdr table = section(elf, i);
        if (table.sh_type != SHT_DYNSYM)
            continue;
        const Elf64_Shdr names = section(elf, table.sh_link);
        for (size_t at = 0; at < table.sh_size; at += sizeof(Elf64_Sym)) {
            const auto symbol = read_at<Elf64_Sym>(elf, table.sh_offset + at);
            if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC)
                sizes[string_at(elf, names, symbol.st_name)] = symbol.st_size;
        }
    }
    return sizes;
}

} // namespace

std::string amd_compiler(const vmafx::Image &image)
{
    const vmafx::UnpackedImage unpacked = image.unpack();
    const auto elf = unpacked.bytes();
    const auto head = amd_head(elf);
    for (size_t i = 0; i < head.e_shnum; ++i) {
        const Elf64_Shdr comments = section(elf, i);
        if (string_at(elf, section(elf, head.e_shstrndx), comments.sh_name) != ".comment")
            continue;
        for (size_t at = 0; at < comments.sh_size;) {
            const std::string text = string_at(elf, comments, at);
            if (text.find("clang") != std::string::npos)
                return text;
            at += text.size() + 1;
        }
    }
    throw std::runtime_error("the code object does not say what compiled it");
}

std::map<std::string, GpuKernel> amd_kernels(const vmafx::Image &image)
{
    std::map<std::string, GpuKernel> kernels;
    const vmafx::UnpackedImage unpacked = image.unpack();
    const nlohmann::json data = metadata(unpacked.bytes());
    const auto code = code_sizes(unpacked.bytes());
    for (const auto &entry : data.at("amdhsa.kernels")) {
        GpuKernel &kernel = kernels[entry.at(".name").get<std::string>()];
        kernel.args = entry.at(".kernarg_segment_size");
        kernel.tile = entry.at(".group_segment_fixed_size");
        kernel.scratch = entry.at(".private_segment_fixed_size");
        kernel.spills = entry.at(".vgpr_spill_count").get<uint64_t>() +
                        entry.at(".sgpr_spill_count").get<uint64_t>();
        kernel.vgprs = entry.at(".vgpr_count");
        kernel.sgprs = entry.at(".sgpr_count");
        kernel.threads = entry.at(".max_flat_workgroup_size");
        kernel.wave = entry.at(".wavefront_size");
        kernel.code = code.at(entry.at(".name").get<std::string>());
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
