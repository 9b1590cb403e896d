/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/pictures.h"

#include <stdexcept>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace bench
{

PictureFile::PictureFile(const std::string &path, const PictureShape &shape) : shape_(shape)
{
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        throw std::runtime_error("cannot open " + path);
    struct stat facts = {};
    const bool known = fstat(fd, &facts) == 0;
    const auto size = static_cast<size_t>(facts.st_size);
    const bool whole = known && size > 0 && size % shape.frame_bytes() == 0;
    /* Populated: no page of the pictures is read during a measurement, and their memory is part of
     * what the process has before it. */
    void *memory =
        whole ? mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0) : MAP_FAILED;
    close(fd);
    if (memory == MAP_FAILED)
        throw std::runtime_error(path + " cannot be mapped or is not made of whole frames");
    bytes_ = {static_cast<const uint8_t *>(memory), size};
}

PictureFile::~PictureFile()
{
    munmap(const_cast<uint8_t *>(bytes_.data()), bytes_.size());
}

Picture PictureFile::frame(size_t index) const
{
    const uint8_t *start = bytes_.data() + index % frames() * shape_.frame_bytes();
    const size_t luma = shape_.plane_bytes(0), chroma = shape_.plane_bytes(1);
    return {{start, start + luma, start + luma + chroma}};
}

} // namespace bench
