/* SPDX-License-Identifier: BSD-2-Clause */
#include "image_file.h"

#include <cerrno>
#include <cstring>

#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

namespace vmafx::cpu
{

using namespace hip;

namespace
{

constexpr uint64_t kMaxImageBytes = uint64_t{1} << 30;
constexpr unsigned int kMemfdExec = 0x10; /* MFD_EXEC, in headers since Linux 6.3 */

/** The image is only ever read by the system, which answers where it ends instead of faulting. */
bool append(int fd, const void *image, size_t begin, size_t end)
{
    const char *bytes = static_cast<const char *>(image);
    while (begin < end) {
        const ssize_t written = write(fd, bytes + begin, end - begin);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        begin += static_cast<size_t>(written);
    }
    return true;
}

bool read_at(int fd, void *to, size_t bytes, uint64_t offset)
{
    return pread(fd, to, bytes, static_cast<off_t>(offset)) == static_cast<ssize_t>(bytes);
}

hipError_t check_header(const Elf64_Ehdr &header)
{
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_VERSION] != EV_CURRENT)
        return hipErrorInvalidImage;
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
        header.e_machine != EM_X86_64)
        return hipErrorNoBinaryForGpu;
    if (header.e_type != ET_DYN || header.e_ehsize != sizeof(Elf64_Ehdr) ||
        header.e_phentsize != sizeof(Elf64_Phdr) || header.e_phnum == 0 ||
        header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shnum == 0)
        return hipErrorInvalidImage;
    if (header.e_shoff < sizeof(Elf64_Ehdr) || header.e_shoff > kMaxImageBytes)
        return hipErrorInvalidImage;
    return hipSuccess;
}

/** Linkers put the table of sections last. */
uint64_t length_of(const Elf64_Ehdr &header)
{
    return header.e_shoff + uint64_t{header.e_shnum} * sizeof(Elf64_Shdr);
}

bool inside(uint64_t offset, uint64_t bytes, uint64_t length)
{
    return offset <= length && bytes <= length - offset;
}

/** What the dynamic loader would otherwise map past the end of the file. */
bool segments_inside(int fd, const Elf64_Ehdr &header, uint64_t length)
{
    if (!inside(header.e_phoff, uint64_t{header.e_phnum} * sizeof(Elf64_Phdr), length))
        return false;
    bool loads = false;
    bool dynamic = false;
    for (unsigned int i = 0; i < header.e_phnum; ++i) {
        Elf64_Phdr segment;
        if (!read_at(fd, &segment, sizeof(segment), header.e_phoff + i * sizeof(segment)))
            return false;
        if (segment.p_type != PT_GNU_STACK && !inside(segment.p_offset, segment.p_filesz, length))
            return false;
        if (segment.p_type == PT_LOAD && segment.p_memsz < segment.p_filesz)
            return false;
        loads |= segment.p_type == PT_LOAD;
        dynamic |= segment.p_type == PT_DYNAMIC;
    }
    return loads && dynamic;
}

hipError_t fill(int fd, const void *image)
{
    Elf64_Ehdr header;
    if (!append(fd, image, 0, sizeof(header)) || !read_at(fd, &header, sizeof(header), 0))
        return hipErrorInvalidImage;
    if (const hipError_t error = check_header(header); error != hipSuccess)
        return error;
    const uint64_t length = length_of(header);
    if (!append(fd, image, sizeof(header), length) || !segments_inside(fd, header, length))
        return hipErrorInvalidImage;
    return hipSuccess;
}

} // namespace

hipError_t copy_image_to_file(const void *image, int &fd)
{
    fd = memfd_create("vmafx-kernels", MFD_CLOEXEC | kMemfdExec);
    if (fd < 0 && errno == EINVAL) /* before Linux 6.3 */
        fd = memfd_create("vmafx-kernels", MFD_CLOEXEC);
    if (fd < 0)
        return errno == EMFILE || errno == ENFILE || errno == ENOMEM ? hipErrorOutOfMemory
                                                                     : hipErrorOperatingSystem;
    const hipError_t error = fill(fd, image);
    if (error != hipSuccess) {
        close(fd);
        fd = -1;
    }
    return error;
}

} // namespace vmafx::cpu
